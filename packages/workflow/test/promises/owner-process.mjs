// A process that wants a run: node owner-process.mjs LOG WORLD RUN. Its handlers write one line each
// into the file WORLD. Prints how the run ended.
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqliteStore, runWorkflow, workflowSchema } from '@alas-jssp/workflow';

const [log, world, runId] = process.argv.slice(2);
const task = (id) => ({
  id,
  type: 'task',
  handler: 'act',
  effect: 'compensable',
  policyRef: 'saga',
});
const workflow = workflowSchema.parse({
  schema: 'alas-jssp/workflow@1',
  name: 'owners',
  nodes: ['a', 'b', 'c'].map(task),
  edges: [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
  ],
  policies: { saga: { compensation: { handler: 'undo', safeReinvoke: true } } },
});
const registry = {
  handlers: {
    act: {
      run: async (_, { nodeId }) => {
        appendFileSync(world, `${nodeId}\n`);
        await wait(100);
        return nodeId;
      },
    },
  },
  compensators: { undo: { run: () => {} } },
};
const store = openSqliteStore(log);
const { status } = await runWorkflow(workflow, {}, { unchecked: true, registry, store, runId });
process.stdout.write(`${status}\n`);
store.close();
