// A process that books a room: node booking-process.mjs LOG WORLD RUN. Each booking writes a line into
// the file WORLD. Prints how the run ended.
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqliteStore, runWorkflow, workflowSchema } from '@alas-jssp/workflow';

const [log, world, runId] = process.argv.slice(2);
const workflow = workflowSchema.parse({
  schema: 'alas-jssp/workflow@1',
  name: 'booking',
  nodes: [{ id: 'book', type: 'task', effect: 'compensable', policyRef: 'room' }],
  edges: [],
  policies: {
    room: {
      compensation: { handler: 'undo', safeReinvoke: true },
      idempotencyKey: { template: 'room-7', scope: 'resource' },
    },
  },
});
const registry = {
  handlers: {
    book: {
      run: async () => {
        appendFileSync(world, 'booked\n');
        await wait(500);
        return 'room 7';
      },
    },
  },
  compensators: { undo: { run: () => {} } },
};
const store = openSqliteStore(log);
const { status } = await runWorkflow(workflow, {}, { unchecked: true, registry, store, runId });
process.stdout.write(`${status}\n`);
store.close();
