import { InputError } from '@alas-jssp/core/errors';
import { formatPath, type JsonPath } from '@alas-jssp/core/json-path';
import type { Precedence } from '../../shop-parts.js';
import type { PyJobShopData } from './pyjobshop-schema.js';

/** An error of a file of PyJobShop that is beyond our model, or contradicts itself. */
export function refusePyJobShop(
  problem: string,
  hint: string,
  path: JsonPath,
  file: string | undefined,
  value?: unknown,
): never {
  throw new InputError('bad_instance', problem, hint, { file, path: formatPath(path) }, value);
}

/** A constraint between two tasks: the least and the greatest time between them, −1 for none. */
interface Lags {
  min: number;
  max: number;
}

/** The predecessors of each task, by their numbers. */
type Predecessors = ReadonlyMap<number, Map<number, Lags>>;

/** The tasks of each job in an order that all constraints allow, and those constraints. */
export interface OrderedJobs {
  /** For each job its tasks; jobs beyond those of the file are made of tasks without a job. */
  readonly jobs: readonly (readonly number[])[];
  readonly predecessors: Predecessors;
}

/** Sorts the tasks of each job so that each comes after its predecessors. */
export function orderJobs(data: PyJobShopData, file: string | undefined): OrderedJobs {
  const predecessors = readPredecessors(data, file);
  const groups = groupTasks(data, predecessors, file);
  const jobs = groups.map((tasks) => sortTasks(tasks, predecessors, file));
  return { jobs, predecessors };
}

const UNKNOWN_TIMING = [
  'start_before_start',
  'end_before_end',
  'start_at_start',
  'start_at_end',
  'end_at_end',
] as const;

function readPredecessors({ constraints, tasks }: PyJobShopData, file?: string): Predecessors {
  const found = new Map<number, Map<number, Lags>>();
  const lagsOf = (before: number, after: number) => found.get(after)?.get(before);
  const path = (key: string, i: number) => ['constraints', key, i];
  for (const key of UNKNOWN_TIMING) {
    if (constraints[key].length === 0) continue;
    const hint = 'only end_before_start, end_at_start and greatest lags are possible here';
    refusePyJobShop(`the constraint ${key} is not modelled`, hint, path(key, 0), file);
  }
  for (const key of ['end_before_start', 'end_at_start', 'start_before_end'] as const) {
    constraints[key].forEach(({ task1, task2 }, i) => {
      if (task1 < tasks.length && task2 < tasks.length && task1 !== task2) return;
      const hint = `give two different tasks from 0 to ${tasks.length - 1}`;
      refusePyJobShop(`this is about the tasks ${task1} and ${task2}`, hint, path(key, i), file);
    });
  }
  for (const key of ['end_before_start', 'end_at_start'] as const) {
    constraints[key].forEach(({ task1, task2, delay }, i) => {
      if (delay < 0) {
        const hint = 'give 0 or more';
        refusePyJobShop(
          'a negative delay is not modelled',
          hint,
          [...path(key, i), 'delay'],
          file,
          delay,
        );
      }
      const lags = lagsOf(task1, task2) ?? { min: 0, max: -1 };
      lags.min = Math.max(lags.min, delay);
      if (key === 'end_at_start') lags.max = lags.max < 0 ? delay : Math.min(lags.max, delay);
      found.set(task2, (found.get(task2) ?? new Map<number, Lags>()).set(task1, lags));
    });
  }
  // "task 1 starts at most so long after the end of task 2" is written with a negative delay.
  constraints.start_before_end.forEach(({ task1, task2, delay }, i) => {
    const lags = lagsOf(task2, task1);
    if (lags === undefined || delay > 0) {
      const hint = 'it is possible here as a greatest lag, with end_before_start of the two tasks';
      refusePyJobShop(
        'the constraint start_before_end is not modelled',
        hint,
        path('start_before_end', i),
        file,
      );
    } else lags.max = lags.max < 0 ? -delay : Math.min(lags.max, -delay);
  });
  for (const [after, all] of found) {
    for (const [before, { min, max }] of all) {
      if (max < 0 || max >= min) continue;
      const problem = `task ${after} would start at least ${min} and at most ${max} after task ${before}`;
      refusePyJobShop(problem, 'no schedule can do that', ['constraints'], file);
    }
  }
  return found;
}

