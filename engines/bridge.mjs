import { createServer } from 'node:http';
import { systemClock } from '@alas-jssp/core/clock';
import { errorLine } from '@alas-jssp/core/errors';
import { deriveSeed } from '@alas-jssp/core/seed';
import { nodeAt, planWorkflow, repairAt } from '../packages/workflow/dist/interpreter/plan.js';
import { codeOf } from '../packages/workflow/dist/interpreter/policies.js';

/**
 * @typedef {{ workflow: object, registry: object, codec: { encode(value: any): any, decode(json: any): any } }} Served
 * What a run calls: the handlers of a registry, on values of a codec. Parameters and bounds of repairs, which no
 * call brings along, are those of the workflow.
 *
 * @typedef {object} Bridge
 * @property {string} url the stub of an engine
 * @property {(runId: string, served: Served) => void} add
 * @property {(runId: string) => void} remove
 * @property {() => Promise<void>} stop
 */

/**
 * Serves real handlers to an engine over HTTP: `POST /call` runs the handler or the compensator that the call
 * names. One that throws answers with the code and the message of its error, as our own runtime tells them.
 *
 * @returns {Promise<Bridge>}
 */
export async function startBridge() {
  const runs = new Map();
  const server = createServer(async (request, response) => {
    const answer = await answerTo(runs, request).catch(failureAnswer);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    add: (runId, served) => runs.set(runId, { ...served, attempts: new Map() }),
    remove: (runId) => runs.delete(runId),
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function answerTo(runs, request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const call = JSON.parse(Buffer.concat(chunks).toString());
  const served = runs.get(call.runId);
  if (served === undefined) throw refusal(`there is no run ${call.runId}`);
  const { workflow, registry, codec, attempts } = served;
  const { kind, path, handler: name } = call;
  const plan = planWorkflow(workflow);
  const { node, policy } = nodeAt(plan, path) ?? {};
  if (node?.type !== 'task') throw refusal(`${path} is no task`);
  const named = { run: node.handler ?? node.id, undo: policy.compensation?.handler }[kind];
  if (name !== named) throw refusal(`${path} is not for ${kind} by ${name}`);
  const attempt = (attempts.get(`${kind} ${path}`) ?? 0) + 1;
  attempts.set(`${kind} ${path}`, attempt);
  const context = contextOf(plan, node, call, attempt);
  const input = codec.decode(call.input);
  if (kind === 'run')
    return { output: codec.encode(await registry.handlers[name].run(input, context)) };
  return { output: await undo(registry.compensators[name], input, call, context) };
}

/** Undoes an effect, and looks whether it is gone. */
async function undo(compensator, input, { output = null }, context) {
  const effect = { idempotencyKey: context.idempotencyKey, input, output, redacted: [] };
  const result = await compensator.run(effect, context);
  const left = await compensator.verifyUndone?.(effect, context);
  if (left !== undefined) throw Object.assign(new Error(left), { code: 'NotUndone' });
  return result ?? null;
}

function contextOf(plan, node, { runId, path, key = '' }, attempt) {
  return {
    runId,
    nodeId: path,
    attempt,
    idempotencyKey: key,
    params: node.params ?? {},
    repair: node.repair && repairAt(plan, path),
    seed: deriveSeed(0, path, attempt),
    signal: new AbortController().signal,
    clock: systemClock,
    slice: () => [],
    log: () => {},
    feedback: [],
  };
}

function refusal(message) {
  return Object.assign(new Error(message), { code: 'bad_call' });
}

function failureAnswer(error) {
  const message = error instanceof Error ? error.message : errorLine(error);
  return { error: { code: codeOf(error), message } };
}
