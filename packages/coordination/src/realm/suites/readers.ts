import { generateTour } from '../tour/generate-tour.js';
import { readTour, TOUR_COMPLETIONS } from '../tour/read-tour.js';
import type { RealmSuite, SuiteReader } from './suite.js';

/** The readers of the suites. */
export const SUITE_READERS: Readonly<Partial<Record<RealmSuite, SuiteReader>>> = {
  'realm-p1': {
    title: 'campus tour with time windows',
    completions: TOUR_COMPLETIONS,
    read: readTour,
    generate: generateTour,
  },
};
