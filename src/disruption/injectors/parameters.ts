import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import * as z from 'zod';

/** Times between breakdowns, and their lengths; multiples of the reference makespan. */
export interface BreakdownParameters {
  /** Mean time between failures: of the exponential time that a machine is up. */
  readonly mtbf: number;
  /** Mean time to repair: of the exponential time that it is down. */
  readonly mttr: number;
  /** The share of breakdowns that are resumable. */
  readonly resumable: number;
}

/** Factors on durations; their mean is 1. */
export interface DurationParameters {
  /** The share of operations whose duration changes. */
  readonly rate: number;
  /** `lognormal`: spread is the deviation of the logarithm; `uniform`: factors in 1 ± spread. */
  readonly distribution: 'lognormal' | 'uniform';
  readonly spread: number;
}

/** Arrivals of jobs (Poisson), drawn from those of the instance. */
export interface ArrivalParameters {
  /** Expected number within the reference makespan, as a share of the jobs of the instance. */
  readonly rate: number;
  /** Due date: release plus this factor times the work of the job. */
  readonly tightness: number;
}

/** Delays of material. */
export interface DelayParameters {
  /** The share of operations whose material is late. */
  readonly rate: number;
  /** Mean of the exponential delay, a multiple of the reference makespan. */
  readonly mean: number;
}

/** Absences of operators and tools, in shops that have any; multiples of the reference makespan. */
export interface AbsenceParameters {
  /** Mean of the exponential time that all of a group are there. */
  readonly mtbf: number;
  /** Mean of the exponential time that one of them is away. */
  readonly mttr: number;
}

/** Machines that may do an operation from some time on. */
export interface AlternativeParameters {
  /** The share of operations that get a further machine. */
  readonly rate: number;
  /** Their duration there, a multiple of the planned one. */
  readonly factor: number;
}

/** Kinds of events to inject; omitted kinds are not injected. */
export interface InjectionParameters {
  readonly breakdowns?: BreakdownParameters | undefined;
  readonly durations?: DurationParameters | undefined;
  readonly arrivals?: ArrivalParameters | undefined;
  readonly delays?: DelayParameters | undefined;
  readonly absences?: AbsenceParameters | undefined;
  readonly alternatives?: AlternativeParameters | undefined;
}

/** The named severities, whose numbers `docs/reference/disruption.md` lists. */
export const severities = {
  light: {
    breakdowns: { mtbf: 4, mttr: 0.02, resumable: 1 },
    durations: { rate: 0.05, distribution: 'lognormal', spread: 0.1 },
    arrivals: { rate: 0.02, tightness: 2 },
    delays: { rate: 0.01, mean: 0.02 },
    absences: { mtbf: 4, mttr: 0.02 },
  },
  medium: {
    breakdowns: { mtbf: 2, mttr: 0.04, resumable: 0.8 },
    durations: { rate: 0.15, distribution: 'lognormal', spread: 0.2 },
    arrivals: { rate: 0.05, tightness: 2 },
    delays: { rate: 0.03, mean: 0.04 },
    absences: { mtbf: 2, mttr: 0.04 },
  },
  heavy: {
    breakdowns: { mtbf: 1, mttr: 0.06, resumable: 0.5 },
    durations: { rate: 0.3, distribution: 'lognormal', spread: 0.4 },
    arrivals: { rate: 0.1, tightness: 2 },
    delays: { rate: 0.05, mean: 0.06 },
    absences: { mtbf: 1, mttr: 0.06 },
  },
} as const satisfies Record<string, InjectionParameters>;

/**
 * The default numbers of each kind: those of `medium`. No severity has `alternatives`, which would make classic shops
 * flexible.
 */
export const usualParameters = {
  ...severities.medium,
  alternatives: { rate: 0.1, factor: 1.2 },
} as const satisfies InjectionParameters;

/** The name of a severity. */
export type Severity = keyof typeof severities;

const share = z.number('give a share from 0 to 1').min(0).max(1);
const positive = z.number('give a positive number').positive().max(1e6);

const PARAMETERS = z.strictObject(
  {
    breakdowns: z
      .strictObject(
        { mtbf: positive.min(1e-3), mttr: positive, resumable: share },
        'give mtbf, mttr, resumable',
      )
      .optional(),
    durations: z
      .strictObject(
        {
          rate: share,
          distribution: z.enum(['lognormal', 'uniform'], 'give lognormal or uniform'),
          spread: z.number('give 0 to 1').min(0).max(1),
        },
        'give rate, distribution, spread',
      )
      .optional(),
    arrivals: z
      .strictObject({ rate: positive.max(100), tightness: positive }, 'give rate, tightness')
      .optional(),
    delays: z.strictObject({ rate: share, mean: positive }, 'give rate, mean').optional(),
    absences: z
      .strictObject({ mtbf: positive.min(1e-3), mttr: positive }, 'give mtbf, mttr')
      .optional(),
    alternatives: z
      .strictObject({ rate: share, factor: positive.max(1000) }, 'give rate, factor')
      .optional(),
  },
  'give breakdowns, durations, arrivals, delays, absences, alternatives or some of them',
);

/**
 * The parameters of a severity, or the given ones after a check.
 *
 * @throws InputError `bad_parameter` for an unknown severity or parameter
 */
export function fillParameters(severity: Severity | InjectionParameters): InjectionParameters {
  if (typeof severity === 'string') {
    if (Object.hasOwn(severities, severity)) return severities[severity];
    const hint = `use one of ${Object.keys(severities).join(', ')}`;
    throw new InputError('bad_parameter', `there is no severity ${severity}`, hint, {}, severity);
  }
  const checked = checkJson<InjectionParameters>(PARAMETERS, severity);
  if (checked.fault === undefined) return checked.data;
  throw faultError('bad_parameter', checked.fault);
}
