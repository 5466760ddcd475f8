import { relative, sep } from 'node:path';
import { sha256 } from '@alas-jssp/core/sha256';
import { lowerBound } from '../../jssp/bounds.js';
import { parsePlanJson } from '../../jssp/formats/plan-json.js';
import type { Instance } from '../../jssp/instance.js';
import { boundsFor } from '../../jssp/suites.js';
import { validate } from '../../validator/index.js';
import { measureQuality, type RecordIdentity } from '../records/record.js';
import { savedFiles } from '../run/file-names.js';
import type { FilledRunSpec } from '../run/spec.js';
import { RECORDS } from '../run/stored-run.js';
import type { LeaderboardResult } from './entry.js';
import type { FaultList } from './faults.js';
import { parseSubmittedJson } from './parse-submitted.js';
import type { SubmissionFolder } from './submission-folder.js';
import { MAX_MEMBERS, type SubmittedRecord } from './submitted-run.js';

/** An instance of a submission with its checksum and the best bounds known here. */
export interface SubmittedInstance {
  readonly instance: Instance;
  readonly sha256: string;
  readonly lower: number;
  readonly upper: number | null;
}

/** Adds the best bounds to an instance: computed here, or of the literature. */
export function withBounds(instance: Instance, checksum: string): SubmittedInstance {
  const known = boundsFor(instance);
  const lower = Math.max(lowerBound(instance).value, known?.lower ?? 0);
  return { instance, sha256: checksum, lower, upper: known?.upper ?? null };
}

/**
 * Judges a record of a submission: its schedule, and that it claims no more than that shows.
 *
 * @param spec what the run was asked for
 * @param saved whether the schedules are saved
 * @returns its result, measured by the bounds of this package
 */
export function judgeRecord(
  folder: SubmissionFolder,
  submitted: SubmittedRecord,
  problem: SubmittedInstance,
  { spec, saved }: { readonly spec: FilledRunSpec; readonly saved: boolean },
  faults: FaultList,
): LeaderboardResult {
  const { record, line } = submitted;
  checkClaims(submitted, problem, faults);
  const schedule =
    saved && record.feasible ? judgeSchedule(folder, submitted, problem, faults) : null;
  if (schedule !== null && schedule.makespan !== record.makespan) {
    const problem = `the makespan is ${schedule.makespan}, but the record states ${record.makespan}`;
    faults.add(RECORDS, line, problem);
  }
  const makespan = record.feasible ? record.makespan : null;
  const bounds = { lower_bound: problem.lower, upper_bound: problem.upper };
  const { gap_percent, proven_optimal } = measureQuality(makespan, bounds);
  const { instance, planner, variant, replicate, status, tokens, cost_usd, seconds } = record;
  return {
    instance,
    sha256: problem.sha256,
    planner,
    variant,
    replicate,
    status,
    makespan,
    ...bounds,
    gap_percent,
    proven_optimal,
    feasible_before_repair: spec.repair ? (record.stages.plan?.feasible ?? null) : null,
    schedule_sha256: schedule?.sha256 ?? null,
    seconds: seconds.total,
    tokens,
    cost_usd,
  };
}

/** By how much percentages may differ that were computed in another way. */
const ROUNDING = 1e-6;

/** Checks what a record claims without a look at its schedule. */
function checkClaims(
  { record, line }: SubmittedRecord,
  { instance, lower, upper }: SubmittedInstance,
  faults: FaultList,
): void {
  const fault = (problem: string) => faults.add(RECORDS, line, problem);
  const { feasible, status, makespan, jobs, machines } = record;
  if (jobs !== instance.jobs || machines !== instance.machines) {
    fault(`it has ${jobs} jobs and ${machines} machines, but the instance has others`);
  }
  if (record.objective !== 'makespan') fault('the objective is not the makespan');
  if (record.synthetic) fault('the planner is synthetic, so its plans are no results');
  if (feasible !== (status === 'ok') || feasible !== (makespan !== null)) {
    fault('status, feasible and makespan contradict each other');
  }
  if (record.lower_bound > lower) {
    fault(`it states a lower bound of ${record.lower_bound}, but ${lower} is known`);
  }
  if (record.proven_optimal && makespan !== lower) {
    fault(`it claims a proof of optimality, but the known lower bound is ${lower}`);
  }
  // Also with an upper bound of its own, above the known one: that would be a smaller gap for the same makespan.
  const known = measureQuality(makespan, { lower_bound: lower, upper_bound: upper });
  const shown = (percent: number | null) => (percent === null ? 'none' : `${percent.toFixed(2)} %`);
  const claims = (what: string, stated: number | null, due: number | null, sign: 1 | -1) => {
    if (stated === null || (due !== null && sign * (stated - due) <= ROUNDING)) return;
    fault(
      `it states ${what} of ${shown(stated)}, but makespan and known bounds show ${shown(due)}`,
    );
  };
  claims('a gap', record.gap_percent, known.gap_percent, -1);
  claims('an optimality', record.optimality_percent, known.optimality_percent, 1);
}

/** Judges the schedule of a record; null if it does not hold. */
function judgeSchedule(
  folder: SubmissionFolder,
  { record, line }: SubmittedRecord,
  { instance }: SubmittedInstance,
  faults: FaultList,
): { readonly makespan: number | null; readonly sha256: string } | null {
  const file = scheduleFile(folder, record);
  const judged = faults.attempt(file, null, () => {
    const bytes = folder.read(file);
    if (bytes === undefined) {
      faults.add(RECORDS, line, `success without a schedule: there is no ${file}`);
      return null;
    }
    parseSubmittedJson(bytes, MAX_MEMBERS);
    const { plan, instance: name } = parsePlanJson(bytes, file, instance);
    if (name !== undefined && name !== record.instance) {
      faults.add(file, null, `the schedule is of ${name}, not of ${record.instance}`);
    }
    const { valid, makespan, violations } = validate(instance, plan, { limit: 1 });
    if (valid) return { makespan, sha256: sha256(bytes) };
    faults.add(file, null, `the validator refuses it: ${violations[0].message}`);
    return null;
  });
  return judged ?? null;
}

/** The file of a record's schedule, relative to the folder. */
export function scheduleFile({ directory }: SubmissionFolder, record: RecordIdentity): string {
  return relative(directory, savedFiles(directory, record).schedule).split(sep).join('/');
}
