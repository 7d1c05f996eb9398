// Icons of the time bar, drawn so that they look the same everywhere.

const svg = (path: string): string =>
  `<svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="${path}"/></svg>`;

const line = (path: string): string =>
  `<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`;

export const ICONS = {
  play: svg('M4 2.5v11l9.5-5.5z'),
  pause: svg('M3.5 2.5h3.2v11H3.5zM9.3 2.5h3.2v11H9.3z'),
  back: svg('M12.5 2.5v11L5.5 8zM3 2.5h2v11H3z'),
  next: svg('M3.5 2.5v11L10.5 8zM11 2.5h2v11h-2z'),
  reset: line('M3 8a5 5 0 1 0 1.6-3.7M3 2.5V5h2.6'),
  body: line(
    'M8 4.6a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2zM8 5v5M4.5 6.8 8 5.8l3.5 1M8 10l-2.600 4.5M8 10l2.600 4.5',
  ),
  gait: line('M2 4.5h12M2 8h12M2 11.5h12M5 3v3M10.5 6.5v3M7 10v3'),
  world: line('M1.5 12.5 6 5l3 4.5 1.800-2.5 3.700 5.5z'),
  eye: line(
    'M1.5 8S4 3.800 8 3.800 14.5 8 14.5 8 12 12.200 8 12.200 1.5 8 1.5 8zM8 9.800a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600z',
  ),
  plot: line('M2 2v12h12M4.5 10.5 7 7l2.5 2L13 4.5'),
  compare: line('M5 3v10M11 3v10M2.5 6 5 3l2.5 3M8.5 10 11 13l2.5-3'),
  save: line('M8 2v8M4.800 7 8 10.200 11.200 7M2.5 13.5h11'),
  theme: svg('M8 1.5a6.5 6.5 0 1 0 0 13zM8 2.600v10.800a5.400 5.400 0 0 0 0-10.800z'),
};
