import type { InEachLanguage } from '@alas-jssp/core/languages';
import { english, german, type Sentences } from 'alas-jssp/internal/service';

/** The sentences of the service in each of its languages. */
export const SENTENCES: InEachLanguage<Sentences> = { en: english, de: german };
