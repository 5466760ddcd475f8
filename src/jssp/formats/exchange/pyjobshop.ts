import { createCalendar, type MachineDowntime } from '../../calendar.js';
import { type Calendar, type Instance, type InstanceSpec, MAX_TIME } from '../../instance.js';
import { checkPart } from '../instance-schema.js';
import { withoutSingleModes } from '../mode-arrays.js';
import { instanceFromFile } from '../rows.js';
import type { FileSource } from '../source.js';
import { orderJobs, pyJobShopPrecedence, refusePyJobShop } from './pyjobshop-jobs.js';
import { pyJobShopResources, type ReadModes, readPyJobShopModes } from './pyjobshop-modes.js';
import { detailsOfNumbers } from './pyjobshop-numbers.js';
import { NO_LIMIT, type PyJobShopData, pyJobShopSchema } from './pyjobshop-schema.js';
import { pyJobShopSetups } from './pyjobshop-setups.js';
import { withReadingNotes } from './reading-notes.js';

/** The tasks of all operations, and the file, for errors. */
interface TaskOrder {
  readonly data: PyJobShopData;
  readonly file: string | undefined;
  /** N entries: the task of each operation. */
  readonly task: Int32Array;
  readonly jobOffset: Int32Array;
}

/**
 * Reads an instance of PyJobShop (`ProblemData.to_json`). A job's tasks become its operations, in an order that its
 * constraints allow; tasks without a job become jobs of their own.
 *
 * @throws InputError with file and JSON path of anything that is wrong, or beyond our model
 */
export function instanceFromPyJobShop(
  document: Record<string, unknown>,
  { file, name }: FileSource,
): Instance {
  const data = checkPart(pyJobShopSchema, document, [], file);
  refuseUnmodelled(data, file);
  const ordered = orderJobs(data, file);
  const task = Int32Array.from(ordered.jobs.flat());
  const jobOffset = new Int32Array(ordered.jobs.length + 1);
  for (const [j, tasks] of ordered.jobs.entries()) jobOffset[j + 1] = jobOffset[j] + tasks.length;
  const order = { data, file, task, jobOffset };
  const read = readPyJobShopModes(data, task, file);
  const { modes } = read;
  const spec: InstanceSpec = {
    name,
    machines: Math.max(1, read.machines.length),
    jobOffset,
    ...withoutSingleModes(modes),
    ...datesOf(order, ordered.predecessors, read),
    calendar: calendarOf(order, read),
    precedence: pyJobShopPrecedence(ordered),
    resources: pyJobShopResources(data, read),
    setups: pyJobShopSetups(data, task, read, file),
    names: namesOf(order, read),
  };
  return withReadingNotes(instanceFromFile(spec, file, '$'), notesOf(order, read));
}

/** Refuses what no instance of ours can have. */
function refuseUnmodelled({ resources, tasks, constraints }: PyJobShopData, file?: string): void {
  resources.forEach((resource, i) => {
    if (resource.type !== 'machine' || !resource.no_idle) return;
    const hint = 'set it to false: machines may always be idle';
    refusePyJobShop('no_idle is not modelled', hint, ['resources', i, 'no_idle'], file);
  });
  tasks.forEach((task, i) => {
    for (const key of ['optional', 'allow_idle'] as const) {
      if (!task[key]) continue;
      const hint = 'set it to false: every operation is done, and takes its duration';
      refusePyJobShop(`${key} is not modelled`, hint, ['tasks', i, key], file);
    }
  });
  for (const key of [
    'identical_resources',
    'different_resources',
    'consecutive',
    'same_sequence',
    'mode_dependencies',
    'select_all_or_none',
    'select_at_least_one',
    'select_exactly_one',
  ] as const) {
    if (constraints[key].length === 0) continue;
    const hint = 'leave it out, if schedules that break it are acceptable';
    refusePyJobShop(`the constraint ${key} is not modelled`, hint, ['constraints', key, 0], file);
  }
}

