// Icons of the time bar, drawn so that they look the same everywhere.

const svg = (path: string): string =>
  `<svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="${path}"/></svg>`;

export const ICONS = {
  play: svg('M4 2.5v11l9.5-5.5z'),
  pause: svg('M3.5 2.5h3.2v11H3.5zM9.3 2.5h3.2v11H9.3z'),
  back: svg('M12.5 2.5v11L5.5 8zM3 2.5h2v11H3z'),
  next: svg('M3.5 2.5v11L10.5 8zM11 2.5h2v11h-2z'),
};
