// Runs on a server as trials and the conformance matrix speak with them. Servers that are away for a while are waited
// for: they are killed on purpose.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { connect, parseAddress, readEntries, runWorkflow } from '../dist/index.js';
import { calledSteps } from './history.mjs';

/** For how long a call is tried again, in milliseconds. */
const PATIENCE = 120_000;

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });

/** Messages to a run, by their kind in its inbox. */
const KINDS = ['approve', 'deny', 'signal', 'cancel', 'settle'];

/**
 * Connects to a server.
 *
 * @param {string} text address
 * @param {{ leaseSeconds?: number }} [options] seconds without a sign of life after which a worker counts as lost
 */
export async function talkTo(text, { leaseSeconds = 5 } = {}) {
  const address = parseAddress(text);
  const client = await connect(address);
  const converter = client.options.loadedDataConverter;

  const startRun = ({ runId, workflow, input }) => {
    const options = { address, client, runId, unchecked: true, stay: true, maxConcurrency: 100 };
    return patiently(() => runWorkflow(workflow, input, { ...options, leaseSeconds }));
  };

  const openRun = (runId) => {
    const handle = client.workflow.getHandle(runId);
    const post = (kind) => async (data) => {
      // The same id each time: what arrived is not told twice.
      const updateId = randomUUID();
      const options = { args: [{ kind, data }], updateId };
      try {
        return await patiently(() => handle.executeUpdate('post', options));
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) error.code = 'no_run';
        if (!(error instanceof WorkflowUpdateFailedError)) throw error;
        throw Object.assign(new Error(error.cause.message), { code: error.cause.type });
      }
    };
    return {
      ...Object.fromEntries(KINDS.map((kind) => [kind, post(kind)])),
      /** The log. */
      entries: () => patiently(() => readEntries(handle)),
      /** The calls of handlers and compensators in Temporal's own history. */
      async history() {
        const { events } = await patiently(() => handle.fetchHistory());
        const decode = async ({ payloads }) =>
          (await decodeArrayFromPayloads(converter, payloads))[0];
        return calledSteps(decode, events);
      },
      /** Whether Temporal's own history replays: the error if not, and the history as its tools write it. */
      async replay() {
        const history = await patiently(() => handle.fetchHistory());
        const json = historyToJSON(history);
        const problem = await replayProblem(json, runId, converter.payloadCodecs);
        return { problem, json };
      },
    };
  };

  return {
    startRun,
    openRun,
    async serverVersion() {
      const { serverVersion } = await client.workflowService.getSystemInfo({});
      return `Temporal ${serverVersion}`;
    },
    /**
     * Leaves. The connection is not closed: the SDK asks again after a pause what failed, and throws where nobody
     * catches it if the connection is closed by then. Without calls it keeps no process alive.
     */
    async close() {},
  };
}

/** Workflow code as workers have it. */
const BUNDLE = new URL('../dist/workflow-bundle.js', import.meta.url);

/** What goes wrong when a history is replayed, if anything. */
async function replayProblem(json, runId, payloadCodecs) {
  const workflowBundle = { code: readFileSync(BUNDLE, 'utf8') };
  const options = { workflowBundle, dataConverter: { payloadCodecs } };
  try {
    await Worker.runReplayHistory(options, JSON.parse(json), runId);
    return undefined;
  } catch (error) {
    return error.message;
  }
}

/** Codes of gRPC that say nothing about what was asked for: cancelled, deadline, no worker there, unavailable and the like. */
const PASSING = [1, 2, 4, 8, 9, 10, 13, 14];

async function patiently(act) {
  const until = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      const isPassing = PASSING.includes(codeOf(error)) && !(error instanceof WorkflowFailedError);
      if (!isPassing || Date.now() > until) throw error;
      await sleep(200);
    }
  }
}

function codeOf(error) {
  return error?.code ?? error?.cause?.code;
}

/** An error in a line, with what gRPC says of it. */
export function lineOf(error) {
  const { name = 'Error', message, cause } = error;
  const code = codeOf(error);
  const why = cause === undefined ? '' : `: ${cause.message}`;
  return `${name}${code === undefined ? '' : ` (${code})`}: ${message}${why}`;
}
