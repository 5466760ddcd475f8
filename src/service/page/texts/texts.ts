import type { InEachLanguage } from '../../../core/languages.js';
import { germanTexts } from './de.js';
import { englishTexts } from './en.js';

/** The texts of the page in a language. */
export type PageTexts = typeof englishTexts;

/** The texts of the page in each of its languages. */
export const PAGE_TEXTS: InEachLanguage<PageTexts> = { en: englishTexts, de: germanTexts };
