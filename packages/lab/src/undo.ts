// Seconds that undoing takes, of runs with many effects, in memory and on an SQLite file. Build first,
//   npm run bench -- undo [--effects 2000,10000]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type AuditableLog,
  createMemoryStore,
  openSqliteStore,
  runWorkflow,
  toWorkflow,
} from '@alas-jssp/workflow';

const { values } = parseArgs({ options: { effects: { type: 'string', default: '2000,10000' } } });

const body = {
  nodes: [{ id: 'item', type: 'task', effect: 'compensable', policyRef: 'saga', handler: 'act' }],
  edges: [],
};
const workflow = toWorkflow({
  schema: 'alas-jssp/workflow@1',
  name: 'undo',
  nodes: [
    { id: 'each', type: 'map', items: 'input', body, policyRef: 'loop' },
    { id: 'breaks', type: 'task' },
  ],
  edges: [{ from: 'each', to: 'breaks' }],
  policies: {
    loop: { loopGuards: { maxIters: 1e6 } },
    saga: { compensation: { handler: 'undo', safeReinvoke: true } },
  },
});

/** Makes effects, fails, and gives the seconds from there to the end. */
async function secondsOf(effects: number, store: AuditableLog) {
  let failed = 0;
  let undone = 0;
  const registry = {
    handlers: {
      act: { run: async () => null },
      breaks: {
        run: () => {
          failed = performance.now();
          throw new Error('broken');
        },
      },
    },
    compensators: { undo: { run: async () => void undone++ } },
  };
  const items = Array.from({ length: effects }, (_, k) => k);
  const { status } = await runWorkflow(workflow, items, { unchecked: true, registry, store });
  const seconds = (performance.now() - failed) / 1000;
  if (status !== 'COMPENSATED' || undone !== effects)
    throw new Error(`${status}, ${undone} undone`);
  return seconds;
}

for (const effects of values.effects.split(',').map(Number)) {
  const inMemory = await secondsOf(effects, createMemoryStore());
  const directory = mkdtempSync(join(tmpdir(), 'undo-'));
  const store = openSqliteStore(join(directory, 'log.sqlite'));
  const inFile = await secondsOf(effects, store);
  store.close();
  rmSync(directory, { recursive: true });
  console.log(
    `${effects} effects undone in ${inMemory.toFixed(2)} s (memory), ${inFile.toFixed(2)} s (SQLite)`,
  );
}
