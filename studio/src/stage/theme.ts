// Colours of the stage by day and by night.

export interface Theme {
  /** Sky at the zenith, and at the horizon where ground and sky meet. */
  zenith: string;
  horizon: string;
  ground: string;
  line: string;
  number: string;
  /** Terrain pieces: steps, ramps, heightfields. */
  terrain: string;
  hemisphere: { sky: string; ground: string; intensity: number };
  key: { color: string; intensity: number };
  rim: { color: string; intensity: number };
  com: string;
  contact: string;
  push: string;
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
    hemisphere: { sky: '#eaf2fb', ground: '#b9ad9e', intensity: 2.1 },
    key: { color: '#fff3e2', intensity: 2.9 },
    rim: { color: '#cfe1ff', intensity: 0.7 },
    com: '#d81b60',
    contact: '#e8590c',
    push: '#7b2ff7',
  },
  dark: {
    zenith: '#0b1018',
    horizon: '#1d2633',
    ground: '#232c38',
    line: '#4a596b',
    number: '#8fa1b5',
    terrain: '#3b4654',
    hemisphere: { sky: '#8ba6c9', ground: '#2a2622', intensity: 1.3 },
    key: { color: '#ffe9cf', intensity: 2.5 },
    rim: { color: '#7fb0ff', intensity: 1.6 },
    com: '#ff5c93',
    contact: '#ffa94d',
    push: '#b197fc',
  },
};
