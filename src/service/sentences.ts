import type { InEachLanguage } from '@alas-jssp/core/languages';
import { english, type Sentences } from '../jssp/sentences/english.js';
import { german } from '../jssp/sentences/german.js';

/** The sentences of the service in each of its languages. */
export const SENTENCES: InEachLanguage<Sentences> = { en: english, de: german };
