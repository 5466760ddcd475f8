import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readPlan } from '../../jssp/formats/read-plan.js';
import type { Instance } from '../../jssp/instance.js';
import { objectiveValue } from '../../jssp/objectives.js';
import { asSchedule } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { validate } from '../../validator/index.js';
import { openRunSource } from '../page/run-source.js';
import type { NamedRun } from '../records/joined-runs.js';
import { isExecuted, type RunRecord } from '../records/record.js';
import { savedFiles } from '../run/file-names.js';
import { groupBy } from '../statistics/descriptive.js';
import { finalValue, problemOf } from './curve.js';

/** The best schedule of an instance that lies beside its record and is what the record says. */
export interface BestSchedule {
  readonly record: RunRecord;
  readonly value: number;
  /** Value of the best record, also where its schedule was not saved. */
  readonly best: number;
  readonly schedule: Schedule;
}

/** The best saved schedules of runs, and lines on those that were passed over. */
export interface BestSchedules {
  readonly schedules: readonly BestSchedule[];
  /** Schedules that were not saved and would have been the best. */
  readonly missing: readonly string[];
  /** Schedules that are not what their records say. */
  readonly refused: readonly string[];
}

/** A record and where its run lies. */
interface Candidate {
  readonly run: NamedRun;
  readonly record: RunRecord;
  readonly value: number;
}

/**
 * Finds the best schedule of each instance in the folders of runs, judged again by the validator: the first of
 * the smallest value that was saved and is feasible with the makespan that its record states.
 *
 * @throws InputError if an instance is not to be found, or has changed since
 */
export function bestSchedules(runs: readonly NamedRun[]): BestSchedules {
  const candidates = runs.flatMap((run) =>
    run.records.flatMap((record): Candidate[] => {
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

/** The schedule of a record, or why it is none. */
function read({ run, record, value }: Candidate, load: () => Instance): Schedule | string {
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
