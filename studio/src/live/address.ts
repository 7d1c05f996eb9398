// The set-up as a link: JSON after the `#` of the address.

import type { Setup } from './messages';

export function writeLink(setup: Setup): string {
  return `${location.origin}/#${encodeURIComponent(JSON.stringify(setup))}`;
}

/** The set-up of the address; null when there is none. */
export function readLink(): Setup | null {
  if (location.hash.length < 2) return null;
  try {
    return JSON.parse(decodeURIComponent(location.hash.slice(1))) as Setup;
  } catch {
    return null;
  }
}
