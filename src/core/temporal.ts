import { createRequire } from 'node:module';
import { once } from './once.js';

/** The namespace `Temporal` of TC39. */
export type TemporalLibrary = typeof import('temporal-polyfill').Temporal;

/**
 * Temporal, of the platform where it has it, else a polyfill. It is loaded when it is first asked for: that
 * takes as long as a fifth of a short command, and most shops have no clock.
 */
export const temporal: () => TemporalLibrary = once(
  () => createRequire(import.meta.url)('temporal-polyfill').Temporal as TemporalLibrary,
);
