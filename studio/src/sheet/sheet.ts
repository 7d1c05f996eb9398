// The contact sheet: frames of a run side by side, from the side and from the front, with their times.
//
// Cameras are fixed: the same direction, distance and lens in every picture, aimed at the calm path of the centre of mass.
// The finished picture becomes an image element, from which the opener of the page reads it.

import { Vector3 } from 'three';
import type { Run } from '../run/run';
import { type View, direction } from '../stage/eye';
import { THEMES, type ThemeName } from '../stage/theme';
import { Theatre } from '../theatre';

export interface SheetOptions {
  frames: number;
  theme: ThemeName;
  /** JPEG: smaller, with loss. */
  jpeg: boolean;
}

const CELL = { width: 300, height: 340, label: 26, gap: 8 };
const MARGIN = 20;
const HEAD = 44;
/** Greatest number of pictures in a row. */
const COLUMNS = 6;
/** Pictures are drawn larger and made smaller: smooth edges. */
const SHARPNESS = 2;
const LENS = 22;
/** Of JPEG pictures. */
const QUALITY = 0.85;

/** The options in the address, as in `#sheet=12` or `#sheet=12&theme=dark&as=jpeg`. */
export function sheetAsked(hash: string): SheetOptions | null {
  const asked = new URLSearchParams(hash.replace(/^#/, ''));
  const frames = Number(asked.get('sheet'));
  if (!Number.isInteger(frames) || frames < 1) return null;
  const theme = asked.get('theme') === 'dark' ? 'dark' : 'light';
  return { frames, theme, jpeg: asked.get('as') === 'jpeg' };
}

export function openSheet(run: Run, { frames, theme, jpeg }: SheetOptions): void {
  const lens = document.createElement('canvas');
  const theatre = new Theatre(lens, run);
  const { stage } = theatre;
  stage.resize(CELL.width, CELL.height, SHARPNESS);
  stage.camera.fov = LENS;
  stage.camera.updateProjectionMatrix();
  stage.setTheme(theme);
  theatre.com.hideFuture();
  const distance = distanceFor(theatre);
  const times = Array.from({ length: frames }, (_, i) =>
    frames > 1 ? (run.duration * i) / (frames - 1) : 0,
  );
  const aims = times.map(seconds => new Vector3(...run.aim(seconds)));
  // one direction for all frames of a row
  const from = (['side', 'front'] as View[]).map(view => direction(view, aims, distance, stage.ground));

  const bands = Math.ceil(frames / COLUMNS);
  // bands of nearly the same length
  const columns = Math.ceil(frames / bands);
  const step = { x: CELL.width + CELL.gap, y: 2 * CELL.height + CELL.label + 2 * CELL.gap };
  const sheet = document.createElement('canvas');
  sheet.width = 2 * MARGIN + columns * step.x - CELL.gap;
  sheet.height = HEAD + MARGIN + bands * step.y;
  const pen = sheet.getContext('2d');
  if (!pen) throw new Error('the browser cannot draw pictures');
  const ink = theme === 'light' ? '#1c2530' : '#e8edf3';
  pen.fillStyle = THEMES[theme].horizon;
  pen.fillRect(0, 0, sheet.width, sheet.height);
  pen.fillStyle = ink;
  pen.textBaseline = 'middle';
  pen.font = '600 18px system-ui, "Liberation Sans", sans-serif';
  pen.fillText(`${run.scene.title}: from the side, and from the front below`, MARGIN, HEAD / 2 + 2);
  pen.font = '15px system-ui, "Liberation Sans", sans-serif';
  pen.textAlign = 'center';
  pen.imageSmoothingQuality = 'high';

  times.forEach((seconds, i) => {
    const [x, y] = [MARGIN + (i % columns) * step.x, HEAD + Math.floor(i / columns) * step.y];
    const shown = theatre.show(seconds);
    from.forEach((towards, row) => {
      stage.camera.position.copy(aims[i]).addScaledVector(towards, distance);
      stage.camera.lookAt(aims[i]);
      stage.draw(aims[i]);
      pen.drawImage(lens, x, y + row * (CELL.height + CELL.gap), CELL.width, CELL.height);
    });
    const below = y + 2 * CELL.height + CELL.gap + CELL.label / 2 + 2;
    pen.fillText(`${shown.time.toFixed(2)} s`, x + CELL.width / 2, below);
  });

  const image = new Image(sheet.width, sheet.height);
  image.id = 'sheet';
  image.alt = `Contact sheet of ${run.scene.title}`;
  image.src = jpeg ? sheet.toDataURL('image/jpeg', QUALITY) : sheet.toDataURL('image/png');
  document.body.replaceChildren(image);
  document.body.style.overflow = 'auto';
}

/** Distance at which the subject stays in the picture in all frames; within reason. */
function distanceFor({ run, size }: Theatre): number {
  let farthest = 0.6 * size;
  for (let frame = 0; frame < run.frames; frame += Math.max(1, Math.round(run.rate / 10))) {
    const seconds = frame / run.rate;
    const aim = run.aim(seconds);
    const { poses } = run.at(seconds);
    for (let i = 0; i < run.subject; i++) {
      farthest = Math.max(
        farthest,
        Math.hypot(...[0, 1, 2].map(k => poses[7 * i + k] - aim[k])) + 0.12 * size,
      );
    }
  }
  return Math.min(farthest, 2 * size) / Math.tan((0.5 * LENS * Math.PI) / 180) / 0.95;
}