/** Releases, frozen starts, due dates, deadlines and weights. */
function datesOf(
  { data, file, task, jobOffset }: TaskOrder,
  predecessors: ReadonlyMap<number, unknown>,
  { modes }: ReadModes,
): Partial<InstanceSpec> {
  const jobs = jobOffset.length - 1;
  const release = new Int32Array(task.length);
  const frozen = new Int32Array(task.length).fill(-1);
  const deadline = new Int32Array(jobs).fill(-1);
  for (let j = 0; j < jobs; j++) {
    const job = data.jobs[j];
    if (job !== undefined && job.deadline <= MAX_TIME) deadline[j] = job.deadline;
    for (let op = jobOffset[j]; op < jobOffset[j + 1]; op++) {
      const { earliest_start, latest_start, earliest_end, latest_end } = data.tasks[task[op]];
      const path = ['tasks', task[op]];
      const isSource = !predecessors.has(task[op]);
      release[op] = Math.max(earliest_start, isSource ? (job?.release_date ?? 0) : 0);
      if (latest_start === earliest_start && modes.offset[op + 1] - modes.offset[op] === 1) {
        frozen[op] = latest_start;
        release[op] = isSource ? (job?.release_date ?? 0) : 0;
      } else if (latest_start <= MAX_TIME) {
        const hint =
          'use a deadline of the job, or the same earliest and latest start for a fixed one';
        refusePyJobShop(
          'a latest start is not modelled',
          hint,
          [...path, 'latest_start'],
          file,
          latest_start,
        );
      }
      if (earliest_end > earliest_start + modes.duration[modes.chosen[op]]) {
        const hint = 'use an earliest start';
        refusePyJobShop(
          'an earliest end is not modelled',
          hint,
          [...path, 'earliest_end'],
          file,
          earliest_end,
        );
      }
      if (latest_end > MAX_TIME) continue;
      if (jobOffset[j + 1] - jobOffset[j] > 1) {
        const hint = 'use a deadline of the job';
        refusePyJobShop(
          'a latest end of a task is not modelled',
          hint,
          [...path, 'latest_end'],
          file,
          latest_end,
        );
      }
      deadline[j] = deadline[j] < 0 ? latest_end : Math.min(deadline[j], latest_end);
    }
  }
  const due = Int32Array.from({ length: jobs }, (_, j) => dueOf(data, j, file));
  const weight = Int32Array.from({ length: jobs }, (_, j) => data.jobs[j]?.weight ?? 1);
  return { release, frozen, due, deadline, weight };
}

function dueOf({ jobs }: PyJobShopData, j: number, file?: string): number {
  const due = jobs[j]?.due_date ?? NO_LIMIT;
  if (due < 0) {
    const hint = 'give 0 or more, or null';
    refusePyJobShop(
      'a due date before time 0 is not modelled',
      hint,
      ['jobs', j, 'due_date'],
      file,
      due,
    );
  }
  return due > MAX_TIME ? -1 : due;
}

/** Downtimes from the breaks of machines, resumable if the tasks of the machine allow breaks. */
function calendarOf({ data, file, task }: TaskOrder, read: ReadModes): Calendar | null {
  const { modes, machines } = read;
  const downtimes: MachineDowntime[] = [];
  const allows: (boolean | undefined)[] = machines.map(() => undefined);
  for (let op = 0; op < task.length; op++) {
    const { allow_breaks } = data.tasks[task[op]];
    for (let mode = modes.offset[op]; mode < modes.offset[op + 1]; mode++) {
      const k = modes.machine[mode];
      if (data.resources[machines[k]].breaks.length === 0) continue;
      if (allows[k] !== undefined && allows[k] !== allow_breaks) {
        const problem = `some tasks on resource ${machines[k]} may be interrupted by its breaks and others not`;
        const hint = 'let all tasks of a machine with breaks have the same allow_breaks';
        refusePyJobShop(problem, hint, ['tasks', task[op], 'allow_breaks'], file, allow_breaks);
      }
      allows[k] = allow_breaks;
    }
  }
  for (const [machine, resource] of machines.entries()) {
    for (const [i, [from, to]] of data.resources[resource].breaks.entries()) {
      if (to <= from || to > MAX_TIME) {
        const path = ['resources', resource, 'breaks', i];
        refusePyJobShop(
          `the break is from ${from} to ${to}`,
          `end it later, by ${MAX_TIME}`,
          path,
          file,
        );
      }
      downtimes.push({ machine, from, to, resumable: allows[machine] ?? false });
    }
  }
  return downtimes.length === 0 ? null : createCalendar(machines.length, downtimes);
}

function namesOf({ data, task, jobOffset }: TaskOrder, { machines, modes, number }: ReadModes) {
  const details = detailsOfNumbers(jobOffset, modes.offset, { task, mode: number });
  return {
    jobs: Array.from({ length: jobOffset.length - 1 }, (_, j) => data.jobs[j]?.name ?? ''),
    machines: machines.length === 0 ? null : machines.map((i) => data.resources[i].name),
    operations: Array.from(task, (one) => data.tasks[one].name),
    ...(details && { details }),
  };
}

/** The parts of a file that do not change which schedules are feasible. */
function notesOf({ data, jobOffset, task }: TaskOrder, { modes }: ReadModes): string[] {
  const notes: string[] = [];
  const added = jobOffset.length - 1 - data.jobs.length;
  if (added > 0) notes.push(`tasks without a job became ${added} jobs of their own`);
  const { weight_makespan, weight_total_tardiness, ...others } = data.objective;
  const hasDue = data.jobs.some(({ due_date }) => due_date !== null && due_date < NO_LIMIT);
  const ours = hasDue ? 'total weighted tardiness' : 'makespan';
  const isOurs = hasDue
    ? weight_total_tardiness > 0 && weight_makespan === 0
    : weight_makespan > 0 && weight_total_tardiness === 0;
  if (!isOurs || Object.values(others).some((weight) => weight > 0)) {
    notes.push(
      `the objective of the file is not used: here it is the ${ours} unless you say otherwise`,
    );
  }
  if (data.modes.some(({ name }) => name !== '')) notes.push('names of modes are not kept');
  const hasZero = Array.from(task.keys()).some((op) => modes.duration[modes.chosen[op]] === 0);
  if (hasZero) notes.push('tasks of duration 0 occupy no machine here, in PyJobShop they do');
  return notes;
}
