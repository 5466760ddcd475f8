import { canonicalJson } from '../../core/canonical-json.js';
import { AlasError } from '../../core/errors.js';
import { isObject } from '../../core/json-path.js';
import type { JsonSchema, Node, Workflow } from '../ir/workflow.js';
import { type EventType, type Json, OWN_EVENT_TYPES } from '../log/entry.js';
import { isRedacted } from '../log/secrets.js';
import type { Datum } from './datum.js';
import type { Failure } from './entries.js';
import type { Host } from './host.js';
import { guardOf, type NodePlan } from './plan.js';
import { codeOf, DEFAULT_SECONDS, failureOf, makeFailure, stopFailure } from './policies.js';
import { bodyOutput, outputOf } from './references.js';
import type { Verdict } from './registry.js';
import { anyEntry, append, type Outcome, type Run, type Step, write } from './run.js';
import type { RunState } from './state.js';
import { watch } from './waiting.js';

/**
 * Evaluates a guard over what it may see.
 *
 * @throws InputError `bad_guard`, AlasError `guard_failed` if it is neither true nor false
 */
export function evaluateGuard(
  expression: string,
  bindings: Readonly<Record<string, Json>>,
): Promise<boolean> {
  return guardOf(expression).evaluate(bindings);
}

/**
 * The failure of the first invariant that does not hold, of those that can be asked now: all whose
 * nodes have come to an end, and those that read the output only when that is there.
 *
 * @param names which to ask. Default: all
 */
export async function brokenInvariant(
  run: Run,
  names?: readonly string[],
  output?: Datum,
): Promise<Failure | undefined> {
  const { plan, root } = run;
  for (const { name, guard } of plan.invariants) {
    if (names !== undefined && !names.includes(name)) continue;
    const { reads } = guard;
    if (reads.output && output === undefined) continue;
    const ids = reads.outputs === 'all' ? root.plan.body.nodes.map(({ id }) => id) : reads.outputs;
    const outputs: Record<string, Json> = {};
    for (const id of ids) {
      const datum = outputOf(run, root, id);
      if (datum !== undefined) outputs[id] = datum.json();
    }
    const complete = reads.outputs === 'all' || ids.every((id) => Object.hasOwn(outputs, id));
    if (output === undefined && !complete) continue;
    const bindings = { input: root.input.json(), outputs, output: output?.json() ?? null };
    try {
      if (await guard.evaluate(bindings)) continue;
      return stopFailure('Invariant', `the invariant ${name} does not hold`);
    } catch (error) {
      return stopFailure(codeOf(error), (error as Error).message);
    }
  }
  return undefined;
}

/** The output of the whole run, or why it cannot be committed. */
export function checkOutput(run: Run): { output: Datum } | { failure: Failure } {
  const output = bodyOutput(run, run.root);
  let violations: readonly string[];
  try {
    violations = schemaViolations(run.host, run.plan.workflow, 'output', output);
  } catch (error) {
    return { failure: stopFailure(codeOf(error), (error as Error).message) };
  }
  if (violations.length === 0) return { output };
  const reason = { validator: 'io.output', outcome: 'reject', errors: violations };
  write(run, '', 'ValidateFail', reason);
  return { failure: stopFailure('BadOutput', violationText('output', violations)) };
}

/**
 * Violations of the schema of an input or an output. What stands in the place of secrets in the log
 * of a run that was resumed has another form than they had, and is let pass.
 *
 * @throws InputError `not_json` for what violates it because it is no JSON
 */
export function schemaViolations(
  { check }: Pick<Host, 'check'>,
  { io }: Pick<Workflow, 'io'>,
  part: 'input' | 'output',
  value: Datum,
): readonly string[] {
  const schema = io[part];
  if (check === undefined || schema === undefined) return [];
  const json = value.json();
  const found = check(schema, json);
  if (found.length === 0) return found;
  // A circle has no end: that it is no JSON at all is said first.
  canonicalJson(json);
  return isRedacted(json) ? [] : found;
}

/** Violations in one sentence. */
export function violationText(
  part: 'input' | 'output',
  [first, ...more]: readonly string[],
): string {
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `the ${part} does not fit io.${part}: ${first}${rest}`;
}

