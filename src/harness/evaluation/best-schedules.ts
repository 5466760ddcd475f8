import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readPlan } from '../../jssp/formats/read-plan.js';
import type { Instance } from '../../jssp/instance.js';
import { objectiveValue } from '../../jssp/objectives.js';
import { asSchedule } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { validate } from '../../validator/index.js';
import type { NamedRun } from '../records/joined-runs.js';
import { isExecuted, type RunRecord } from '../records/record.js';
import { savedFiles } from '../run/file-names.js';
import { openRunSource } from '../run/run-source.js';
import { groupBy } from '../statistics/descriptive.js';
import { finalValue, problemOf } from './curve.js';

/** The best saved schedule of an instance that agrees with its record. */
export interface BestSchedule {
  readonly record: RunRecord;
  readonly value: number;
  /** Value of the best record, also where its schedule was not saved. */
  readonly best: number;
  readonly schedule: Schedule;
}

/** The best saved schedules of runs, and one line for each schedule that was skipped. */
export interface BestSchedules {
  readonly schedules: readonly BestSchedule[];
  /** Schedules that would have been the best but were not saved. */
  readonly missing: readonly string[];
  /** Schedules that disagree with their records. */
  readonly refused: readonly string[];
}

/** A record and the directory of its run. */
interface ScoredRecord {
  readonly run: NamedRun;
  readonly record: RunRecord;
  readonly value: number;
}

/**
 * Finds the best saved schedule of each instance in the directories of runs. The validator checks each one again: it is
 * the first schedule of the smallest value that was saved, is feasible and has the makespan in its record.
 *
 * @throws InputError if an instance is not found or has changed since
 */
export function bestSchedules(runs: readonly NamedRun[]): BestSchedules {
  const candidates = runs.flatMap((run) =>
    run.records.flatMap((record): ScoredRecord[] => {
      const value = finalValue(record);
      const isPlan = !record.synthetic && record.method === null && !isExecuted(record);
      return isPlan && value !== null ? [{ run, record, value }] : [];
    }),
  );
  const schedules: BestSchedule[] = [];
  const missing: string[] = [];
  const refused: string[] = [];
  const sources = new Map(runs.map((run) => [run, openRunSource(directoryOf(run), run.manifest)]));
  for (const some of groupBy(candidates, ({ record }) => problemOf(record)).values()) {
    const ascending = some.toSorted((a, b) => a.value - b.value);
    const best = ascending[0].value;
    for (const candidate of ascending) {
      const { run, record, value } = candidate;
      const found = read(candidate, () => sources.get(run)?.instance(record.instance) as Instance);
      if (typeof found !== 'string') {
        schedules.push({ record, value, best, schedule: found });
        break;
      }
      const line = `${record.instance} by ${record.planner} (${value}): ${found}`;
      if (found === NOT_SAVED) missing.push(line);
      else refused.push(line);
    }
  }
  return { schedules, missing, refused };
}

const NOT_SAVED = 'not saved';

/** The schedule of a record, or the reason why it cannot be used. */
function read({ run, record, value }: ScoredRecord, load: () => Instance): Schedule | string {
  const file = savedFiles(directoryOf(run), record).schedule;
  if (!existsSync(file)) return NOT_SAVED;
  const instance = load();
  const { plan } = readPlan(file, instance);
  const { valid, makespan, violations } = validate(instance, plan, { limit: 1 });
  if (!valid) return `the validator refuses ${file}: ${violations[0].message}`;
  const schedule = asSchedule(instance, plan);
  const found = objectiveValue(schedule, record.objective);
  if (makespan === record.makespan && found === value) return schedule;
  return `${file} has the makespan ${makespan} and the value ${found}, its record ${record.makespan} and ${value}`;
}

function directoryOf({ directory }: NamedRun): string {
  return statSync(directory).isFile() ? dirname(directory) : directory;
}
