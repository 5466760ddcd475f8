import type { InEachLanguage } from '@alas-jssp/core/languages';
import { germanTexts } from './de.js';
import { englishTexts, type PageTexts } from './en.js';

/** The texts of the page in each of its languages. */
export const PAGE_TEXTS: InEachLanguage<PageTexts> = { en: englishTexts, de: germanTexts };
