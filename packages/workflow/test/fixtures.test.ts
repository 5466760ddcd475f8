import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { describe, expect, test } from 'vitest';
import {
  type AuditableLog,
  approve,
  compensateRun,
  createMemoryStore,
  deny,
  EVENT_TYPES,
  exportLog,
  type FaultsSpec,
  readExportedLog,
  replayRun,
  resumeRun,
  runWorkflow,
  settleEffect,
  signalRun,
  stateOfRun,
  verifyLog,
} from '../src/index.js';
import { EXAMPLE_RUNS, LATE_REFUND, REGISTRIES } from './example-runs.js';
import { createWorld } from './interpreter/world.js';
import { TALKS } from './talks.js';
import { tour } from './tour.js';

// Logs of the present format, kept as they were written: every later version of the code must replay them.
const folder = fileURLToPath(new URL('./fixtures/', import.meta.url));

const files = readdirSync(folder);

describe('the golden logs', () => {
  test.each(files)('%s verifies and replays with parity', async (file) => {
    const log = readExportedLog(`${folder}${file}`);
    expect(verifyLog(log).valid).toBe(true);
    for (const runId of log.runs()) {
      const registry = REGISTRIES[stateOfRun(log, runId).workflow.name];
      expect(await replayRun(log, runId, { registry }), runId).toMatchObject({ parity: true });
    }
  });

  test('hold every type of entry that the runtime writes', () => {
    const found = files.flatMap((file) => {
      const log = readExportedLog(`${folder}${file}`);
      return log.runs().flatMap((runId) => [...log.read({ runId })]);
    });
    const told = new Set(found.map(({ eventType }) => eventType));
    const missing = EVENT_TYPES.filter((type) => !told.has(type));
    // Only handlers write these.
    expect(missing).toEqual([
      'RepairStart',
      'RepairApply',
      'RepairCommit',
      'Request',
      'Response',
      'Decide',
      'Bind',
    ]);
  });
});

/** The owner that logs of every machine tell of. */
const OWNER = 'host/1/fixture';

// Only another format of logs is a reason to write them again:
// ALAS_JSSP_WRITE_FIXTURES=yes npx vitest run test/workflow/fixtures.test.ts
test.runIf(process.env.ALAS_JSSP_WRITE_FIXTURES)('are written', async () => {
  const logs = new Map<string, AuditableLog>();
  for (const { name, workflow, input, open } of [...EXAMPLE_RUNS, LATE_REFUND]) {
    const store = logs.get(workflow.name) ?? createMemoryStore();
    logs.set(workflow.name, store);
    const { options, close } = await open();
    const run = { store, runId: name, owner: OWNER, unchecked: true };
    await runWorkflow(workflow, input, { ...options, ...run });
    await close();
  }
  await addSteeredRuns(logs.get('tour') as AuditableLog);
  logs.set('talk', createMemoryStore());
  await addTalkingRuns(logs.get('talk') as AuditableLog);
  mkdirSync(folder, { recursive: true });
  for (const [name, log] of logs)
    writeFileSync(`${folder}${name}.jsonl`, [...exportLog(log)].join(''));
});

/** Runs that are broken off, resumed, approved, cancelled and undone by hand. */
async function addSteeredRuns(store: AuditableLog): Promise<void> {
  const input = { n: 1, list: [1, 2], fails: false };
  const { registry } = createWorld();
  const clock = virtualClock();
  const all = { registry, clock, owner: OWNER };
  const inject: FaultsSpec = {
    schema: 'alas-jssp/faults@1',
    rules: [{ label: 'cut', node: 'both/*/second', kind: 'crash', when: 'after' }],
  };
  const start = (runId: string, more: object) =>
    runWorkflow(tour, input, { ...all, store, runId, unchecked: true, ...more });
  await start('tour-steered', { inject }).catch(() => {});
  await resumeRun(store, 'tour-steered', all);
  approve(store, 'tour-steered', 'kim', 'kim', clock);
  await resumeRun(store, 'tour-steered', all);
  await start('tour-by-hand', {});
  await compensateRun(store, 'tour-by-hand', 'kim', { ...all, nodeId: 'turns' });
  await compensateRun(store, 'tour-by-hand', 'kim', all);
  const cancelled = new AbortController();
  clock.sleep(4000).then(() => cancelled.abort('enough'));
  await start('tour-cancelled', { signal: cancelled.signal });
}

/** Runs that are sent messages, go back, and have effects of which nobody knows for a while. */
async function addTalkingRuns(store: AuditableLog): Promise<void> {
  const clock = virtualClock();
  const all = { registry: REGISTRIES.talk, clock, owner: OWNER };
  const start = (runId: keyof typeof TALKS) =>
    runWorkflow(TALKS[runId], 1, { ...all, store, runId, unchecked: true });
  const goOn = (runId: string) => resumeRun(store, runId, all);
  await start('talk-paid');
  await signalRun(store, 'talk-paid', { name: 'payment', data: { amount: 5 }, by: 'kim' }, clock);
  await goOn('talk-paid');
  await start('talk-denied');
  deny(store, 'talk-denied', 'kim', 'kim', 'not today', clock);
  await goOn('talk-denied');
  await start('talk-back');
  await start('talk-late');
  for (const happened of [true, false]) {
    const runId = happened ? 'talk-happened' : 'talk-did-not';
    await start(runId);
    settleEffect(store, runId, 'send', { happened, by: 'kim' }, clock);
    await goOn(runId);
  }
}
