import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { Clock } from '@alas-jssp/core/clock';
import { deriveSeedBy } from '@alas-jssp/core/random';
import type { TaskNode } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';
import { isRedacted } from '../log/secrets.js';
import { sliceLog } from '../log/slice.js';
import { schemaViolations, violationText } from './checks.js';
import { decodeLogged, encodeLive } from './encoded-value.js';
import type { Failure, Payloads } from './entries.js';
import { committedOutputs } from './judge.js';
import { makeKey } from './keys.js';
import { planWorkflow, repairAt } from './plan.js';
import { codeOf } from './policies.js';
import { inputOf } from './references.js';
import type { Handler, StepContext, Validator } from './registry.js';
import type { Checked, Place } from './replay-place.js';

/** The end of a step by the log. */
export interface LoggedEnd {
  readonly output?: Json | undefined;
  readonly error?: Failure;
}

/** Failures caused by the runtime: no handler reproduces them. */
const OWN_CODES = [
  'Timeout',
  'Interrupted',
  'Cancelled',
  'Denied',
  'WaitTimeout',
  'ClaimTimeout',
  'Rejected',
  'Feedback',
  'BadInput',
  'BadOutput',
  'BadLogEntry',
  'IdempotencyCollision',
  'CompensationFailed',
  'Deadline',
  'not_json',
  'too_large',
  'bad_schema',
];

/**
 * Compares the end of a step with the present results of its codec, its validator and, if pure, its
 * handler.
 */
export async function rerunStep(at: Place, logged: LoggedEnd): Promise<Checked> {
  const { past, plan } = at;
  if (plan.node.type !== 'task') return undefined;
  const name = plan.node.handler ?? plan.node.id;
  const handler = past.registry.handlers[name];
  if (handler === undefined) return undefined;
  if (logged.error === undefined) {
    const json = logged.output ?? null;
    const fault =
      checkCodec(handler, json) ?? checkSchema(at, json) ?? (await checkVerdict(at, json));
    if (fault !== undefined) return fault;
  } else if (OWN_CODES.includes(logged.error.code)) return undefined;
  else if (
    past.state.nodes.get(at.entry.nodeId)?.begun === 0 ||
    !past.state.nodes.has(at.entry.nodeId)
  ) {
    return { cause: 'data', message: 'it failed before it began' };
  }
  return handler.kind === 'pure' && !isDisturbed(at)
    ? checkHandler(at, handler, logged)
    : undefined;
}

/** Whether a value comes back out of its codec as it went in. */
function checkCodec({ output }: Handler, json: Json): Checked {
  if (output === undefined) return undefined;
  const again = output.encode(decodeLogged(json, output).value());
  if (canonicalJson(again) === canonicalJson(json)) return undefined;
  return { cause: 'data', message: 'the codec of the output changes the logged value' };
}

function checkSchema({ past, plan }: Place, json: Json): Checked {
  const errors = schemaViolations(past.host, plan.node, 'output', decodeLogged(json));
  return errors.length === 0
    ? undefined
    : { cause: 'code', message: violationText('output', errors) };
}

/** Runs the validator that accepted an output again. */
async function checkVerdict(at: Place, value: Json): Promise<Checked> {
  const { past, plan, entry } = at;
  const task = plan.node as TaskNode;
  const validator = validatorOf(past.registry.validators, task);
  const passed = past.entry.get(`ValidatePass ${entry.nodeId}`);
  if (validator === undefined || passed === undefined) return undefined;
  if ((passed.payload as unknown as Payloads['ValidatePass']).corrections) return undefined;
  const outcome = await askAgain(at, validator, value, passed.version);
  if (outcome === 'pass') return undefined;
  return { cause: 'code', message: `the validator now says ${outcome}` };
}

/** Runs the validator that rejected or corrected an output again, on the logged value. */
export async function recheckVerdict(
  at: Place,
  { validator: by, output }: Payloads['ValidatePass'],
  outcome: string,
): Promise<Checked> {
  const { past, plan, entry } = at;
  const { node: task } = plan;
  // Handlers write such entries, too; and redacted values cannot be judged.
  if (task.type !== 'task' || output === undefined || by !== task.id) return undefined;
  const validator = validatorOf(past.registry.validators, task);
  if (validator === undefined || isRedacted(output)) return undefined;
  const now = await askAgain(at, validator, output, entry.version);
  if (now === outcome) return 'decision';
  return { cause: 'code', message: `the validator now says ${now}, not ${outcome}` };
}