/** The tasks of each job, and of each group of tasks without a job that constraints connect. */
function groupTasks(data: PyJobShopData, predecessors: Predecessors, file?: string): number[][] {
  const { jobs, tasks } = data;
  const groupOf = new Int32Array(tasks.length).fill(-1);
  const groups = jobs.map((job, j) => {
    for (const [i, task] of job.tasks.entries()) {
      const path = ['jobs', j, 'tasks', i];
      if (tasks[task]?.job !== j || groupOf[task] >= 0) {
        const hint = 'list each task once, in the job that it names';
        refusePyJobShop(`task ${task} is not one of job ${j}`, hint, path, file, task);
      }
      groupOf[task] = j;
    }
    return [...job.tasks];
  });
  const unlisted = tasks.findIndex(({ job }, task) => job !== null && groupOf[task] < 0);
  if (unlisted >= 0) {
    const job = tasks[unlisted].job;
    const hint = 'list it there, or let the task have no job';
    refusePyJobShop(
      `job ${job} does not list task ${unlisted}`,
      hint,
      ['tasks', unlisted, 'job'],
      file,
      job,
    );
  }
  const neighbours = new Map<number, number[]>();
  const connect = (task: number, other: number) => {
    const known = neighbours.get(task);
    if (known === undefined) neighbours.set(task, [other]);
    else known.push(other);
  };
  for (const [after, all] of predecessors) {
    for (const before of all.keys()) {
      if (groupOf[after] === groupOf[before]) {
        connect(after, before);
        connect(before, after);
        continue;
      }
      const hint = 'put them into one job: the constraints of a job are among its own tasks';
      refusePyJobShop(
        `tasks ${before} and ${after} are of two jobs, and one follows the other`,
        hint,
        ['constraints'],
        file,
      );
    }
  }
  for (let task = 0; task < tasks.length; task++) {
    if (groupOf[task] >= 0) continue;
    const group = [task];
    groupOf[task] = groups.length;
    for (const one of group) {
      for (const other of neighbours.get(one) ?? []) {
        if (groupOf[other] >= 0) continue;
        groupOf[other] = groups.length;
        group.push(other);
      }
    }
    groups.push(group.sort((a, b) => a - b));
  }
  return groups;
}

/** An order of tasks in which each comes after its predecessors, and otherwise as they are listed. */
function sortTasks(tasks: readonly number[], predecessors: Predecessors, file?: string): number[] {
  const done = new Set<number>();
  const sorted: number[] = [];
  const visiting = new Set<number>();
  const visit = (task: number) => {
    // An explicit stack: chains may be long.
    const stack = [task];
    while (stack.length > 0) {
      const one = stack[stack.length - 1];
      const open = [...(predecessors.get(one)?.keys() ?? [])].filter((before) => !done.has(before));
      if (open.length === 0 || done.has(one)) {
        stack.pop();
        if (!done.has(one)) sorted.push(one);
        done.add(one);
        continue;
      }
      if (visiting.has(one)) {
        refusePyJobShop(
          `task ${one} would have to end before itself`,
          'remove the cycle',
          ['constraints'],
          file,
        );
      }
      visiting.add(one);
      for (const before of open.reverse()) stack.push(before);
    }
  };
  for (const task of tasks) visit(task);
  return sorted;
}

/** The precedence graph; null if each job is a chain without lags. */
export function pyJobShopPrecedence({ jobs, predecessors }: OrderedJobs): Precedence | null {
  const opOf = new Map(jobs.flat().map((task, op) => [task, op]));
  const offset = [0];
  const [pred, minLag, maxLag] = [[] as number[], [] as number[], [] as number[]];
  let isChain = true;
  for (const tasks of jobs) {
    for (const [i, task] of tasks.entries()) {
      const edges = [...(predecessors.get(task) ?? [])];
      for (const [before, { min, max }] of edges) {
        pred.push(opOf.get(before) ?? -1);
        minLag.push(min);
        maxLag.push(max);
        if (before !== tasks[i - 1] || min > 0 || max >= 0) isChain = false;
      }
      if (i > 0 && edges.length !== 1) isChain = false;
      offset.push(pred.length);
    }
  }
  if (isChain) return null;
  return {
    offset: Int32Array.from(offset),
    pred: Int32Array.from(pred),
    minLag: Int32Array.from(minLag),
    maxLag: Int32Array.from(maxLag),
  };
}
