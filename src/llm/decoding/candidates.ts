import type { Instance } from '../../jssp/instance.js';
import { operationAt } from '../../jssp/plan.js';
import { type DecodedEntry, entriesOf, fits } from './entries.js';
import type { RowRun, TextFound, TextMessage } from './gathering.js';
import type { IgnoredList } from './ignored.js';
import { numberingOf } from './numbering.js';
import type { MachineOrder, Row, SourceFormat } from './rows.js';
import { timeOrders } from './sequences.js';

/** A schedule in a text, possibly one of several. */
export interface ScheduleReading {
  readonly message: TextMessage;
  readonly entries: readonly DecodedEntry[];
  readonly sources: readonly SourceFormat[];
  /** Number of its operations; only those of the instance, if that is known. */
  readonly operations: number;
  /** Number of entries with the machine and the duration of the instance. */
  readonly fitting: number;
  readonly isComplete: boolean;
}

/** Rows and orders of one schedule. */
interface Group {
  readonly message: TextMessage;
  readonly rows: Row[];
  readonly orders: MachineOrder[];
  /** The operations so far, with their starts; orders have none. */
  readonly operations: Map<string, number>;
  isExample: boolean;
}

/** Maximum number of entries in an example of a format. */
const HANDFUL = 10;

/** Minimum number of operations without times in an echo of a prompt. */
const ECHOED = 3;

/**
 * Combines runs of rows to schedules: those of one message, until a run repeats most entries or contradicts several,
 * which starts the next schedule. Examples and echoes of prompts are omitted.
 */
export function readingsOf(
  { runs, messages }: TextFound,
  instance: Instance | undefined,
  ignored: IgnoredList,
): ScheduleReading[] {
  const candidates: ScheduleReading[] = [];
  const final = messages.findLast(({ timed }) => timed > 0);
  for (const group of groupRuns(runs, instance)) {
    const candidate = candidateOf(group, instance, ignored);
    if (candidate === undefined) continue;
    if (!isExample(candidate, group, final)) candidates.push(candidate);
    else ignored.add('example', candidate.entries[0].place.line, candidate.entries.length);
  }
  return candidates;
}

function groupRuns(runs: readonly RowRun[], instance: Instance | undefined): Group[] {
  const groups: Group[] = [];
  for (const run of runs) {
    const { message, rows, orders, isExample } = run;
    if (rows.length === 0 && orders.length === 0) continue;
    const said = [
      ...rows.map((row) => [keyOfRow(row), row.start] as const),
      ...orders.flatMap(keysOfOrder).map((key) => [key, 0] as const),
    ];
    let group = groups.at(-1);
    const isApart = group !== undefined && isAside(group, run, instance);
    if (group?.message !== message || isApart || isAnother(said, group)) {
      group = { message, rows: [], orders: [], operations: new Map(), isExample };
      groups.push(group);
    }
    for (const row of rows) group.rows.push(row);
    for (const order of orders) group.orders.push(order);
    for (const [key, start] of said) {
      if (!group.operations.has(key)) group.operations.set(key, start);
    }
    group.isExample &&= isExample;
  }
  return groups;
}

/** Whether a run starts another schedule: it repeats most entries, or contradicts several. */
function isAnother(said: readonly (readonly [string, number])[], { operations }: Group): boolean {
  const again = said.filter(([key]) => operations.has(key));
  const changed = again.filter(([key, start]) => operations.get(key) !== start).length;
  return again.length > said.length / 2 || (changed > 1 && changed > said.length / 10);
}

/** Whether either the group or the run is an example, but not both. */
function isAside(group: Group, run: RowRun, instance: Instance | undefined): boolean {
  if (group.isExample === run.isExample) return false;
  const { rows } = group.isExample ? group : run;
  const { entries } = entriesOf(rows, numberingOf(rows, [], instance), instance);
  const isForeign = instance === undefined || !entries.some((entry) => fits(instance, entry));
  return rows.length <= HANDFUL && isForeign;
}

