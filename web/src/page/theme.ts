// Light or dark: the system's choice, or the person's.
import { signal } from '@preact/signals';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const NAME = 'bindery-theme';

function kept(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(NAME)) ?? 'auto';
  } catch {
    return 'auto';
  }
}

export const theme = signal<Theme>(kept());

export function useTheme(chosen: Theme): void {
  theme.value = chosen;
  document.documentElement.dataset.theme = chosen;
  try {
    localStorage.setItem(NAME, chosen);
  } catch {
    // It then lasts as long as the page does.
  }
}
