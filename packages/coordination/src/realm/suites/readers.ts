import { generateDisruptedRides, generateRides } from '../day/generate-rides.js';
import {
  DINNER_COMPLETIONS,
  readDinner,
  readWedding,
  WEDDING_COMPLETIONS,
} from '../day/read-gathering.js';
import { readRides } from '../day/read-rides.js';
import { generateGroups, readGroups } from '../groups/read-groups.js';
import { generateRelief } from '../relief/generate-relief.js';
import { RELIEF_COMPLETIONS, readRelief } from '../relief/read-relief.js';
import { generateSupply } from '../supply/generate-supply.js';
import { readSupply, SUPPLY_COMPLETIONS } from '../supply/read-supply.js';
import { generateTour } from '../tour/generate-tour.js';
import { readTour, TOUR_COMPLETIONS } from '../tour/read-tour.js';
import type { RealmSuite, SuiteReader } from './suite.js';

/** The readers of the suites. */
export const SUITE_READERS: Readonly<Record<RealmSuite, SuiteReader>> = {
  'realm-p1': {
    title: 'campus tour with time windows',
    completions: TOUR_COMPLETIONS,
    read: readTour,
    generate: generateTour,
  },
  'realm-p2': {
    title: 'campus tours of several groups',
    completions: [],
    read: readGroups,
    generate: generateGroups,
  },
  'realm-p3': {
    title: 'ride sharing',
    completions: [],
    read: readRides,
    generate: generateRides,
  },
  'realm-p4': {
    title: 'ride sharing with disruptions',
    completions: [],
    read: readRides,
    generate: generateDisruptedRides,
  },
  'realm-p5': { title: 'wedding', completions: WEDDING_COMPLETIONS, read: readWedding },
  'realm-p6': { title: 'dinner', completions: DINNER_COMPLETIONS, read: readDinner },
  'realm-p7': {
    title: 'disaster relief with disruptions',
    completions: RELIEF_COMPLETIONS,
    read: readRelief,
    generate: generateRelief,
  },
  'realm-p8': {
    title: 'wedding with disruptions',
    completions: WEDDING_COMPLETIONS,
    read: readWedding,
  },
  'realm-p9': {
    title: 'dinner with delayed flights',
    completions: DINNER_COMPLETIONS,
    read: readDinner,
  },
  'realm-p10': {
    title: 'supply chain with disruptions',
    completions: SUPPLY_COMPLETIONS,
    read: readSupply,
    generate: generateSupply,
  },
};
