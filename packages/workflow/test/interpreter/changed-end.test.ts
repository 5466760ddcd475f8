import { virtualClock } from '@alas-jssp/core/virtual-clock';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createMemoryStore,
  type LogEntry,
  type NewEntry,
  replayRun,
  verifyLog,
} from '../../src/index.js';
import {
  createOutside,
  plainStep,
  program,
  runUnchecked,
  SAGA,
  step,
} from '../promises/outside.js';
import { chain } from './world.js';

const world = createOutside();
const { registry } = world;

/** The log of a run of three steps, of which the last one fails on request. */
async function logOf(fails: boolean): Promise<LogEntry[]> {
  const store = createMemoryStore();
  const last = step('c', fails ? { fail: 'Broken' } : {});
  await runUnchecked(program([step('a'), step('b'), last]), 0, { store, runId: 'run', registry });
  return [...store.read({ runId: 'run' })];
}

/** The verdicts about forged entries with right hashes. */
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

/** Logs whose undoing, waits and composites may have been changed. */
async function richLogs(): Promise<LogEntry[][]> {
  const body = (...nodes: readonly object[]) => ({
    nodes,
    edges: chain(...nodes.map((node) => (node as { id: string }).id)),
  });
  const bad = plainStep('bad', { fail: 'E' });
  const branches = { x: body(step('a'), step('b')), y: body(step('c')) };
  const caught = {
    nodes: [
      { id: 'P', type: 'parallel', policyRef: 'caught', branches: { x: body(step('a'), bad) } },
      plainStep('mend'),
    ],
    edges: [],
    policies: { caught: { catch: [{ errors: ['*'], handler: 'mend' }] } },
  };
  const wait = { ...SAGA, wait: { seconds: 100 } };
  const workflows = [
    program([step('a'), step('b'), bad]),
    program([{ id: 'P', type: 'parallel', branches }, bad]),
    program(caught.nodes, caught),
    program([step('a'), step('pay', {}, { approval: 'go', policyRef: 'wait' })], {
      policies: { wait },
    }),
    program([{ id: 'L', type: 'map', policyRef: 'l', until: 'true', body: body(plainStep('t')) }], {
      policies: { l: { loopGuards: { maxIters: 3 } } },
    }),
  ];
  return Promise.all(
    workflows.map(async (workflow) => {
      const store = createMemoryStore();
      const options = { store, runId: 'run', registry, clock: virtualClock(), stay: true };
      await runUnchecked(workflow, 0, options);
      return [...store.read({ runId: 'run' })];
    }),
  );
}

/** Changes of an entry that leave no trace in the log. */
const UNKNOWABLE = ['EndNode output', 'FailNode error', 'FailNode P error', 'Trigger P error'];

test('what the entries of undoing, waiting and composites say is computed, and their order held', async () => {
  for (const log of await richLogs()) {
    expect(await judge(log)).toEqual({ valid: true, parity: true });
    for (let k = 1; k < log.length - 1; k++) {
      const one = log[k];
      const at = `${k} ${one.eventType} ${one.nodeId}`;
      const isFound = async (entries: readonly NewEntry[], what: string) => {
        const { valid, parity } = await judge(entries);
        expect(valid && parity, `${what} ${at}`).toBe(false);
      };
      await isFound(log.toSpliced(k, 1), 'without');
      await isFound(log.toSpliced(k, 0, one), 'twice');
      for (const [part, value] of Object.entries(one.payload as object)) {
        if (UNKNOWABLE.includes(`${one.eventType} ${part}`)) continue;
        const other = typeof value === 'number' ? value + 1e6 : `${value}!`;
        await isFound(log.with(k, alter(one, { [part]: other }) as LogEntry), `another ${part} in`);
      }
      // Whether what is in a composite begins and ends within it.
      const isOuter = one.nodeId === 'P' || one.nodeId === 'L';
      if (isOuter && one.eventType !== 'Trigger' && isWithinOuter(log[k + 1].nodeId)) {
        await isFound(log.toSpliced(k, 2, log[k + 1], one), 'another order at');
      }
      if (one.eventType === 'Compensated' && log[k + 1].eventType === 'FailNode') {
        await isFound(log.toSpliced(k, 2, log[k + 1], one), 'another order at');
      }
      if (one.eventType !== 'Compensated' || log[k + 1].eventType !== 'Compensate') continue;
      await isFound(log.toSpliced(k, 2, log[k + 1], one), 'another order at');
      const [first, second] = [log.slice(k - 1, k + 1), log.slice(k + 1, k + 3)];
      await isFound(log.toSpliced(k - 1, 4, ...second, ...first), 'another order of undoing at');
    }
    const end = log.at(-1) as LogEntry;
    const { status } = end.payload as { status: string };
    for (const other of ENDS.filter((one) => one !== status)) {
      const forged = [...log.slice(0, -1), alter(end, { status: other })];
      expect(await judge(forged), `${status} as ${other}`).toEqual({ valid: false, parity: false });
    }
  }
});

const isWithinOuter = (path: string) => /^[PL]./.test(path);

const ENDS = [
  ...['COMPLETED', 'COMPENSATED', 'FAILED', 'CANCELLED', 'COMPENSATION_FAILED', 'IN_DOUBT'],
];
