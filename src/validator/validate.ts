import { InputError } from '../core/errors.js';
import type { Instance } from '../jssp/instance.js';
import { type Candidate, isSchedule } from '../jssp/plan.js';
import { insistOnLength } from '../jssp/schedule.js';
import { readPlan, readStarts } from './claims.js';
import { createFindings, type Findings } from './findings.js';
import { insistOnForm } from './form.js';
import { groupViolations, type ViolationGroup } from './groups.js';
import { guardBound, type KnownBound, strongestBound } from './guard.js';
import { reportOverlaps } from './overlaps.js';
import { reportTiming } from './report-timing.js';
import type { Violation, ViolationCounts } from './violation.js';
import { findWarnings, type Warning } from './warnings.js';

/** How to validate. */
export interface ValidateOptions {
  /** How many violations are listed at most (10,000 if not given); all are counted anyway. */
  readonly limit?: number;
  /** A lower bound on the makespan that someone has proven. */
  readonly bound?: KnownBound | undefined;
}

const DEFAULT_LIMIT = 10_000;

/** The judgement on a plan or a schedule. */
export interface ValidationReport {
  /** Whether nothing at all is wrong. */
  readonly valid: boolean;
  /** The latest true completion time; null unless every operation has a usable start. */
  readonly makespan: number | null;
  /** What is wrong: by code in the order of VIOLATION_CODES, then as found (see the docs). */
  readonly violations: readonly Violation[];
  /** How often each code occurs, also beyond the limit; all codes are there. */
  readonly counts: ViolationCounts;
  /** The sum of `counts`. */
  readonly total: number;
  /** Whether more was found than is listed. */
  readonly truncated: boolean;
  /** The listed violations by root cause. */
  readonly groups: readonly ViolationGroup[];
  readonly warnings: readonly Warning[];
}

/**
 * Judges a plan or a schedule by the instance alone: machines and durations are the instance's,
 * only start times are taken from the candidate, and everything else it claims is checked.
 * Time and memory are near-linear in the candidate, whatever is wrong with it.
 *
 * @throws InputError if the limit or the bound is no number, or the candidate neither a plan nor
 *   a schedule in form
 * @throws AlasError `bad_starts` if a schedule does not have one start per operation
 */
export function validate(
  instance: Instance,
  candidate: Candidate,
  { limit = DEFAULT_LIMIT, bound }: ValidateOptions = {},
): ValidationReport {
  insistOnNumbers(limit, bound);
  insistOnForm(candidate);
  const findings = createFindings(limit);
  const ends = new Int32Array(instance.operations);
  if (isSchedule(candidate)) insistOnLength(instance, candidate.start);
  const claims = isSchedule(candidate)
    ? readStarts(instance, candidate.start, findings)
    : readPlan(instance, candidate, findings);
  reportTiming(instance, claims.starts, ends, findings);
  reportOverlaps(instance, claims.starts, ends, findings);

  const latest = ends.reduce((a, b) => Math.max(a, b), 0);
  const makespan = ends.includes(-1) ? null : latest;
  const claimed = isSchedule(candidate) ? undefined : (candidate.makespan ?? undefined);
  checkMakespan(claimed, latest, makespan !== null, findings);
  guardBound(strongestBound(instance, bound, findings.total() > 0), makespan, claimed, findings);

  const violations = findings.listed();
  const total = findings.total();
  return {
    valid: total === 0,
    makespan,
    violations,
    counts: findings.counts,
    total,
    truncated: total > violations.length,
    groups: groupViolations(instance, { violations, counts: findings.counts }, claims, ends),
    warnings: findWarnings(instance, candidate, claims.starts, makespan),
  };
}

/** An incomplete plan may have claimed what its missing operations would have brought about. */
function checkMakespan(
  claimed: number | undefined,
  latest: number,
  isComplete: boolean,
  findings: Findings,
): void {
  if (claimed === undefined || claimed === latest) return;
  if (!isComplete && Number.isInteger(claimed) && claimed > latest) return;
  findings.add('wrong_makespan', () => ({
    message: `the plan claims a makespan of ${claimed}, but its last operation ends at ${latest}`,
    scope: {},
    claimed,
    makespan: latest,
  }));
}

function insistOnNumbers(limit: number, bound: KnownBound | undefined): void {
  if (!(limit >= 0)) {
    throw new InputError('bad_limit', `the limit is ${limit}`, 'give 0 or more', {}, limit);
  }
  if (bound === undefined || Number.isFinite(bound.value)) return;
  throw new InputError(
    'bad_bound',
    `the lower bound from ${bound.source} is ${bound.value}`,
    'give a finite number',
    {},
    bound.value,
  );
}
