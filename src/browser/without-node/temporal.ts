import type { TemporalLibrary } from '@alas-jssp/core/temporal';
import { Temporal } from 'temporal-polyfill';

/** The namespace `Temporal` of TC39, from a polyfill: not every browser has it. */
export const temporal = (): TemporalLibrary => Temporal;
