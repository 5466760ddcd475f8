import { InputError } from '@alas-jssp/core/errors';
import { deriveSeed } from '@alas-jssp/core/seed';
import { lowerBoundOfWork } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';
import type { DisruptionEvent } from '../event.js';
import { injectAbsences } from './absences.js';
import { injectAlternatives } from './alternatives.js';
import { injectArrivals } from './arrivals.js';
import { injectBreakdowns } from './breakdowns.js';
import { injectDelays } from './delays.js';
import { injectDurations } from './durations.js';
import { fillParameters, type InjectionParameters, type Severity } from './parameters.js';

/** The instance, and the severity and seed of its events. */
export interface InjectOptions {
  /** The instance as planned, before execution. */
  readonly instance: Instance;
  /** A named severity, or its numbers. */
  readonly severity: Severity | InjectionParameters;
  /** Derive it from (base seed, suite, instance, replicate). */
  readonly seed: number;
  /** The makespan to which all times are relative; default: the lower bound of the instance. */
  readonly reference?: number | undefined;
}

/**
 * Random events for an instance, independent of any schedule: every method under test meets the same ones. Each kind of
 * event has its own random numbers, so that one kind is the same with the others and without them.
 *
 * @returns events in the order in which they become known; of those at the same time breakdowns come first, then
 *   durations, arrivals, delays, absences and alternatives
 * @throws InputError `bad_parameter`
 */
export function injectEvents({
  instance,
  severity,
  seed,
  reference = lowerBoundOfWork(instance).value,
}: InjectOptions): DisruptionEvent[] {
  const { breakdowns, durations, arrivals, delays, absences, alternatives } =
    fillParameters(severity);
  if (!(reference >= 0 && Number.isFinite(reference))) {
    throw new InputError('bad_parameter', `the reference is ${reference}`, 'give a makespan');
  }
  if (reference === 0) return [];
  const own = deriveSeed(seed, 'disruption');
  const events: DisruptionEvent[] = [
    ...(breakdowns ? injectBreakdowns(instance, reference, breakdowns, own) : []),
    ...(durations ? injectDurations(instance, reference, durations, own) : []),
    ...(arrivals ? injectArrivals(instance, reference, arrivals, own) : []),
    ...(delays ? injectDelays(instance, reference, delays, own) : []),
    ...(absences ? injectAbsences(instance, reference, absences, own) : []),
    ...(alternatives ? injectAlternatives(instance, reference, alternatives, own) : []),
  ];
  return events.sort((a, b) => a.at - b.at);
}
