// Colours of the stage by day and by night.

export interface Theme {
  /** Sky at the zenith, and at the horizon where ground and sky meet. */
  zenith: string;
  horizon: string;
  ground: string;
  line: string;
  number: string;
  /** Terrain pieces (steps, ramps, heightfields): what faces up, what is steep, their edges, and the bands along drops. */
  terrain: string;
  riser: string;
  edge: string;
  nosing: string;
  hemisphere: { sky: string; ground: string; intensity: number };
  key: { color: string; intensity: number };
  rim: { color: string; intensity: number };
  com: string;
  contact: string;
  push: string;
  support: string;
  capture: string;
  ghost: string;
}

export type ThemeName = 'light' | 'dark';

export const THEMES: Record<ThemeName, Theme> = {
  light: {
    zenith: '#a9c4de',
    horizon: '#eef2f5',
    ground: '#dfe3e6',
    line: '#aab4bd',
    number: '#6d7985',
    terrain: '#d3cfc7',
    riser: '#b7aea0',
    edge: '#7d766a',
    nosing: '#a07f45',
    hemisphere: { sky: '#eaf2fb', ground: '#b9ad9e', intensity: 2.1 },
    key: { color: '#fff3e2', intensity: 2.9 },
    rim: { color: '#cfe1ff', intensity: 0.7 },
    com: '#d81b60',
    contact: '#e8590c',
    push: '#7b2ff7',
    support: '#0d9488',
    capture: '#1a6fd4',
    ghost: '#3b82c4',
  },
  dark: {
    zenith: '#0e1116',
    horizon: '#2e333a',
    ground: '#41454b',
    line: '#6c727a',
    number: '#c6cfd9',
    terrain: '#55585c',
    riser: '#46494e',
    edge: '#8a8f96',
    nosing: '#b39a68',
    hemisphere: { sky: '#c9d1dc', ground: '#6b665e', intensity: 2.3 },
    key: { color: '#fff0dd', intensity: 2.7 },
    rim: { color: '#b9d2ff', intensity: 1.8 },
    com: '#ff5c93',
    contact: '#ffa94d',
    push: '#b197fc',
    support: '#2dd4bf',
    capture: '#6cb0ff',
    ghost: '#8ec5ff',
  },
};
