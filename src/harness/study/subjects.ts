import { existsSync } from 'node:fs';
import { InputError } from '@alas-jssp/core/errors';
import type { Random } from '@alas-jssp/core/random';
import { instanceChecksum } from '../../jssp/checksum.js';
import { readPlan } from '../../jssp/formats/read-plan.js';
import { type Calendar, type Instance, replaceInstance } from '../../jssp/instance.js';
import { asSchedule, type Candidate, planFromSchedule } from '../../jssp/plan.js';
import type { Planner } from '../../jssp/planner.js';
import { jobEnd, machineSequences, type Schedule } from '../../jssp/schedule.js';
import { findBenchmark, resolveSources } from '../../jssp/suites.js';
import { createPlanner, isHeuristicPlanner } from '../../pipeline/planners/planners.js';
import { validate } from '../../validator/index.js';
import type { NamedRun } from '../records/joined-runs.js';
import type { RunRecord } from '../records/record.js';
import { savedFiles } from '../run/file-names.js';
import { dueSources } from '../run/sources.js';
import { groupBy } from '../statistics/descriptive.js';

/** A valid schedule of a run, into which faults are injected. */
export interface StudySubject {
  readonly suite: string;
  readonly planner: string;
  readonly schedule: Schedule;
}

/**
 * The valid schedules of runs: for each planner on each instance (except synthetic planners) the first feasible one,
 * from its saved file or, if it was not saved, made again by its heuristic.
 *
 * @returns the schedules, and the number of those that are neither saved nor reproducible
 * @throws InputError `no_schedules` if there is none; `other_instance` if an instance has changed since
 */
export async function subjectsOf(
  runs: readonly NamedRun[],
): Promise<{ readonly subjects: StudySubject[]; readonly lost: number }> {
  const subjects: StudySubject[] = [];
  let lost = 0;
  for (const run of runs) {
    const load = instancesOf(run);
    const key = ({ instance, planner }: RunRecord) => JSON.stringify([instance, planner]);
    for (const records of groupBy(run.records, key).values()) {
      const record = records.find(({ feasible, synthetic }) => feasible && !synthetic);
      if (record === undefined) continue;
      const schedule = await scheduleOf(run, record, load(record.instance));
      if (schedule === null) lost++;
      else subjects.push({ suite: record.suite, planner: record.planner, schedule });
    }
  }
  if (subjects.length > 0) return { subjects, lost };
  const problem = 'there is no valid schedule in these runs into which faults could be put';
  throw new InputError('no_schedules', problem, 'run them with --save-schedules');
}

/** Finds the instances of a run, with their numbers at that time. */
function instancesOf({ manifest: { spec, instances } }: NamedRun): (name: string) => Instance {
  const sources = dueSources(
    spec.suite === null ? [] : resolveSources(spec.suite),
    spec.dueTightness,
  );
  return (name) => {
    const source = sources.find((one) => one.name === name) ?? findBenchmark(name);
    const instance = source && { ...source.load(), name };
    const known = instances.find((one) => one.instance === name)?.sha256;
    if (instance !== undefined && instanceChecksum(instance) === known) return instance;
    const problem = `${name} is not to be found with the numbers that it had in the run`;
    throw new InputError('other_instance', problem, 'put it back where it was', {}, name);
  };
}

async function scheduleOf(
  { directory }: NamedRun,
  record: RunRecord,
  instance: Instance,
): Promise<Schedule | null> {
  const { planner, seed, replicate, method } = record;
  const file = savedFiles(directory, record).schedule;
  let candidate: Candidate;
  if (method === null && existsSync(file)) candidate = readPlan(file, instance).plan;
  else if (isHeuristicPlanner(planner)) {
    candidate = await (createPlanner(planner) as Planner).plan(instance, { seed, replicate });
  } else return null;
  return validate(instance, candidate).valid ? asSchedule(instance, candidate) : null;
}

/** Length of the idle time that follows a machine's last operation, for downtimes. */
const AFTERWARDS = 60;

/**
 * A schedule of a shop with every kind of rule, none of which it violates: about a quarter of it in the past, releases
 * before starts, deadlines after jobs, and downtimes during idle times.
 */
export function equipAround(schedule: Schedule, random: Random): Schedule {
  const { instance, start, makespan } = schedule;
  const { jobs } = instance;
  const now = Math.ceil(makespan / 4);
  const equipped = replaceInstance(instance, {
    release: start.map((time) => {
      const earlier = Math.max(0, time - random.integer(0, 50));
      return time < now ? earlier : Math.max(earlier, now);
    }),
    frozen: start.map((time) => (time < now ? time : -1)),
    deadline: Int32Array.from({ length: jobs }, (_, job) => {
      const slack = random.integer(-20, 50);
      const last = jobEnd(schedule, job);
      if (slack < 0 || last < 0) return -1;
      return last + Math.round((slack * makespan) / 100);
    }),
    calendar: idleDowntimes(schedule, random),
  });
  return asSchedule(equipped, planFromSchedule(schedule));
}

/** A downtime in an idle time of each machine: between two of its operations, or after the last. */
function idleDowntimes(schedule: Schedule, random: Random): Calendar {
  const { instance, start, end } = schedule;
  const { machines, machineOffset } = instance;
  const sequences = machineSequences(schedule);
  const from = new Int32Array(machines);
  const to = new Int32Array(machines);
  for (let k = 0; k < machines; k++) {
    const queue = sequences.subarray(machineOffset[k], machineOffset[k + 1]);
    const last = queue.length === 0 ? 0 : Math.max(...queue.map((op) => end[op]));
    const gaps = Array.from(queue.subarray(1), (op, i) => [end[queue[i]], start[op]] as const);
    const idle = [...gaps.filter(([a, b]) => b > a), [last, last + AFTERWARDS] as const];
    [from[k], to[k]] = idle[random.integer(0, idle.length - 1)];
  }
  return {
    offset: Int32Array.from({ length: machines + 1 }, (_, k) => k),
    from,
    to,
    resumable: Uint8Array.from(from, (_, k) => k % 2),
  };
}
