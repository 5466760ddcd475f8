// Our own runtime as an engine among others: its handlers call the stub as those of all others do,
// and the stub's answers are its messages and approvals.

import {
  approve,
  type Body,
  type Compensator,
  createMemoryStore,
  deny,
  type Handler,
  type Json,
  type LogEntry,
  type LogStore,
  type NewEntry,
  type Policy,
  packageVersion,
  parseWorkflow,
  type RunResult,
  runWorkflow,
  signalRun,
  type TaskNode,
  type Workflow,
} from '@alas-jssp/workflow';
import { historyOf } from './embedded-history.js';
import type { Engine, Run, Sabotage } from './engine.js';
import type { Call } from './fault-script.js';
import type { Ended } from './judge.js';

export const name = 'embedded';

/** It is always there. */
export const find = () => new URL('../../../../dist', import.meta.url).pathname;

/**
 * @param options the URL
 *   of the stub; what the registry does wrong on purpose
 */
export async function start({
  stub,
  sabotage,
}: {
  stub: string;
  sabotage?: Sabotage;
}): Promise<Engine> {
  return {
    info: { name: 'alas-jssp, embedded', version: packageVersion(), patches: [] },
    execute: (run) => execute(stub, run, sabotage),
    stop: async () => {},
  };
}

async function execute(
  stub: string,
  { runId, text, input, cancelAfter }: Run,
  sabotage: Sabotage | undefined,
) {
  const workflow = parseWorkflow(new TextEncoder().encode(text));
  const inMemory = createMemoryStore();
  const store = {
    ...inMemory,
    append(entries: readonly NewEntry[], options: Parameters<LogStore['append']>[1]) {
      const written = inMemory.append(entries, options);
      for (const entry of written) {
        void answerWait(stub, entry, {
          signal: (name, data) => signalRun(inMemory, runId, { name, data: data as Json }),
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
  return endOf(result, [...inMemory.read({ runId })]);
}

/** The end of a run of our own as the matrix compares it. */
export function endOf(
  { status, output, error, remaining, inDoubt }: RunResult,
  entries: readonly LogEntry[],
): Ended {
  const pathsOf = (effects: readonly { nodeId: string }[]) =>
    effects.map(({ nodeId }) => nodeId).sort();
  return {
    status,
    output,
    error:
      error === undefined
        ? null
        : { code: error.code, message: error.message, nodeId: error.nodeId },
    remaining: pathsOf(remaining),
    inDoubt: pathsOf(inDoubt),
    history: historyOf(entries),
  };
}

/** Asks the stub for the message or the approval that an entry of a run names, and delivers it. */
export async function answerWait(
  stub: string,
  { runId, nodeId, eventType, payload }: LogEntry,
  deliver: {
    signal: (name: string, data: unknown) => unknown;
    approve: (name: string) => unknown;
    deny: (name: string, code: string) => unknown;
  },
) {
  if (eventType !== 'AwaitMessage' && eventType !== 'AwaitApproval') return;
  const kind = eventType === 'AwaitMessage' ? 'wait' : 'approve';
  const { name } = payload as unknown as { name: string };
  const answer = await post(stub, { kind, handler: name, path: nodeId, runId });
  if (answer.error?.code === 'Closed') return;
  if (kind === 'wait') await deliver.signal(name, answer.output);
  else if (answer.error === undefined) await deliver.approve(name);
  else await deliver.deny(name, answer.error.code);
}

/** Handlers and compensators under all names that a workflow has, which call the stub. */
export function registryOf(workflow: Workflow, stub: string, sabotage: Sabotage | undefined) {
  const handlers: Record<string, Handler> = {};
  const compensators: Record<string, Compensator> = {};
  const began: Call[] = [];
  let undoings = 0;
  for (const { node, policy } of tasksOf(workflow, workflow)) {
    const handler = node.handler ?? node.id;
    // A request that was broken off says nothing of its effect. What can be undone is looked up by
    // its compensator; what cannot stays in doubt.
    handlers[handler] = {
      async run(input, { runId, nodeId: path, idempotencyKey, signal }) {
        const { effect } =
          [...tasksOf(workflow, workflow)].find(
            ({ node: one }) => one.id === path.split('/').at(-1),
          )?.node ?? node;
        const hasKey = effect !== 'none' || policy.idempotencyKey !== undefined;
        const call: Call = { kind: 'run', handler, path, runId, input };
        if (hasKey) call.key = idempotencyKey;
        if (effect !== 'none') began.push(call);
        const answer = await post(stub, call, signal).catch((error) => {
          if (effect === 'irreversible') return new Promise<never>(() => {});
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
        let call: Call = { kind: 'undo', handler: undo, path: nodeId, runId, input, output };
        call.key = idempotencyKey;
        if (sabotage === 'reversed-compensation') {
          const { path, key, input: given } = began[undoings++];
          call = { ...call, path, input: given };
          if (key !== undefined) call.key = key;
        }
        const answer = await post(stub, call, signal);
        if (answer.error === undefined) return;
        throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
      },
    };
  }
  return { handlers, compensators };
}

/** All tasks of a body and of those inside it, with their policies. */
function* tasksOf(
  body: Body,
  workflow: Workflow,
): Generator<{ node: TaskNode; policy: Partial<Policy> }, void> {
  for (const node of body.nodes) {
    if (node.type === 'map') yield* tasksOf(node.body, workflow);
    if (node.type === 'parallel') {
      for (const branch of Object.values(node.branches)) yield* tasksOf(branch, workflow);
    }
    if (node.type !== 'task') continue;
    const policy = workflow.policies[node.policyRef ?? workflow.defaultPolicy ?? ''] ?? {};
    yield { node, policy };
  }
}

/** An answer of the stub. */
interface StubAnswer {
  output?: unknown;
  error?: { code: string; message: string };
}

/** Sends a call. One that is stopped has reached the stub by then, so that nothing is on the wire any more. */
async function post(stub: string, call: Call, signal?: AbortSignal): Promise<StubAnswer> {
  let text: string | undefined;
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

function orStopped<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