/**
 * The failure of a node whose input or output violates its schema, which is told to the log; a
 * schema that is none fails, too.
 */
export function schemaFailure(
  run: Run,
  plan: NodePlan,
  path: string,
  part: 'input' | 'output',
  value: Datum,
  beforeWriting?: () => void,
): Failure | undefined {
  let errors: readonly string[];
  try {
    errors = schemaViolations(run.host, plan.node, part, value);
  } catch (error) {
    return failureOf(error, path, plan);
  }
  if (errors.length === 0) return undefined;
  beforeWriting?.();
  write(run, path, 'ValidateFail', { validator: `io.${part}`, outcome: 'reject', errors });
  const code = part === 'input' ? 'BadInput' : 'BadOutput';
  return makeFailure(code, violationText(part, errors), path, plan);
}

/**
 * Writes an entry of a handler's own, but none that the state of the run would be folded from.
 *
 * @param flush writes what was put off
 * @throws AlasError `BadLogEntry`: it is not written, and the step fails with that code unless its
 *   handler catches it
 */
export function logOwn(
  run: Run,
  node: Node,
  path: string,
  [eventType, payload]: readonly [EventType, Json],
  flush?: () => void,
): void {
  const refuse = (message: string) => new AlasError('BadLogEntry', message, payload);
  const own: readonly EventType[] = OWN_EVENT_TYPES;
  if (!own.includes(eventType)) {
    throw refuse(`handlers write no ${eventType}; they may write ${own.join(', ')}`);
  }
  if (run.over || run.state.end !== undefined) {
    throw refuse(`the run has ended: there is no place for a ${eventType}`);
  }
  const { check } = run.host;
  const logSchema = run.plan.workflow.logSchemas[node.logSchemaRef ?? ''];
  if (check !== undefined && logSchema !== undefined) {
    const [error] = check({ type: 'object', ...logSchema } as JsonSchema, payload);
    if (error !== undefined) {
      throw refuse(`the ${eventType} of its own does not fit ${node.logSchemaRef}: ${error}`);
    }
  }
  flush?.();
  append(run, [anyEntry(run, path, eventType, payload)]);
}

/** The judgement of a value: the value to go on with, or the failure. */
export type Judgement =
  | { readonly datum: Datum }
  /** `again`: the validator asks for another attempt. */
  | { readonly failure: Failure; readonly again: boolean };

/** Has an output judged by its validator before it is committed. */
export async function judgeOutput(step: Step, output: Datum, attempt: number): Promise<Judgement> {
  const { run, path, task } = step;
  const verdict = await ask(step, 'outputValidator', output, attempt);
  const validator = task.id;
  if (verdict.outcome === 'pass') {
    write(run, path, 'ValidatePass', { validator });
    return { datum: output };
  }
  if (verdict.outcome === 'augment') {
    const { corrections, value } = verdict;
    write(run, path, 'ValidatePass', { validator, corrections, output: output.json() });
    return { datum: run.host.decode(task, 'output', value) };
  }
  const { failure, again } = refuse(step, verdict, attempt, output.json());
  return { failure: { ...failure, acted: true }, again };
}

/** Has an input judged by its validator before it is delivered. */
export async function judgeInput(step: Step, attempt: number): Promise<Judgement> {
  const { run, path, task, input } = step;
  const verdict = await ask(step, 'inputValidator', input, attempt);
  const { outcome } = verdict;
  if (outcome === 'stopped') return { failure: verdict.failure, again: false };
  const corrections = outcome === 'augment' ? { corrections: verdict.corrections } : {};
  write(run, path, 'HandOver', { validator: task.id, outcome, ...corrections });
  if (outcome === 'pass') return { datum: input };
  if (outcome === 'augment') return { datum: run.host.decode(task, 'input', verdict.value) };
  return refuse(step, verdict, attempt);
}

type Asked = Verdict | { readonly outcome: 'stopped'; readonly failure: Failure };

