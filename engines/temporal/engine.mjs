import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { answerWait, endOf } from '@alas-jssp/lab/conformance/embedded';
import { parseWorkflow } from '@alas-jssp/workflow';
import { findDifferences } from '../../packages/temporal/bench/history.mjs';
import { startWorkerProcess } from '../../packages/temporal/bench/processes.mjs';
import { talkTo } from '../../packages/temporal/bench/talk.mjs';
import { find, startServer } from '../../packages/temporal/server.mjs';

export { find };

/**
 * @typedef {{ runId: string, text: string, input: unknown, cancelAfter?: number }} Execution
 * `text` is a workflow of our own; `cancelAfter` seconds after which it is cancelled.
 */

/** How often a run that waits is asked what it waits for, in milliseconds. */
const LOOK = 100;

/** Milliseconds that steps which were stopped have for their answers. */
const ANSWERS = 3000;

/**
 * Starts a server and a worker in a process of its own, whose handlers call the stub.
 *
 * @param {{ stub: string, sabotage?: 'reversed-compensation' | 'swallowed-error' }} options the URL
 *   of the stub; what the registry does wrong on purpose
 */
export async function start({ stub, sabotage }) {
  const directory = mkdtempSync(join(tmpdir(), 'conformance-temporal-'));
  const server = await startServer();
  const address = server.address('conformance');
  const handlers = fileURLToPath(new URL('conformance-handlers.mjs', import.meta.url));
  const env = { ALAS_CONFORMANCE_STUB: stub, ALAS_CONFORMANCE_RUNS: directory };
  if (sabotage !== undefined) env.ALAS_SABOTAGE = sabotage;
  const worker = startWorkerProcess({ address, slots: 1, handlers, env });
  const talk = await talkTo(address);
  const { version } = JSON.parse(
    readFileSync(new URL('../../packages/temporal/package.json', import.meta.url), 'utf8'),
  );
  const native = await talk.serverVersion();
  return {
    info: { name: 'alas-jssp on Temporal', version: `${version} on ${native}`, patches: [] },
    async execute(run) {
      writeFileSync(join(directory, `${run.runId}.json`), run.text);
      const broken = worker.ended.then(({ said }) => {
        throw new Error(`the worker ended: ${said}`);
      });
      return Promise.race([execute(stub, talk, run), broken]);
    },
    async stop() {
      await talk.close();
      await worker.kill();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function execute(stub, talk, { runId, text, input, cancelAfter }) {
  const workflow = parseWorkflow(new TextEncoder().encode(text));
  const running = talk.startRun({ runId, workflow, input });
  const over = new AbortController();
  const run = talk.openRun(runId);
  if (cancelAfter !== undefined) {
    const cancel = () => run.cancel({ by: 'stub', reason: 'as told' });
    sleep(cancelAfter * 1000, undefined, over).then(cancel, () => {});
  }
  // Only those that wait for somebody are asked what for: each question is work for the worker.
  const waits = /"(approval|message)"/.test(text) ? answerWaits(stub, run, over.signal) : undefined;
  try {
    let result = await running;
    // A step hears at its next heartbeat that it was stopped: a doubt that its answer closes is not the end.
    if (result.status === 'IN_DOUBT') {
      await sleep(ANSWERS);
      result = await talk.startRun({ runId, workflow, input });
    }
    const entries = await run.entries();
    const end = endOf(result, entries);
    // What Temporal itself has in its history must be what the log of our own tells.
    const differences = findDifferences(entries, await run.history());
    if (differences.length > 0) throw new Error(differences.join('; '));
    return end;
  } finally {
    over.abort();
    await waits;
  }
}

/** Asks the stub for the messages and approvals that a run waits for, until it is over. */
async function answerWaits(stub, run, signal) {
  let seen = 0;
  while (!signal.aborted) {
    const entries = await run.entries().catch(() => []);
    for (const entry of entries.slice(seen)) {
      void answerWait(stub, entry, {
        signal: (name, data) => run.signal({ name, data, by: 'stub' }),
        approve: (name) => run.approve({ name, by: 'stub' }),
        deny: (name, reason) => run.deny({ name, by: 'stub', reason }),
      }).catch(() => {});
    }
    seen = Math.max(seen, entries.length);
    await sleep(LOOK);
  }
}
