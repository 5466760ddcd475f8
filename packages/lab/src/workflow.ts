// What the runtime of workflows costs a step: a chain of 1,000 steps that do nothing, with the log
// in memory and in a file. Usage: npm run bench -- workflow [--json FILE]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createMemoryStore,
  openSqliteStore,
  runWorkflow,
  WORKFLOW_SCHEMA,
  workflowSchema,
} from '@alas-jssp/workflow';
import { measure, save } from './measure.js';

const STEPS = 1000;
const ids = Array.from({ length: STEPS }, (_, k) => `n${k}`);
const workflow = (kind: string) =>
  workflowSchema.parse({
    schema: WORKFLOW_SCHEMA,
    name: 'chain',
    nodes: ids.map((id) => ({ id, type: 'task', handler: kind })),
    edges: ids.slice(1).map((to, k) => ({ from: ids[k], to })),
  });
const registry = {
  handlers: {
    pure: { kind: 'pure' as const, run: (input: unknown) => input },
    external: { run: (input: unknown) => input },
    waiting: { run: async (input: unknown) => input },
  },
};

const folder = mkdtempSync(join(tmpdir(), 'bench-workflow-'));
const stores = { memory: createMemoryStore, SQLite: () => openSqliteStore(join(folder, 'log.db')) };
const rows = [];
for (const [name, open] of Object.entries(stores)) {
  const cases = [];
  for (const kind of Object.keys(registry.handlers)) {
    const chain = workflow(kind);
    let run = 0;
    let store = open();
    cases.push({
      name: `${kind} steps`,
      // Milliseconds for all of them are microseconds for one.
      operations: STEPS,
      target: name === 'memory' ? '100 ms' : '1000 ms',
      run: async () => {
        if (name === 'memory') store = open();
        await runWorkflow(chain, 0, {
          registry,
          store,
          runId: `${kind}-${run++}`,
          unchecked: true,
        });
      },
    });
  }
  rows.push(...(await measure(`1,000 steps, log in ${name}`, cases)));
}
rmSync(folder, { recursive: true });
save(rows);