function keyOfRow({ job, step, machine, ordinal }: Row): string {
  return `${job}/${step ?? ordinal ?? `m${machine}`}`;
}

function keysOfOrder({ machine, turns }: MachineOrder): string[] {
  return turns.map(({ job, step }) => `o${job}/${step ?? `m${machine}`}`);
}

function candidateOf(
  { message, rows, orders }: Group,
  instance: Instance | undefined,
  ignored: IgnoredList,
): ScheduleReading | undefined {
  const { entries, left } = entriesOf(rows, numberingOf(rows, [], instance), instance);
  for (const { kind, line } of left) ignored.add(kind, line);
  const isTimed = entries.length > 0;
  if (!isTimed) for (const entry of orderEntries(orders, instance, ignored)) entries.push(entry);
  if (entries.length === 0) return undefined;
  const operations = countOperations(entries, instance);
  return {
    message,
    entries,
    sources: isTimed ? [...new Set(rows.map(({ format }) => format))] : ['sequences'],
    operations,
    fitting: instance === undefined ? 0 : entries.filter((entry) => fits(instance, entry)).length,
    isComplete: operations === instance?.operations,
  };
}

/** The entries of orders without times; none if they cover only a part of a schedule. */
function orderEntries(
  orders: readonly MachineOrder[],
  instance: Instance | undefined,
  ignored: IgnoredList,
): DecodedEntry[] {
  const line = orders[0]?.turns[0]?.place.line ?? 1;
  const turns = orders.reduce((sum, order) => sum + order.turns.length, 0);
  if (instance === undefined) {
    ignored.add('needs_instance', line, turns);
    return [];
  }
  const entries = timeOrders(instance, orders, numberingOf([], orders, instance));
  if (2 * entries.length >= instance.operations) return entries;
  ignored.add('fragment', line, turns);
  return [];
}

function countOperations(entries: readonly DecodedEntry[], instance: Instance | undefined): number {
  if (instance === undefined) return new Set(entries.map(({ job, step }) => `${job}/${step}`)).size;
  const ops = entries.map(({ job, step }) => operationAt(instance, job, step));
  return new Set(ops.filter((op) => op >= 0)).size;
}

/**
 * Whether a schedule is an example of the format or an echo: a user's text, or a few entries that all contradict the
 * instance, if the text calls them an example, or they are among the data of a prompt, or in a message before the last
 * one with times.
 */
function isExample(
  { entries, fitting, message }: ScheduleReading,
  group: Group,
  final: TextMessage | undefined,
): boolean {
  if (message.speaker === 'user') return true;
  if (entries.length > HANDFUL || fitting > 0) return false;
  const isEcho = message.promptWords > 0 && message.specifications >= ECHOED;
  return group.isExample || isEcho || message !== final;
}

/** The schedule that counts among several, and the reason. */
export interface Choice {
  /** Its index among the candidates; −1 if there is none. */
  readonly index: number;
  readonly why: string;
}

/** Weight of an entry that fits the instance against one that does not. */
const FITTING = 10;

/**
 * The last complete schedule; if none is complete, the one with the most entries, or the last of several with equally
 * many. Entries with the machine and the duration of the instance count tenfold, so that a small answer for this
 * instance outweighs a long example of another one.
 */
export function chooseReading(candidates: readonly ScheduleReading[]): Choice {
  if (candidates.length === 0) return { index: -1, why: 'nothing was found' };
  if (candidates.length === 1) return { index: 0, why: 'it is the only one' };
  const complete = candidates.findLastIndex(({ isComplete }) => isComplete);
  if (complete >= 0) return { index: complete, why: 'it is the last complete one' };
  const weights = candidates.map(({ entries, fitting }) => entries.length + FITTING * fitting);
  const most = weights.reduce((best, weight) => Math.max(best, weight));
  return { index: weights.lastIndexOf(most), why: 'it has the most entries that fit' };
}