/** Runs the validator of a delivery again, on the input recomputed from the log. */
export async function recheckHandOver(
  at: Place,
  { outcome }: Payloads['HandOver'],
): Promise<Checked> {
  const { past, scope, plan, entry } = at;
  if (plan.node.type !== 'task') return undefined;
  const { node: task } = plan;
  const validator = validatorOf(past.registry.inputValidators, task);
  if (validator === undefined) return undefined;
  const input = inputOf(past, scope, plan).json();
  const now = await askAgain(at, validator, input, entry.version, 'input');
  if (now === outcome) return 'decision';
  return { cause: 'code', message: `the validator of the input now says ${now}` };
}

/**
 * Asks a validator about a value with the log as it was before an entry; one that throws rejects.
 */
async function askAgain(
  { past, store, scope, plan, entry: { runId, nodeId } }: Place,
  validator: Validator,
  value: Json,
  version: number,
  of: 'input' | 'output' = 'output',
): Promise<string> {
  const slice = sliceLog(store, runId, { ...plan.node.context, upTo: version - 1 });
  const committed = committedOutputs(past.state);
  try {
    const verdict = await validator({
      nodeId,
      value,
      slice,
      committed,
      get input() {
        return of === 'output' ? inputOf(past, scope, plan).json() : undefined;
      },
    });
    return verdict.outcome;
  } catch {
    return 'reject';
  }
}

/** Whether a fault or a validator changed the input or the output of the attempt. */
function isDisturbed({ past, entry: { nodeId } }: Place): boolean {
  const attempt = past.state.nodes.get(nodeId)?.attempt;
  const injected = past.entry.get(`Inject ${nodeId}`)?.payload as { attempt?: number } | undefined;
  const handedOver = past.entry.get(`HandOver ${nodeId}`)?.payload as { outcome?: string };
  const passed = past.entry.get(`ValidatePass ${nodeId}`)?.payload as { corrections?: Json };
  return (
    (injected !== undefined && injected.attempt === attempt) ||
    handedOver?.outcome === 'augment' ||
    passed?.corrections !== undefined
  );
}

async function checkHandler(at: Place, handler: Handler, logged: LoggedEnd): Promise<Checked> {
  const { context, clockWasRead } = contextOf(at);
  let found: { readonly output: Json } | { readonly code: string };
  try {
    const value = await handler.run(inputOf(at.past, at.scope, at.plan).value(), context);
    found = { output: encodeLive(value, handler.output).json() };
  } catch (error) {
    found = { code: codeOf(error) };
  }
  const said = logged.error === undefined ? { output: logged.output ?? null } : logged.error;
  const same =
    'output' in found && 'output' in said
      ? canonicalJson(found.output) === canonicalJson(said.output)
      : 'code' in found && 'code' in said && found.code === said.code;
  if (same) return 'rerun';
  const now = 'code' in found ? `fails with ${found.code}` : 'gives another output';
  return { cause: clockWasRead() ? 'clock' : 'code', message: `the step now ${now}` };
}

/** The original context of a handler for another call, but with a constant time. */
function contextOf({ past, store, scope, plan, entry }: Place) {
  const { nodeId, runId } = entry;
  const { node } = plan;
  const state = past.state.nodes.get(nodeId);
  const attempt = state?.attempt ?? 1;
  const began = past.entry.get(`StartNode ${nodeId}`);
  let read = false;
  const clock: Clock = {
    now: () => {
      read = true;
      return Date.parse(began?.ts ?? entry.ts);
    },
    sleep: async () => {},
  };
  const context: StepContext = {
    runId,
    nodeId,
    attempt,
    params: node.params ?? {},
    repair: node.repair && repairAt(planWorkflow(past.state.workflow), nodeId),
    seed: deriveSeedBy(past.host.digest, [past.state.seed, nodeId, attempt]),
    signal: new AbortController().signal,
    clock,
    feedback: state?.feedback ?? [],
    get idempotencyKey() {
      return keyAt({ past, scope, plan, entry }).key;
    },
    slice: () => sliceLog(store, runId, { ...node.context, upTo: began?.version }),
    log: () => {},
  };
  return { context, clockWasRead: () => read };
}

/** The key of a step, computed from the outputs in the log. */
export function keyAt({ past, scope, plan, entry: { nodeId } }: Omit<Place, 'store'>) {
  const { host, state } = past;
  const { policy } = plan;
  const input = inputOf(past, scope, plan).json();
  const resets = state.resets.get(nodeId) ?? 0;
  return makeKey(host, { policy, runId: state.runId, nodeId, input, resets });
}

function validatorOf(
  validators: Readonly<Record<string, Validator>> | undefined,
  { id, handler = id }: TaskNode,
): Validator | undefined {
  return validators?.[id] ?? validators?.[handler];
}
