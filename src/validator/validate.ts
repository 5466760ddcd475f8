import { InputError } from '@alas-jssp/core/errors';
import { describeFound, formatPath, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { horizonOf, type ProvenBound } from '../jssp/bounds.js';
import { earliestStart } from '../jssp/calendar.js';
import type { Instance } from '../jssp/instance.js';
import { type Candidate, isSchedule, type PlanEntry } from '../jssp/plan.js';
import { checkStarts } from '../jssp/schedule.js';
import { isPlain } from '../jssp/shop-parts.js';
import { afterShiftsWords, wordsOf } from '../jssp/words.js';
import { type Claims, claimsOfPlan, claimsOfSchedule } from './claims.js';
import { describeOverload } from './describe-parts.js';
import { groupViolations, type ViolationGroup } from './groups.js';
import { guardBound, strongestBound } from './guard.js';
import { reportOverlaps, reportSetups } from './overlaps.js';
import { reportTiming } from './report-timing.js';
import { countOverloads, createNeedTable } from './resource-use.js';
import { createSetupTimes } from './setups.js';
import { createTally, type ViolationTally } from './tally.js';
import type { Violation, ViolationCounts } from './violation.js';

/** Options of {@link validate}. */
export interface ValidateOptions {
  /** The limit of listed violations; default {@link LISTED_VIOLATIONS}. All are counted. */
  readonly limit?: number;
  /** A proven lower bound on the makespan. */
  readonly bound?: ProvenBound | undefined;
}

/** The default limit of listed violations. */
export const LISTED_VIOLATIONS = 10_000;

/** The verdict on a plan or a schedule. */
export interface ValidationReport {
  /** Whether there are no violations. */
  readonly valid: boolean;
  /** The latest true completion time; null unless every operation has a usable start. */
  readonly makespan: number | null;
  /** All violations: by code in the order of VIOLATION_CODES, then as found (see the docs). */
  readonly violations: readonly Violation[];
  /** Occurrences of each code, also beyond the limit; every code is a key. */
  readonly counts: ViolationCounts;
  /** The sum of `counts`. */
  readonly total: number;
  /** Whether there are more violations than listed. */
  readonly truncated: boolean;
  /** The listed violations by root cause. */
  readonly groups: readonly ViolationGroup[];
  readonly warnings: readonly Warning[];
}

/**
 * Validates a plan or a schedule by the instance alone: only start times and, where operations have several, modes are
 * taken from the candidate. Machines and durations are the instance's, and everything else it claims is checked. Time
 * and memory are near-linear in the candidate, whatever is wrong with it.
 *
 * @throws InputError if the limit or the bound is not a number, or the candidate is malformed
 * @throws AlasError `bad_starts` if a schedule does not have one start per operation
 */
export function validate(
  instance: Instance,
  candidate: Candidate,
  { limit = LISTED_VIOLATIONS, bound }: ValidateOptions = {},
): ValidationReport {
  checkNumbers(limit, bound);
  checkForm(candidate);
  const tally = createTally(limit);
  const ends = new Int32Array(instance.operations);
  if (isSchedule(candidate)) checkStarts(instance, candidate.start);
  const claims = isSchedule(candidate)
    ? claimsOfSchedule(instance, candidate, tally)
    : claimsOfPlan(instance, candidate, tally);
  reportTimes(claims, ends, instance.modes?.chosen ?? null, tally);

  const latest = ends.reduce((a, b) => Math.max(a, b), 0);
  const makespan = ends.includes(-1) ? null : latest;
  const claimed = isSchedule(candidate) ? undefined : (candidate.makespan ?? undefined);
  checkMakespan(claimed, latest, makespan !== null, tally);
  guardBound(strongestBound(instance, bound, tally.total() > 0), makespan, claimed, tally);

  const violations = tally.listed();
  const total = tally.total();
  return {
    valid: total === 0,
    makespan,
    violations,
    counts: tally.counts,
    total,
    truncated: total > violations.length,
    groups: groupViolations(claims.instance, { violations, counts: tally.counts }, claims, ends),
    warnings: findWarnings(claims.instance, candidate, claims.starts, makespan),
  };
}

/** Reports every fault in the times of operations, in the modes of the candidate. */
function reportTimes(
  { instance, starts }: Claims,
  ends: Int32Array,
  taken: Int32Array | null,
  tally: ViolationTally,
): void {
  reportTiming(instance, starts, ends, taken, tally);
  reportOverlaps(instance, starts, ends, tally);
  const setups = createSetupTimes(instance);
  if (setups !== null) reportSetups(instance, starts, ends, setups, tally);
  if (instance.resources === null) return;
  const use = createNeedTable(instance, instance.resources);
  countOverloads(instance, use, { starts, ends, setups }, Number.POSITIVE_INFINITY, (overload) =>
    tally.add('resource_overload', () => describeOverload(instance, overload)),
  );
}

/** The claim of an incomplete plan may exceed its latest end, because it may include the missing operations. */
function checkMakespan(
  claimed: number | undefined,
  latest: number,
  isComplete: boolean,
  tally: ViolationTally,
): void {
  if (claimed === undefined || claimed === latest) return;
  if (!isComplete && Number.isInteger(claimed) && claimed > latest) return;
  tally.add('wrong_makespan', () => ({
    message: `the plan claims a makespan of ${claimed}, but its last operation ends at ${latest}`,
    scope: {},
    claimed,
    makespan: latest,
  }));
}

function checkNumbers(limit: number, bound: ProvenBound | undefined): void {
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

const FIELDS = ['job', 'step', 'machine', 'start', 'end'] as const;

/**
 * Checks that a candidate has the form of a plan or a schedule. Its numbers may have any value, but they must be
 * numbers: to parse the text of a plan file use `readPlan` or `parsePlan`.
 *
 * @throws InputError `bad_candidate` with the path of a part that is missing or has the wrong type
 */
function checkForm(candidate: Candidate): void {
  if (!isObject(candidate)) throw badCandidate(candidate, [], 'give a plan or a schedule');
  if (isSchedule(candidate)) {
    if (isObject(candidate.instance)) return;
    throw badCandidate(candidate.instance, ['instance'], 'give the instance of the schedule');
  }
  const { entries, makespan } = candidate;
  if (!Array.isArray(entries)) throw badCandidate(entries, ['entries'], 'give a list of entries');
  for (let i = 0; i < entries.length; i++) checkEntry(entries[i], i);
  if (makespan !== undefined && makespan !== null && typeof makespan !== 'number') {
    throw badCandidate(makespan, ['makespan'], 'give a number or leave it out');
  }
}

function checkEntry(entry: PlanEntry, i: number): void {
  if (!isObject(entry)) {
    const hint = `give an object with the numbers ${FIELDS.join(', ')}`;
    throw badCandidate(entry, ['entries', i], hint);
  }
  const { job, step, machine, start, end } = entry;
  // The usual case, numbers only, is checked first.
  const isRight =
    typeof job === 'number' &&
    typeof step === 'number' &&
    typeof machine === 'number' &&
    typeof start === 'number' &&
    typeof end === 'number';
  if (isRight && (entry.mode === undefined || typeof entry.mode === 'number')) return;
  const field = FIELDS.find((name) => typeof entry[name] !== 'number') ?? 'mode';
  throw badCandidate(
    entry[field],
    ['entries', i, field],
    'give a number, counted from 0, or parse what files hold with parsePlan',
  );
}

function badCandidate(found: unknown, path: JsonPath, hint: string): InputError {
  return new InputError(
    'bad_candidate',
    describeFound(found),
    hint,
    { path: formatPath(path) },
    found,
  );
}

/** A suspicious property that violates no rule. */
export interface Warning {
  readonly code: 'other_instance' | 'idle_start' | 'beyond_horizon' | 'after_shifts';
  readonly message: string;
}

/**
 * Finds signs of a mistake: a schedule made for an instance with another name, a plan that lets every machine idle at
 * first, a plan longer than the sum of all work, work after all known shifts.
 *
 * @param starts N start times
 * @param makespan null for an incomplete schedule, for which only the instance is checked
 */
function findWarnings(
  instance: Instance,
  candidate: Candidate,
  starts: Int32Array,
  makespan: number | null,
): Warning[] {
  const warnings: Warning[] = [];
  if (isSchedule(candidate) && candidate.instance.name !== instance.name) {
    warnings.push({
      code: 'other_instance',
      message: `the schedule was made for ${candidate.instance.name}, not for ${instance.name}`,
    });
  }
  if (makespan === null || instance.operations === 0) return warnings;
  const first = starts.reduce((a, b) => Math.min(a, b));
  const earliest = earliestFirstStart(instance);
  if (isPlain(instance) && first > earliest) {
    const { time } = wordsOf(instance);
    warnings.push({
      code: 'idle_start',
      message: `nothing starts before ${time(first)}, but work could start at ${time(earliest)}`,
    });
  }
  const horizon = horizonOf(instance);
  if (makespan > horizon) {
    warnings.push({
      code: 'beyond_horizon',
      message: `the makespan of ${makespan} is longer than doing everything one after the other (${horizon})`,
    });
  }
  const after = afterShiftsWords(instance, makespan);
  if (after !== undefined) warnings.push({ code: 'after_shifts', message: after });
  return warnings;
}

function earliestFirstStart(instance: Instance): number {
  const { jobs, jobOffset } = instance;
  let earliest = Number.POSITIVE_INFINITY;
  for (let job = 0; job < jobs; job++) {
    if (jobOffset[job] === jobOffset[job + 1]) continue;
    earliest = Math.min(earliest, earliestStart(instance, jobOffset[job], 0));
  }
  return earliest;
}
