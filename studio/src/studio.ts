// The studio: a live world to look at, steer, push and change.

import { openStudio } from './live/studio';
import './studio.css';

try {
  openStudio();
} catch (problem) {
  console.error(problem);
  const place = document.getElementById('problem');
  if (place) {
    place.hidden = false;
    place.textContent = `The studio cannot be shown: ${problem instanceof Error ? problem.message : String(problem)}`;
  }
}
