import { createServer } from 'node:http';
import { systemClock } from '../dist/core/clock.js';
import { errorLine } from '../dist/core/errors.js';
import { deriveSeed } from '../dist/core/seed.js';
import { nodeAt, planWorkflow, repairAt } from '../dist/workflow/interpreter/plan.js';
import { codeOf } from '../dist/workflow/interpreter/policies.js';

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
 * Serves real handlers to an engine over HTTP: `POST /call` runs the handler that the call names. A handler that
 * throws answers with the code and the message of its error, as our own runtime tells them.
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
  const { kind, path, handler: name, input } = call;
  const plan = planWorkflow(workflow);
  const node = nodeAt(plan, path)?.node;
  if (kind !== 'run' || node?.type !== 'task') throw refusal(`${path} is no task to be run`);
  if (name !== (node.handler ?? node.id)) throw refusal(`${path} is not done by ${name}`);
  const attempt = (attempts.get(path) ?? 0) + 1;
  attempts.set(path, attempt);
  const handler = registry.handlers[name];
  const output = await handler.run(codec.decode(input), contextOf(plan, node, call, attempt));
  return { output: codec.encode(output) };
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
