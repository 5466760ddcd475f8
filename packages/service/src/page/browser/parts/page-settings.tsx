import { LANGUAGES, type Language } from '@alas-jssp/core/languages';
import { toggleTheme } from 'alas-jssp/page/parts';
import { chooseLanguage, language, texts } from '../texts.js';

/** The settings of the page: its language, and the light or dark theme. */
export function PageSettings() {
  return (
    <span class="page-settings">
      <select
        class="quiet"
        aria-label={texts.language}
        value={language}
        onChange={({ currentTarget }) => chooseLanguage(currentTarget.value as Language)}
      >
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {texts.languages[one]}
          </option>
        ))}
      </select>
      <button type="button" class="quiet" onClick={toggleTheme} aria-label={texts.theme}>
        <span aria-hidden="true">◐</span>
      </button>
    </span>
  );
}