/** Asks a validator; one that throws, or gives no verdict in time, lets nothing pass. */
async function ask(
  step: Step,
  kind: 'outputValidator' | 'inputValidator',
  datum: Datum,
  attempt: number,
): Promise<Asked> {
  const { run, scope, path, task } = step;
  const committed = committedOutputs(run.state);
  const calling = run.host.call({ kind, task, path, attempt, value: datum.json(), committed });
  const ended = await watch(run, calling, {
    seconds: DEFAULT_SECONDS.validation,
    stops: scope.stops,
    timeout: (seconds) => stopFailure('ValidatorTimeout', `no verdict in ${seconds} s`),
  });
  if (ended.status === 'value') return requireVerdict(ended.value.value());
  if (ended.status === 'stopped' && ended.failure.code !== 'ValidatorTimeout') {
    return { outcome: 'stopped', failure: ended.failure };
  }
  const { message } = ended.status === 'stopped' ? ended.failure : asError(ended.error);
  return { outcome: 'reject', errors: [`the validator failed: ${message}`] };
}

function asError(error: unknown): { readonly message: string } {
  return error instanceof Error ? error : { message: String(error) };
}

/** Modules of users are not compiled: what is no verdict lets nothing pass. */
function requireVerdict(given: unknown): Verdict {
  const verdict = given as Partial<Verdict> | null | undefined;
  if (OUTCOMES.includes(verdict?.outcome)) return verdict as Verdict;
  const found = JSON.stringify(verdict) ?? String(verdict);
  const problem = `it gave ${found}, no { outcome } of ${OUTCOMES.join(', ')}`;
  return { outcome: 'reject', errors: [`the validator failed: ${problem}`] };
}

const OUTCOMES: readonly unknown[] = [
  'pass',
  'reject',
  'augment',
  'feedback',
] satisfies Verdict['outcome'][];

type Refused = Extract<Judgement, { failure: Failure }>;
type Refusal = Extract<Asked, { outcome: 'reject' | 'feedback' | 'stopped' }>;

function refuse(step: Step, verdict: Refusal, attempt: number, output?: Json): Refused {
  const { run, path, plan, task } = step;
  if (verdict.outcome === 'stopped') return { failure: verdict.failure, again: false };
  const { outcome } = verdict;
  const errors = outcome === 'reject' ? (verdict.errors ?? []) : [verdict.feedback];
  const judged = output === undefined ? {} : { output };
  write(run, path, 'ValidateFail', { validator: task.id, outcome, errors, ...judged });
  if (outcome === 'reject') {
    const message = `the validator rejects it${reasonText(errors)}`;
    return { failure: makeFailure('Rejected', message, path, plan), again: false };
  }
  write(run, path, 'Feedback', { attempt, feedback: verdict.feedback });
  const message = `the validator asks for another attempt${reasonText(errors)}`;
  return { failure: makeFailure('Feedback', message, path, plan), again: true };
}

/** The first of the reasons that a validator gives, in one line. */
function reasonText([first, ...more]: readonly Json[]): string {
  if (first === undefined) return '';
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const reason = isObject(first) && typeof first.message === 'string' ? first.message : first;
  return `: ${typeof reason === 'string' ? reason : JSON.stringify(reason)}${rest}`;
}

/** The outputs that stand in the log, by path, without those that were undone. */
export function committedOutputs({ nodes, effects }: RunState): Readonly<Record<string, Json>> {
  const outputs: Record<string, Json> = {};
  for (const [path, { status, output }] of nodes) {
    if (status !== 'done' || output === undefined || output === null) continue;
    if (effects.get(path)?.status !== 'undone') outputs[path] = output;
  }
  return outputs;
}

/**
 * The failure that stands for all of those of bodies that ran together: of those that stopped the
 * others the first in the log; if all went on to their ends, that of the first body, so that it does
 * not depend on who was faster.
 */
export function decisiveFailure(
  { nodes }: Pick<RunState, 'nodes'>,
  outcomes: readonly (Outcome | undefined)[],
  stops: (failure: Failure) => boolean,
): Failure | undefined {
  const failures = outcomes.flatMap((outcome) =>
    outcome?.status === 'failed' ? [outcome.failure] : [],
  );
  const place = ({ nodeId }: Failure) => nodes.get(nodeId)?.ended ?? Number.POSITIVE_INFINITY;
  const stopping = failures.filter(stops).sort((a, b) => place(a) - place(b));
  return stopping[0] ?? failures[0];
}
