import { isLanguage, type Language, preferredLanguage } from '../../../core/languages.js';
import type { PageTexts } from '../texts/en.js';
import { PAGE_TEXTS } from '../texts/texts.js';

/** Where the language that the reader chose is kept. */
const KEY = 'alas-jssp-language';

/** The language of the page: the one that the reader chose last, else the one that the browser asked the service for. */
export const language: Language =
  chosenLanguage() ??
  preferredLanguage([typeof document === 'undefined' ? '' : document.documentElement.lang]);

/** The texts of the page in its language. */
export const texts: PageTexts = PAGE_TEXTS[language];

/** Has the page say which language it is in. */
export function markLanguage(): void {
  document.documentElement.lang = texts.locale;
  document.title = texts.title;
}

/** Keeps another language, and shows the page in it. */
export function chooseLanguage(chosen: Language): void {
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Without storage the page stays in the language of the browser.
  }
  location.reload();
}

function chosenLanguage(): Language | null {
  try {
    const stored = localStorage.getItem(KEY);
    return isLanguage(stored) ? stored : null;
  } catch {
    return null;
  }
}
