import { makesVersions } from '@alas-jssp/living-plan';
import { type Json, type LogEntry, type StepContext, systemClock } from '@alas-jssp/workflow';
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { totalWeightedTardiness } from 'alas-jssp/jssp';
import { fingerprint, type ShopInput, type ShopVersion } from 'alas-jssp/shop';
import { getBlob, putBlob } from '../blobs/blob.js';
import { buildId, workerIdentity } from '../build-id.js';
import type {
  LogSegment,
  MadeVersion,
  OwnEntry,
  ShopActivities,
  ShopStep,
  ShopStepAnswer,
  TimetableRow,
} from './shop-values.js';
import { createWarmShops, type WarmShop, type WarmShops } from './warm-shops.js';

/** The environment of the steps of shops on a worker. */
export interface ShopActivityDeps {
  readonly client: Client;
  readonly queue: string;
  /** Whether the server knows the search attributes of shops. */
  readonly searchable: boolean;
}

/** Maximum number of operations of a shop whose timetable is in its history. */
const MOST_IN_HISTORY = 20_000;

/**
 * The steps of shops, for workers: each as a local activity over the shops that the worker knows.
 */
export function createShopActivities(deps: ShopActivityDeps): ShopActivities {
  const shops = createWarmShops();
  return {
    async alasShopStep(step) {
      try {
        const shop = await shopOf(deps, shops, step);
        return shop === undefined ? { status: 'cold' } : await makeStep(deps, shop, step);
      } catch (error) {
        if (!isDamaged(error)) throw error;
        const who = `worker ${workerIdentity()} (${buildId()})`;
        const problem = `${error.message}, as ${who} makes it; workers of the version that made it can go on`;
        return { status: 'damaged', problem };
      }
    },
    async alasShopKeep(entries, segments) {
      const { client, queue } = deps;
      const kept = await Promise.all(
        segments.map(async ({ from, to, blob }) => {
          const bytes = await getBlob(client, blob);
          return { from, to, blob: await putBlob(client, queue, bytes) };
        }),
      );
      if (entries.length === 0) return kept;
      const from = entries[0].version;
      const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      const blob = await putBlob(client, queue, Buffer.from(text));
      return [...kept, { from, to: from + entries.length, blob }];
    },
  };
}

/** The entries of a segment of a log. */
export async function readSegment(client: Client, { blob }: LogSegment): Promise<LogEntry[]> {
  const text = Buffer.from(await getBlob(client, blob)).toString();
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as LogEntry);
}

async function shopOf(
  { client }: ShopActivityDeps,
  shops: WarmShops,
  step: ShopStep,
): Promise<WarmShop | undefined> {
  // A new shop gets all facts in its input.
  if (step.handler === 'begin') return shops.fill(step, step.input as unknown as ShopInput, []);
  const { log } = step;
  if (log === undefined) return shops.find(step);
  const entries: LogEntry[] = [];
  for (const segment of log.segments) entries.push(...(await readSegment(client, segment)));
  entries.push(...log.entries);
  const input = log.input as unknown as ShopInput;
  return shops.fill(step, input, entries.filter(makesVersions));
}

async function makeStep(
  deps: ShopActivityDeps,
  shop: WarmShop,
  step: ShopStep,
): Promise<ShopStepAnswer> {
  const own: OwnEntry[] = [];
  const input = recognise(shop, step.input);
  try {
    const handler = shop.registry.handlers[step.handler];
    const output = (await handler.run(input, contextOf(step, own))) as Json;
    shop.intern(output);
    const version = madeBy(deps, shop, step, output);
    return { status: 'value', output, own, version };
  } catch (error) {
    if (isDamaged(error)) throw error;
    const { code = 'error', message } = error as Error & { readonly code?: string };
    return { status: 'error', error: { code, message }, own };
  }
}

/** Whether a log does not reproduce its versions here, as with another version of the software. */
function isDamaged(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'damaged_log';
}

/** The identical parts of an input if they were made here. */
function recognise({ intern }: WarmShop, input: Json): Json {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).map(([key, part]) => [key, intern(part)]));
}

function contextOf(step: ShopStep, own: OwnEntry[]): StepContext {
  const { runId, path, attempt, params, seed, repair, feedback } = step;
  return {
    runId,
    attempt,
    params,
    seed,
    feedback,
    repair: repair as StepContext['repair'],
    nodeId: path,
    idempotencyKey: '',
    signal: Context.current().cancellationSignal,
    clock: systemClock,
    slice: () => [],
    log: (eventType, payload) => void own.push([eventType, payload]),
  };
}

/** Records the version that a step has made, and returns the facts for lists and queries. */
function madeBy(
  { searchable }: ShopActivityDeps,
  { memory, log }: WarmShop,
  { runId, handler, input, path }: ShopStep,
  output: Json,
): MadeVersion | undefined {
  if (handler !== 'begin' && handler !== 'commit') return undefined;
  const { version } = output as unknown as { version: number };
  const made = memory.versionOf(runId, version);
  const before = version > 1 ? memory.versionOf(runId, version - 1) : undefined;
  if (handler === 'commit') {
    const { instant, proposal } = input as { [key: string]: Json };
    log.reaches(version - 1);
    const at = path.slice(0, path.indexOf('/'));
    log.add([
      ended(`${at}/status`, instant),
      ended(`${at}/repair/propose`, proposal),
      ended(`${at}/repair/commit`, output),
    ]);
  }
  const { schedule } = made;
  const isLarge = schedule.instance.operations > MOST_IN_HISTORY;
  return {
    makespan: schedule.makespan,
    lateness: totalWeightedTardiness(schedule),
    sha256: fingerprint(schedule),
    rows: isLarge ? null : changedRows(before, made),
    searchable,
  };
}

function ended(nodeId: string, output: Json): LogEntry {
  const blank = { version: 0, hash: '', runId: '', ts: '', correlationId: '' };
  return { ...blank, nodeId, eventType: 'EndNode', payload: { output } };
}

/** The changed rows of the timetable of a version: new ones, and those that were removed. */
function changedRows(before: ShopVersion | undefined, made: ShopVersion): TimetableRow[] {
  const was = new Map(before === undefined ? [] : rowsOf(before));
  const rows: TimetableRow[] = [];
  for (const [key, row] of rowsOf(made)) {
    const old = was.get(key);
    was.delete(key);
    if (old === undefined || row.some((value, k) => value !== old[k])) rows.push(row);
  }
  for (const [job, step] of was.values()) rows.push([job, step, -1, -1, -1]);
  return rows;
}

function* rowsOf({ schedule }: ShopVersion): Generator<[string, TimetableRow]> {
  const { instance, start, end } = schedule;
  const { jobOffset, jobOf, machine, operations } = instance;
  for (let op = 0; op < operations; op++) {
    const job = jobOf[op];
    const step = op - jobOffset[job];
    yield [`${job}/${step}`, [job, step, machine[op], start[op], end[op]]];
  }
}
