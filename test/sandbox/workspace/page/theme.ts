/** Light, dark, or as the system has it; kept by the browser. */
const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const KEY = 'theme';

export function readTheme(): Theme {
  const theme = THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'system';
  document.documentElement.dataset.theme = theme;
  return theme;
}

/** Turns to the one after this. */
export function nextTheme(theme: Theme): Theme {
  localStorage.setItem(KEY, THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system');
  return readTheme();
}
