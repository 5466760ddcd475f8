import { createRequire } from 'node:module';
import { once } from './once.js';

/** The namespace `Temporal` of TC39. */
export type TemporalLibrary = typeof import('temporal-polyfill').Temporal;

/**
 * Temporal of the platform if available, otherwise a polyfill. It is loaded on first use, because loading takes a fifth
 * of the time of a short command, and most shops have no clock.
 */
export const temporal: () => TemporalLibrary = once(
  () => createRequire(import.meta.url)('temporal-polyfill').Temporal as TemporalLibrary,
);
