import { isLanguage, type Language, preferredLanguage } from '@alas-jssp/core/languages';
import type { PageTexts } from '../texts/en.js';
import { PAGE_TEXTS } from '../texts/texts.js';

/** The storage key of the language that the user chose. */
const KEY = 'alas-jssp-language';

/** The language of the page: the last choice of the user, else the language that the browser requested. */
export const language: Language =
  chosenLanguage() ??
  preferredLanguage([typeof document === 'undefined' ? '' : document.documentElement.lang]);

/** The texts of the page in its language. */
export const texts: PageTexts = PAGE_TEXTS[language];

/** Sets the language and the title of the document. */
export function markLanguage(): void {
  document.documentElement.lang = texts.locale;
  document.title = texts.title;
}

/** Stores a language, and reloads the page in it. */
export function chooseLanguage(chosen: Language): void {
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Without storage the page keeps the language of the browser.
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
