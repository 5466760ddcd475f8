import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { packageVersion } from '../../src/core/package-version.js';
import { virtualClock } from '../../src/core/virtual-clock.js';
import {
  type AuditableLog,
  approve,
  compensateRun,
  createMemoryStore,
  EVENT_TYPES,
  exportLog,
  type FaultsSpec,
  readExportedLog,
  replayRun,
  resumeRun,
  runWorkflow,
  stateOfRun,
  verifyLog,
} from '../../src/workflow/index.js';
import { EXAMPLE_RUNS, LATE_REFUND, REGISTRIES } from './example-runs.js';
import { createWorld } from './interpreter/world.js';
import { tour } from './tour.js';

// Logs that released versions wrote. They are never written anew: this version must replay them.
const folder = fileURLToPath(new URL('./fixtures/', import.meta.url));

const versions = readdirSync(folder);
const files = versions.flatMap((version) =>
  readdirSync(`${folder}${version}`).map((name) => `${version}/${name}`),
);

describe('logs of this and earlier versions', () => {
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
    // Handlers write the first three; the others are told of by logs of the next version.
    expect(missing).toEqual([
      ...['RepairStart', 'RepairApply', 'RepairCommit', 'Answer', 'AwaitMessage', 'Signal'],
      ...['Deny', 'Settle', 'Return'],
    ]);
  });
});

// A new version adds its logs: ALAS_JSSP_WRITE_FIXTURES=1 npx vitest run test/workflow/fixtures.test.ts
test.runIf(process.env.ALAS_JSSP_WRITE_FIXTURES)('are written', async () => {
  const logs = new Map<string, AuditableLog>();
  for (const { name, workflow, input, open } of [...EXAMPLE_RUNS, LATE_REFUND]) {
    const store = logs.get(workflow.name) ?? createMemoryStore();
    logs.set(workflow.name, store);
    const { options, close } = await open();
    await runWorkflow(workflow, input, { ...options, store, runId: name, unchecked: true });
    await close();
  }
  await addSteeredRuns(logs.get('tour') as AuditableLog);
  const place = `${folder}${packageVersion()}/`;
  mkdirSync(place, { recursive: true });
  for (const [name, log] of logs)
    writeFileSync(`${place}${name}.jsonl`, [...exportLog(log)].join(''));
});

/** Runs that are broken off, resumed, approved, cancelled and undone by hand. */
async function addSteeredRuns(store: AuditableLog): Promise<void> {
  const input = { n: 1, list: [1, 2], fails: false };
  const { registry } = createWorld();
  const clock = virtualClock();
  const inject: FaultsSpec = {
    schema: 'alas-jssp/faults@1',
    rules: [{ label: 'cut', node: 'both/*/second', kind: 'crash', when: 'after' }],
  };
  const start = (runId: string, more: object) =>
    runWorkflow(tour, input, { registry, clock, store, runId, unchecked: true, ...more });
  await start('tour-steered', { inject }).catch(() => {});
  await resumeRun(store, 'tour-steered', { registry, clock });
  approve(store, 'tour-steered', 'kim', 'kim', clock);
  await resumeRun(store, 'tour-steered', { registry, clock });
  await start('tour-by-hand', {});
  await compensateRun(store, 'tour-by-hand', 'kim', { registry, clock, nodeId: 'turns' });
  await compensateRun(store, 'tour-by-hand', 'kim', { registry, clock });
  const cancelled = new AbortController();
  clock.sleep(4000).then(() => cancelled.abort('enough'));
  await start('tour-cancelled', { signal: cancelled.signal });
}
