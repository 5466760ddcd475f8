// A process that sends irreversible messages: node sending-process.mjs LOG WORLD hang|end. Each
// sending writes a line into the file WORLD; with `hang` the answer never comes.
import { appendFileSync } from 'node:fs';
import { openSqliteStore, resumeRun, runWorkflow, workflowSchema } from '@alas-jssp/workflow';

const [log, world, how] = process.argv.slice(2);
const workflow = workflowSchema.parse({
  schema: 'alas-jssp/workflow@1',
  name: 'sending',
  nodes: [{ id: 'send', type: 'task', effect: 'irreversible', policyRef: 'once' }],
  edges: [],
  policies: { once: { retry: { maxAttempts: 1 } } },
});
const registry = {
  handlers: {
    send: {
      run: () => {
        appendFileSync(world, 'sent\n');
        process.stdout.write('sent\n');
        // A timer keeps the process alive.
        if (how === 'hang') return new Promise(() => setInterval(() => {}, 1000));
        return null;
      },
    },
  },
};
const store = openSqliteStore(log);
if (store.runs().includes('run')) await resumeRun(store, 'run', { registry });
else await runWorkflow(workflow, {}, { unchecked: true, registry, store, runId: 'run' });
store.close();
