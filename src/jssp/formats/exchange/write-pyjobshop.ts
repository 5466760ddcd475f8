import { InputError } from '@alas-jssp/core/errors';
import { downtimesOf } from '../../calendar.js';
import type { Instance } from '../../instance.js';
import { eachPredecessor, modesOf, setupTime, WORK_PHASE } from '../../shop-parts.js';
import { pyJobShopLosses, transportBetween } from './pyjobshop-losses.js';
import { pyJobShopNumbers } from './pyjobshop-numbers.js';
import { NO_LIMIT } from './pyjobshop-schema.js';
import type { WrittenInstance } from './write-job-shop-lib.js';

/**
 * Writes an instance as PyJobShop reads it: `ProblemData.from_json(file.read())`.
 *
 * @throws InputError `not_expressible` for an instance without operations: a problem of PyJobShop has tasks
 */
export function writePyJobShop(instance: Instance): WrittenInstance {
  if (instance.operations === 0) {
    const problem = `${instance.name} has no operations, and a problem of PyJobShop has tasks`;
    throw new InputError('not_expressible', problem, 'write it as JSON');
  }
  const numbers = pyJobShopNumbers(instance);
  const data = {
    jobs: jobsOf(instance, numbers.task),
    resources: [...machinesOf(instance), ...renewablesOf(instance)],
    tasks: tasksOf(instance, numbers.task),
    modes: modesIn(instance, numbers),
    constraints: {
      end_before_start: delaysOf(instance, numbers.task),
      start_before_end: greatestLagsOf(instance, numbers.task),
      setup_times: setupsIn(instance, numbers.task),
    },
    objective: objectiveIn(instance),
  };
  const parts = Object.entries(data).map(([key, value]) =>
    Array.isArray(value) ? `"${key}":${linesOf(value)}` : `"${key}":${objectOf(value)}`,
  );
  return { text: `{${parts.join(',\n')}}\n`, losses: pyJobShopLosses(instance) };
}

