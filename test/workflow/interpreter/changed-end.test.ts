import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createMemoryStore,
  type LogEntry,
  type NewEntry,
  replayRun,
  verifyLog,
} from '../../../src/workflow/index.js';
import { createOutside, program, runUnchecked, step } from '../promises/outside.js';

const world = createOutside();
const { registry } = world;

/** The log of a run of three steps, of which the last one fails if told so. */
async function logOf(fails: boolean): Promise<LogEntry[]> {
  const store = createMemoryStore();
  const last = step('c', fails ? { fail: 'Broken' } : {});
  await runUnchecked(program([step('a'), step('b'), last]), 0, { store, runId: 'run', registry });
  return [...store.read({ runId: 'run' })];
}

/** The verdicts about entries that somebody wrote with right hashes. */
async function judge(entries: readonly NewEntry[]) {
  const store = createMemoryStore();
  store.append(entries);
  const { parity } = await replayRun(store, 'run', { registry });
  return { valid: verifyLog(store).valid, parity };
}

const alter = (entry: LogEntry, change: object): NewEntry => ({
  ...entry,
  payload: { ...(entry.payload as object), ...change } as never,
});
const UNDOING: readonly string[] = ['Compensate', 'Compensated', 'CompensateFail'];

test('an end that the entries before it do not lead to is found by verify and by replay', async () => {
  const failed = await logOf(true);
  const done = await logOf(false);
  expect(await judge(failed)).toEqual({ valid: true, parity: true });
  expect(await judge(done)).toEqual({ valid: true, parity: true });
  const end = failed.at(-1) as LogEntry;
  const forged: Record<string, NewEntry[]> = {
    'COMPENSATED became COMPLETED': [...failed.slice(0, -1), alter(end, { status: 'COMPLETED' })],
    'COMPENSATED became FAILED': [...failed.slice(0, -1), alter(end, { status: 'FAILED' })],
    'the undoing was taken out': failed.filter(({ eventType }) => !UNDOING.includes(eventType)),
    'only the beginning and the end': [done[0], done.at(-1) as LogEntry],
    'only the beginning and the end of a failure': [failed[0], end],
    'COMPLETED became COMPENSATED': [
      ...done.slice(0, -1),
      alter(done.at(-1) as LogEntry, { status: 'COMPENSATED' }),
    ],
  };
  for (const [title, entries] of Object.entries(forged)) {
    expect(await judge(entries), title).toEqual({ valid: false, parity: false });
  }
});

test('an entry that is taken out or written twice is found by verify or replay', async () => {
  const logs = [await logOf(true), await logOf(false)];
  const place = fc.nat(1000);
  const kind = fc.constantFrom('drop', 'double');
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...logs), place, kind, async (log, at, how) => {
      // Without its last entry a log is that of a run that has not ended.
      const k = 1 + (at % (log.length - 2));
      const changed: NewEntry[] = [...log];
      if (how === 'drop') changed.splice(k, 1);
      else changed.splice(k, 0, log[k]);
      const { valid, parity } = await judge(changed);
      expect(valid && parity, `${how} ${k} ${log[k].eventType} ${log[k].nodeId}`).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test('what was registered to undo an effect, and the undoing, are those of the workflow', async () => {
  const log = await logOf(true);
  const changes: Record<string, object> = {
    Register: {
      ...{ key: 'another', effect: 'irreversible', compensator: 'another' },
      ...{ triggers: ['manual'], input: 99, deadline: 1 },
    },
    Compensate: { key: 'another', compensator: 'another', attempt: 7 },
    StartNode: { handler: 'another' },
  };
  for (const [type, parts] of Object.entries(changes)) {
    const at = log.findIndex(({ eventType }) => eventType === type);
    for (const [part, value] of Object.entries(parts)) {
      const changed = log.map((entry, k) => (k === at ? alter(entry, { [part]: value }) : entry));
      expect((await judge(changed)).parity, `${type} ${part}`).toBe(false);
    }
  }
  // A step that is there to fail has begun, and nothing is undone before anything fails.
  const began = log.findIndex(
    ({ eventType, nodeId }) => eventType === 'StartNode' && nodeId === 'c',
  );
  expect((await judge(log.filter((_, k) => k !== began))).parity).toBe(false);
  const stopped = log.findIndex(({ eventType }) => eventType === 'Trigger');
  const swapped = [...log];
  swapped.splice(stopped, 2, log[stopped + 1], log[stopped]);
  expect((await judge(swapped)).parity).toBe(false);
});
