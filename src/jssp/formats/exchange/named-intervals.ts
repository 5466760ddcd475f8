import { InputError } from '@alas-jssp/core/errors';
import { formatPath, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import type { Instance } from '../../instance.js';
import type { PlanFile } from '../plan-file.js';
import { badPlan } from './bad-plan.js';
import { intervalsOfCpSat, isCpSat } from './cp-sat.js';
import { numbersInName } from './interval-names.js';
import { entriesOfIntervals, type NamedInterval } from './interval-operations.js';

/** The keys under which a document may have its intervals. */
const CONTAINERS = ['intervals', 'solution', 'schedule'] as const;

/** The keys beside intervals that are not intervals. */
const HEAD = new Set(['status', 'objective', 'makespan', 'instance']);

/**
 * Detects solutions of CP-SAT and OptalCP: intervals with names, in a list `[{name, start, end}]` or an object
 * `{name: {start, end}}`, in the document or one of its parts; and the model of CP-SAT with its response.
 */
export function isNamedIntervals(document: unknown): document is object {
  if (Array.isArray(document)) return isNamedList(document);
  if (!isObject(document) || 'schema' in document) return false;
  if (isCpSat(document) || CONTAINERS.some((key) => isNamed(document[key]))) return true;
  return isNamed(document) || (isNoSolution(document.status) && !hasList(document));
}

const isNamed = (value: unknown) =>
  Array.isArray(value) ? isNamedList(value) : isObject(value) && isNamedMap(value);

function isNamedList([first]: readonly unknown[]): boolean {
  return isObject(first) && typeof first.name === 'string' && 'start' in first && !('job' in first);
}

function isNamedMap(map: Record<string, unknown>): boolean {
  return Object.entries(map).some(
    ([name, value]) =>
      !HEAD.has(name) && numbersInName(name) !== undefined && isLikeInterval(value),
  );
}

const isLikeInterval = (value: unknown) =>
  value === null || typeof value === 'number' || Array.isArray(value) || isObject(value);

const hasList = (document: Record<string, unknown>) =>
  Object.values(document).some((value) => Array.isArray(value));

/** Statuses by the numbers of CP-SAT. */
const STATUSES = ['UNKNOWN', 'MODEL_INVALID', 'FEASIBLE', 'INFEASIBLE', 'OPTIMAL'];

const statusName = (status: unknown) =>
  typeof status === 'number' ? (STATUSES[status] ?? String(status)) : status;

const isSolution = (status: unknown) =>
  status === undefined || /^(optimal|feasible)$/i.test(String(statusName(status)));

const isNoSolution = (status: unknown) =>
  /^(unknown|model_invalid|infeasible)$/i.test(String(statusName(status)));

/**
 * Reads the intervals of a solution as a plan of an instance, which says whether their names count from 0 or 1.
 *
 * @throws InputError `no_instance` without an instance, and `bad_plan` for a status without a solution, a value that is
 *   no interval, or a name that is not of an operation
 */
export function planFromIntervals(document: object, instance?: Instance, file?: string): PlanFile {
  if (instance === undefined) {
    const hint = 'give the instance, too: the names of intervals have numbers only';
    throw new InputError('no_instance', 'the jobs and machines are unknown', hint, { file });
  }
  const { status, makespan, intervals } = readDocument(document, file);
  if (!isSolution(status)) {
    const problem = `the status is ${String(statusName(status))}: there is no solution`;
    throw new InputError('bad_plan', problem, 'give a solution that is OPTIMAL or FEASIBLE', {
      file,
    });
  }
  const entries = entriesOfIntervals(intervals(), instance, file);
  return { plan: typeof makespan === 'number' ? { entries, makespan } : { entries } };
}

interface IntervalDocument {
  readonly status?: unknown;
  readonly makespan?: unknown;
  /** Reads them; not called for a status without a solution. */
  readonly intervals: () => NamedInterval[];
}

function readDocument(document: object, file: string | undefined): IntervalDocument {
  if (Array.isArray(document)) return { intervals: () => readList(document, [], file) };
  const parts = document as Record<string, unknown>;
  if (isCpSat(parts)) return intervalsOfCpSat(parts, file);
  const { status, makespan } = parts;
  const key = CONTAINERS.find((one) => isNamed(parts[one]));
  const value = key === undefined ? parts : parts[key];
  const path = key === undefined ? [] : [key];
  const intervals = () =>
    Array.isArray(value)
      ? readList(value, path, file)
      : readMap(value as Record<string, unknown>, path, file);
  return { status, makespan, intervals };
}

function readList(
  list: readonly unknown[],
  path: JsonPath,
  file: string | undefined,
): NamedInterval[] {
  return list.map((item, i) => {
    const place = [...path, i];
    if (!isObject(item) || typeof item.name !== 'string') {
      throw badPlan(item, place, 'give an object with name, start and end', file);
    }
    return readInterval(item.name, item, place, file);
  });
}

/** The intervals by name. Numbers are starts and ends of intervals, by the names of the variables: `start_0_1`. */
function readMap(
  map: Record<string, unknown>,
  path: JsonPath,
  file: string | undefined,
): NamedInterval[] {
  const list: NamedInterval[] = [];
  const variables = new Map<string, { start?: number; end?: number; readonly path: JsonPath }>();
  for (const [name, value] of Object.entries(map)) {
    if (path.length === 0 && HEAD.has(name)) continue;
    const place = [...path, name];
    if (typeof value !== 'number') {
      list.push(readInterval(name, value, place, file));
      continue;
    }
    const [, side, rest] = /^(start|end)(?![a-z])(.*)$/is.exec(name) ?? [];
    if (side === undefined) throw badPlan(value, place, VALUE_HINT, file);
    const known = variables.get(rest) ?? { path: place };
    known[side.toLowerCase() as 'start' | 'end'] = value;
    variables.set(rest, known);
  }
  for (const [rest, { start, end, path: place }] of variables) {
    if (start === undefined || end === undefined) {
      const problem = `there is no ${start === undefined ? 'start' : 'end'}${rest}`;
      const hint = 'give the start and the end of each interval';
      throw new InputError('bad_plan', problem, hint, { file, path: formatPath(place) });
    }
    list.push({ name: `interval${rest}`, start, end, isPresent: true, path: place });
  }
  return list;
}

const VALUE_HINT = 'give {"start": 0, "end": 3}, [0, 3], or null for an interval that is absent';

function readInterval(
  name: string,
  value: unknown,
  path: JsonPath,
  file: string | undefined,
): NamedInterval {
  const absent = { name, start: 0, end: 0, isPresent: false, path };
  if (value === null) return absent;
  const isPair = Array.isArray(value) && value.length === 2;
  if (!isPair && !isObject(value)) throw badPlan(value, path, VALUE_HINT, file);
  const parts: Record<string, unknown> = isPair ? { start: value[0], end: value[1] } : { ...value };
  if (parts.present === false || (parts.start === null && parts.end === null)) return absent;
  const number = (key: 'start' | 'end') => {
    const found = parts[key];
    if (typeof found === 'number' && Number.isFinite(found)) return found;
    throw badPlan(found, isPair ? path : [...path, key], VALUE_HINT, file);
  };
  return { name, start: number('start'), end: number('end'), isPresent: true, path };
}
