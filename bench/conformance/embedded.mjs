// Our own runtime as an engine among others: its handlers call the stub as those of all others do,
// and the stub's answers are its messages and approvals.
import { readFileSync } from 'node:fs';
import {
  approve,
  createMemoryStore,
  deny,
  parseWorkflow,
  runWorkflow,
  signalRun,
} from '@alas-jssp/workflow';
import { historyOf } from './embedded-history.mjs';

export const name = 'embedded';

/** It is always there. */
export const find = () => new URL('../../dist', import.meta.url).pathname;

/**
 * @param {{ stub: string, sabotage?: 'reversed-compensation' | 'swallowed-error' }} options the URL
 *   of the stub; what the registry does wrong on purpose
 */
export async function start({ stub, sabotage }) {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return {
    info: { name: 'alas-jssp, embedded', version, patches: [] },
    execute: (run) => execute(stub, run, sabotage),
    stop: async () => {},
  };
}

async function execute(stub, { runId, text, input, cancelAfter }, sabotage) {
  const workflow = parseWorkflow(new TextEncoder().encode(text));
  const inMemory = createMemoryStore();
  const store = {
    ...inMemory,
    append(entries, options) {
      const written = inMemory.append(entries, options);
      for (const entry of written) {
        void answerWait(stub, entry, {
          signal: (name, data) => signalRun(inMemory, runId, { name, data }),
          approve: (name) => approve(inMemory, runId, name, 'stub'),
          deny: (name, code) => deny(inMemory, runId, name, 'stub', code),
        });
      }
      return written;
    },
  };
  const cancel = new AbortController();
  const timer =
    cancelAfter === undefined ? undefined : setTimeout(() => cancel.abort(), cancelAfter * 1000);
  const registry = registryOf(workflow, stub, sabotage);
  const { signal } = cancel;
  const options = { registry, store, runId, signal, stay: true, maxConcurrency: 1000 };
  const result = await runWorkflow(workflow, input, { ...options, unchecked: true });
  clearTimeout(timer);
  return endOf(result, inMemory.read({ runId }));
}

/** The end of a run of our own as the matrix compares it. */
export function endOf({ status, output, error, remaining, inDoubt }, entries) {
  const pathsOf = (effects) => effects.map(({ nodeId }) => nodeId).sort();
  return {
    status,
    output,
    error: error && { code: error.code, message: error.message, nodeId: error.nodeId },
    remaining: pathsOf(remaining),
    inDoubt: pathsOf(inDoubt),
    history: historyOf(entries),
  };
}

/**
 * Asks the stub for the message or the approval that an entry of a run tells of, and delivers it.
 *
 * @param {string} stub
 * @param {import('@alas-jssp/workflow').LogEntry} entry
 * @param {{ signal: (name: string, data: unknown) => unknown, approve: (name: string) => unknown, deny: (name: string, code: string) => unknown }} deliver
 */
export async function answerWait(stub, { runId, nodeId, eventType, payload }, deliver) {
  const kind = { AwaitMessage: 'wait', AwaitApproval: 'approve' }[eventType];
  if (kind === undefined) return;
  const { name } = payload;
  const answer = await post(stub, { kind, handler: name, path: nodeId, runId });
  if (answer.error?.code === 'Closed') return;
  if (kind === 'wait') await deliver.signal(name, answer.output);
  else if (answer.error === undefined) await deliver.approve(name);
  else await deliver.deny(name, answer.error.code);
}

/** Handlers and compensators under all names that a workflow has, which call the stub. */
export function registryOf(workflow, stub, sabotage) {
  const handlers = {};
  const compensators = {};
  const began = [];
  let undoings = 0;
  for (const { node, policy } of tasksOf(workflow, workflow)) {
    const handler = node.handler ?? node.id;
    // A request that was broken off tells nothing of its effect. What can be undone is looked up by
    // its compensator; what cannot stays in doubt.
    handlers[handler] = {
      async run(input, { runId, nodeId: path, idempotencyKey, signal }) {
        const { effect } = [...tasksOf(workflow, workflow)].find(
          ({ node: one }) => one.id === path.split('/').at(-1),
        ).node;
        const hasKey = effect !== 'none' || policy.idempotencyKey !== undefined;
        const call = { kind: 'run', handler, path, runId, input };
        if (hasKey) call.key = idempotencyKey;
        if (effect !== 'none') began.push(call);
        const answer = await post(stub, call, signal).catch((error) => {
          if (effect === 'irreversible') return new Promise(() => {});
          throw error;
        });
        if (answer.error === undefined) return answer.output;
        if (sabotage === 'swallowed-error') return null;
        throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
      },
    };
    const undo = policy.compensation?.handler;
    if (undo === undefined) continue;
    compensators[undo] = {
      async run({ idempotencyKey, input, output }, { runId, nodeId, signal }) {
        let call = { kind: 'undo', handler: undo, path: nodeId, runId, input, output };
        call.key = idempotencyKey;
        if (sabotage === 'reversed-compensation') {
          const { path, key, input: given } = began[undoings++];
          call = { ...call, path, key, input: given };
        }
        const answer = await post(stub, call, signal);
        if (answer.error === undefined) return answer.output;
        throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
      },
    };
  }
  return { handlers, compensators };
}

/** All tasks of a body and of those inside it, with their policies. */
function* tasksOf(body, workflow) {
  for (const node of body.nodes) {
    if (node.type === 'map') yield* tasksOf(node.body, workflow);
    if (node.type === 'parallel') {
      for (const branch of Object.values(node.branches)) yield* tasksOf(branch, workflow);
    }
    if (node.type !== 'task') continue;
    const policy = workflow.policies[node.policyRef ?? workflow.defaultPolicy] ?? {};
    yield { node, policy };
  }
}

/** Sends a call. One that is stopped has reached the stub by then, so that nothing is on the wire any more. */
async function post(stub, call, signal) {
  let text;
  try {
    const response = await fetch(`${stub}/call`, { method: 'POST', body: JSON.stringify(call) });
    text = await orStopped(response.text(), signal);
    if (!response.ok) throw new Error(text);
  } catch (error) {
    if (signal?.aborted) throw error;
    if (text !== undefined) throw error;
    return { error: { code: 'Crash', message: 'the connection was cut' } };
  }
  return JSON.parse(text);
}

function orStopped(promise, signal) {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
