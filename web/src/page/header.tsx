import type { ComponentChildren } from 'preact';
import { type Language, language, t, useLanguage } from '../strings.ts';
import { THEMES, type Theme, theme, useTheme } from './theme.ts';

const THEME_NAMES = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' } as const;

/** The same on both pages: the name, where to go, language and colours. */
export function Header({ isExplorer, children }: { isExplorer: boolean; children: ComponentChildren }) {
  return (
    <header class="header">
      <a class="brand" href="/">
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <rect width="32" height="32" rx="7" class="brand-ground" />
          <path d="M9 7h10a5 5 0 0 1 2.6 9.3A5.3 5.3 0 0 1 19.5 26H9z" class="brand-letter" />
          <path d="M13 11.2h5.4a2 2 0 0 1 0 4H13zm0 7.2h6a2.3 2.3 0 0 1 0 4.4h-6z" class="brand-ground" />
        </svg>
        <h1>Bindery</h1>
      </a>
      <nav aria-label="Bindery">
        <a href="/" aria-current={isExplorer ? undefined : 'page'}>
          {t('workbench')}
        </a>
        <a href="/docs" aria-current={isExplorer ? 'page' : undefined}>
          {t('apiExplorer')}
        </a>
      </nav>
      <div class="header-tools">
        {children}
        <select
          aria-label={t('language')}
          value={language.value}
          onChange={({ currentTarget }) => useLanguage(currentTarget.value as Language)}
        >
          <option value="en">English</option>
          <option value="de">Deutsch</option>
        </select>
        <select
          aria-label={t('theme')}
          value={theme.value}
          onChange={({ currentTarget }) => useTheme(currentTarget.value as Theme)}
        >
          {THEMES.map((each) => (
            <option key={each} value={each}>
              {t(THEME_NAMES[each])}
            </option>
          ))}
        </select>
      </div>
    </header>
  );
}
