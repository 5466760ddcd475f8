import { InputError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import type { Instance } from '../../instance.js';
import type { PlanEntry } from '../../plan.js';
import type { Schedule } from '../../schedule.js';
import { modeMachine, modesOf, WORK_PHASE } from '../../shop-parts.js';
import type { PlanFile } from '../plan-file.js';
import { instanceName } from '../source.js';
import { badPlan } from './bad-plan.js';
import { pyJobShopNumbers } from './pyjobshop-numbers.js';
import type { WrittenInstance } from './write-job-shop-lib.js';

/** The title of the columns in a `.sol` file of PyJobShop's command line. */
const TITLE = /^task,mode,start,end[ \t\r]*$/m;

/** Detects a `.sol` file by its title, which is near its begin. */
export function isPyJobShopSol(head: string): boolean {
  return TITLE.test(head);
}

/** Detects a solution in JSON: the tasks of `result.best`, in a list or under `tasks`. */
export function isPyJobShopSolution(document: unknown): document is object {
  const list = Array.isArray(document) ? document : isObject(document) ? document.tasks : undefined;
  if (isObject(document) && ('schema' in document || 'modes' in document)) return false;
  if (!Array.isArray(list)) return false;
  if (list.length === 0) return isObject(document);
  const first: unknown = list[0];
  return (
    isObject(first) && ['mode', 'start', 'end'].every((key) => key in first) && !('job' in first)
  );
}

/** One task of a solution: the number of its mode, −1 if it is not present. */
interface SolutionTask {
  readonly task: number;
  readonly mode: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a solution of PyJobShop in JSON, of which the instance says what its tasks and modes are.
 *
 * @throws InputError with file and JSON path of a part that is missing, and `no_instance` without an instance
 */
export function planFromPyJobShop(document: object, instance?: Instance, file?: string): PlanFile {
  const isList = Array.isArray(document);
  const list: unknown[] = isList ? document : (document as { tasks: unknown[] }).tasks;
  const tasks = list.flatMap((item, i): SolutionTask[] => {
    const path = isList ? [i] : ['tasks', i];
    if (!isObject(item)) throw badPlan(item, path, 'give an object with mode, start, end', file);
    const number = (key: string) => {
      const value = item[key];
      if (typeof value === 'number' && Number.isFinite(value)) return value;
      throw badPlan(value, [...path, key], 'give a number', file);
    };
    const { present = true } = item;
    if (typeof present !== 'boolean') {
      throw badPlan(present, [...path, 'present'], 'give true or false', file);
    }
    if (!present) return [];
    return [{ task: i, mode: number('mode'), start: number('start'), end: number('end') }];
  });
  return { plan: { entries: entriesOf(tasks, instance, file) } };
}

/** Reads a `.sol` file: a head, and a row for each task. */
export function planFromPyJobShopSol(text: string, instance?: Instance, file?: string): PlanFile {
  const lines = text.split('\n').map((line) => line.trim());
  const title = lines.findIndex((line) => TITLE.test(line));
  const name = lines
    .slice(0, title)
    .map((line) => /^instance:\s*(.+)$/.exec(line)?.[1])
    .find((one) => one !== undefined);
  const tasks: SolutionTask[] = [];
  for (const [i, line] of lines.entries()) {
    if (i <= title || line === '') continue;
    const row = /^(-?\d+),(-?\d+),(-?\d+),(-?\d+)$/.exec(line);
    if (row === null) {
      const problem = `this is ${JSON.stringify(line.slice(0, 40))}`;
      throw new InputError('bad_plan', problem, 'give task, mode, start and end', {
        file,
        line: i + 1,
      });
    }
    const [task, mode, start, end] = row.slice(1).map(Number);
    tasks.push({ task, mode, start, end });
  }
  const plan = { entries: entriesOf(tasks, instance, file) };
  return name === undefined ? { plan } : { plan, instance: instanceName(name) };
}

/** Entries of a plan; a task or mode that the instance does not have is left to the validator. */
function entriesOf(
  tasks: readonly SolutionTask[],
  instance: Instance | undefined,
  file: string | undefined,
): PlanEntry[] {
  if (instance === undefined) {
    const hint = 'give the instance, too: a solution of PyJobShop has numbers of its tasks only';
    throw new InputError('no_instance', 'the jobs and machines are unknown', hint, { file });
  }
  const { jobOf, jobOffset } = instance;
  const numbers = pyJobShopNumbers(instance);
  const opOf = new Map(Array.from(numbers.task, (task, op) => [task, op]));
  const modeOf = new Map(Array.from(numbers.mode, (number, mode) => [number, mode]));
  return tasks
    .filter(({ mode, start }) => mode >= 0 || start >= 0)
    .map(({ task, mode: number, start, end }): PlanEntry => {
      const op = opOf.get(task);
      const mode = modeOf.get(number);
      const machine = mode === undefined ? -1 : modeMachine(instance, mode);
      if (op === undefined) return { job: -1, step: -1, machine, start, end };
      const place = { job: jobOf[op], step: op - jobOffset[jobOf[op]], machine, start, end };
      const [first, stop] = modesOf(instance, op);
      const isOwn = mode !== undefined && mode >= first && mode < stop;
      return instance.modes !== null && isOwn ? { ...place, mode: mode - first } : place;
    });
}

/**
 * Writes a schedule as tasks of PyJobShop: `Solution(data, [ScheduledTask(**task) for task in json.load(file)["tasks"]])`,
 * with the data that `writePyJobShop` writes.
 */
export function writePyJobShopSolution(schedule: Schedule): WrittenInstance {
  const { instance, start, end, mode } = schedule;
  const { operations, machine, duration, machines, resources } = instance;
  const numbers = pyJobShopNumbers(instance);
  const tasks = new Array<object>(operations);
  let missing = 0;
  for (let op = 0; op < operations; op++) {
    const present = start[op] >= 0;
    if (!present) missing++;
    const chosen = mode?.[op] ?? op;
    const needs = present && resources !== null ? needsOf(instance, chosen) : [];
    tasks[numbers.task[op]] = present
      ? {
          mode: numbers.mode[chosen],
          resources: [machine[op], ...needs.map((resource) => machines + resource)],
          start: start[op],
          end: end[op],
          idle: 0,
          breaks: end[op] - start[op] - duration[op],
          present,
        }
      : { mode: 0, resources: [], start: 0, end: 0, idle: 0, breaks: 0, present };
  }
  const lines = tasks.map((task) => JSON.stringify(task)).join(',\n');
  const note = `${missing} operations have no start, and are written as absent`;
  const losses = missing === 0 ? [] : [{ feature: 'incomplete', effect: 'none', note } as const];
  return { text: `{"tasks":[\n${lines}\n]}\n`, losses };
}

function needsOf({ resources }: Instance, mode: number): number[] {
  if (resources === null) return [];
  const { needOffset, needResource, needPhase } = resources;
  const needs: number[] = [];
  for (let i = needOffset[mode]; i < needOffset[mode + 1]; i++) {
    if (needPhase[i] === WORK_PHASE) needs.push(needResource[i]);
  }
  return needs;
}