/** A list as JSON with an entry in each line. */
function linesOf(list: readonly unknown[]): string {
  if (list.length === 0) return '[]';
  return `[\n${list.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
}

function objectOf(value: object): string {
  const parts = Object.entries(value).map(
    ([key, item]) => `"${key}":${Array.isArray(item) ? linesOf(item) : JSON.stringify(item)}`,
  );
  return `{${parts.join(',\n')}}`;
}

/** The values of all items in the order of their numbers. */
function inOrder<T>(numbers: Int32Array, describe: (item: number) => T): T[] {
  const list = new Array<T>(numbers.length);
  for (const [item, number] of numbers.entries()) list[number] = describe(item);
  return list;
}

/** Whether all jobs have due dates that count: then the objective is about them. */
const hasDueDates = ({ due }: Instance) => due !== null;

function jobsOf(instance: Instance, task: Int32Array) {
  const { jobs, jobOffset, release, precedence, weight, due, deadline, names } = instance;
  const every = Array.from({ length: jobs }, (_, job) => {
    const first = jobOffset[job];
    return {
      weight: weight?.[job] ?? 1,
      release_date: precedence === null && instance.frozen === null ? (release?.[first] ?? 0) : 0,
      deadline: dateOr(deadline?.[job], NO_LIMIT),
      // PyJobShop wants a due date of each job if one counts: this one is never missed.
      due_date: dateOr(due?.[job], hasDueDates(instance) ? NO_LIMIT : null),
      tasks: Array.from(task.subarray(first, jobOffset[job + 1])),
      name: names?.jobs?.[job] ?? '',
    };
  });
  return every.filter(({ tasks }) => tasks.length > 0);
}

function dateOr<T>(date: number | undefined, otherwise: T): number | T {
  return date === undefined || date < 0 ? otherwise : date;
}

function machinesOf({ machines, calendar, names }: Instance) {
  return Array.from({ length: machines }, (_, machine) => ({
    breaks: downtimesOf(calendar, machine).map(({ from, to }) => [from, to]),
    no_idle: false,
    name: names?.machines?.[machine] ?? '',
    type: 'machine',
  }));
}

function renewablesOf({ resources }: Instance) {
  if (resources === null) return [];
  const { count, capacity, names, calendar } = resources;
  return Array.from({ length: count }, (_, i) => {
    const breaks: number[][] = [];
    if (calendar !== null) {
      for (let k = calendar.offset[i]; k < calendar.offset[i + 1]; k++) {
        if (calendar.amount[k] === 0) breaks.push([calendar.from[k], calendar.to[k]]);
      }
    }
    return { capacity: capacity[i], breaks, name: names?.[i] ?? '', type: 'renewable' };
  });
}

function tasksOf(instance: Instance, task: Int32Array) {
  const { jobOf, jobOffset, jobs, frozen, release, names, calendar, precedence } = instance;
  const isInJob = precedence === null && frozen === null;
  // Jobs without operations are not written.
  const jobNumber = new Int32Array(jobs);
  for (let j = 1; j < jobs; j++) {
    jobNumber[j] = jobNumber[j - 1] + (jobOffset[j - 1] < jobOffset[j] ? 1 : 0);
  }
  const interrupts = Array.from({ length: instance.machines }, (_, k) =>
    downtimesOf(calendar, k).some(({ resumable }) => resumable),
  );
  return inOrder(task, (op) => {
    const start = frozen?.[op] ?? -1;
    const isFirst = isInJob && op === jobOffset[jobOf[op]];
    const earliest = isFirst ? 0 : (release?.[op] ?? 0);
    const [first, stop] = modesOf(instance, op);
    const machines = (instance.modes?.machine ?? instance.machine).subarray(first, stop);
    return {
      job: jobNumber[jobOf[op]],
      earliest_start: start >= 0 ? start : earliest,
      latest_start: start >= 0 ? start : NO_LIMIT,
      earliest_end: 0,
      latest_end: NO_LIMIT,
      allow_idle: false,
      allow_breaks: machines.some((k) => interrupts[k]),
      optional: false,
      name: names?.operations?.[op] ?? '',
    };
  });
}

function modesIn(
  instance: Instance,
  numbers: { readonly task: Int32Array; readonly mode: Int32Array },
) {
  const { modes, machine, duration, resources, machines, operations } = instance;
  const opOf = new Int32Array(numbers.mode.length);
  for (let op = 0; op < operations; op++) opOf.fill(op, ...modesOf(instance, op));
  return inOrder(numbers.mode, (mode) => {
    const needs: [number, number][] = [];
    if (resources !== null) {
      for (let i = resources.needOffset[mode]; i < resources.needOffset[mode + 1]; i++) {
        if (resources.needPhase[i] !== WORK_PHASE) continue;
        needs.push([machines + resources.needResource[i], resources.needAmount[i]]);
      }
    }
    return {
      task: numbers.task[opOf[mode]],
      resources: [(modes?.machine ?? machine)[mode], ...needs.map(([resource]) => resource)],
      duration: (modes?.duration ?? duration)[mode],
      demands: [0, ...needs.map(([, amount]) => amount)],
      name: '',
    };
  });
}

/** The least times between tasks, with transport. */
function delaysOf(instance: Instance, task: Int32Array) {
  const list: { task1: number; task2: number; delay: number }[] = [];
  for (let op = 0; op < instance.operations; op++) {
    eachPredecessor(instance, op, (before, minLag) => {
      const delay = minLag + transportBetween(instance, before, op).least;
      list.push({ task1: task[before], task2: task[op], delay });
    });
  }
  return list;
}

/** The greatest times between tasks: `start(v) ≤ end(u) + lag` as "v starts before the end of u, plus a negative delay". */
function greatestLagsOf(instance: Instance, task: Int32Array) {
  const list: { task1: number; task2: number; delay: number }[] = [];
  for (let op = 0; op < instance.operations; op++) {
    eachPredecessor(instance, op, (before, _, maxLag) => {
      if (maxLag < 0) return;
      const delay = -(maxLag + transportBetween(instance, before, op).most);
      list.push({ task1: task[op], task2: task[before], delay: delay === 0 ? 0 : delay });
    });
  }
  return list;
}

/** Setup times of all pairs of tasks on a machine, also of a task after itself: this keeps families together. */
function setupsIn(instance: Instance, task: Int32Array) {
  const { setups, machines, operations, modes, machine } = instance;
  const list: { machine: number; task1: number; task2: number; duration: number }[] = [];
  if (setups === null) return list;
  for (let k = 0; k < machines; k++) {
    if (setups.matrixOf[k] < 0) continue;
    const on: number[] = [];
    for (let op = 0; op < operations; op++) {
      const [first, stop] = modesOf(instance, op);
      if ((modes?.machine ?? machine).subarray(first, stop).includes(k)) on.push(op);
    }
    for (const before of on) {
      for (const op of on) {
        const duration = setupTime(instance, k, before, op);
        if (duration > 0) list.push({ machine: k, task1: task[before], task2: task[op], duration });
      }
    }
  }
  return list;
}

function objectiveIn(instance: Instance) {
  return hasDueDates(instance) ? { weight_total_tardiness: 1 } : { weight_makespan: 1 };
}
