import { isObject } from '../../core/json-path.js';
import type { Json } from '../log/entry.js';
import { sliceLog } from '../log/slice.js';
import { write } from './context.js';
import { type Datum, loggedDatum } from './datum.js';
import { makeFailure } from './failures.js';
import type { Failure } from './payloads.js';
import type { Judged, Validator, Verdict } from './registry.js';
import type { RunState } from './state.js';
import type { Step } from './step.js';

/** The judgement of a value: the value to go on with, or the reason not to. */
export type Judgement =
  | { readonly datum: Datum }
  | { readonly failure: Failure; readonly again: boolean };

/** The validator that a registry has for a step, by id of the node or name of its handler. */
export function validatorOf(
  validators: Readonly<Record<string, Validator>> | undefined,
  { task, name }: Pick<Step, 'task' | 'name'>,
): Validator | undefined {
  return validators?.[task.id] ?? validators?.[name];
}

/** Has an output judged before it is committed. */
export async function judgeOutput(
  step: Step,
  validator: Validator,
  output: Datum,
  attempt: number,
): Promise<Judgement> {
  const { run, path, task, handler } = step;
  const verdict = await ask(step, validator, output);
  if (verdict.outcome === 'pass') {
    write(run, path, 'ValidatePass', { validator: task.id });
    return { datum: output };
  }
  if (verdict.outcome === 'augment') {
    const { corrections } = verdict;
    write(run, path, 'ValidatePass', { validator: task.id, corrections, output: output.json() });
    return { datum: loggedDatum(verdict.value, handler.output) };
  }
  const { failure, again } = refuse(step, verdict, attempt, output.json());
  return { failure: { ...failure, acted: true }, again };
}

/** Has an input judged before it is delivered. */
export async function judgeInput(
  step: Step,
  validator: Validator,
  attempt: number,
): Promise<Judgement> {
  const { run, path, task, handler } = step;
  const verdict = await ask(step, validator, step.input);
  const { outcome } = verdict;
  const corrections = outcome === 'augment' ? { corrections: verdict.corrections } : {};
  write(run, path, 'HandOver', { validator: task.id, outcome, ...corrections });
  if (outcome === 'pass') return { datum: step.input };
  if (outcome === 'augment') return { datum: loggedDatum(verdict.value, handler.input) };
  const { failure, again } = refuse(step, verdict, attempt);
  // A run that broke off within the step may have left its effect.
  const acted = run.state.effects.has(path);
  return { failure: acted ? { ...failure, acted } : failure, again };
}

/** Asks a validator; one that throws lets nothing pass. */
async function ask(step: Step, validator: Validator, datum: Datum): Promise<Verdict> {
  const judged = judgedBy(step, datum);
  try {
    return requireVerdict(await validator(judged));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { outcome: 'reject', errors: [`the validator failed: ${message}`] };
  }
}

/** Modules of users are not compiled: what is no verdict lets nothing pass. */
function requireVerdict(verdict: Partial<Verdict> | null | undefined): Verdict {
  if (OUTCOMES.includes(verdict?.outcome)) return verdict as Verdict;
  const found = JSON.stringify(verdict) ?? String(verdict);
  throw new TypeError(`it gave ${found}, no { outcome } of ${OUTCOMES.join(', ')}`);
}

const OUTCOMES: readonly unknown[] = [
  'pass',
  'reject',
  'augment',
  'feedback',
] satisfies Verdict['outcome'][];

type Refused = Extract<Judgement, { failure: Failure }>;
type Refusal = Extract<Verdict, { outcome: 'reject' | 'feedback' }>;

function refuse(step: Step, verdict: Refusal, attempt: number, output?: Json): Refused {
  const { run, path, plan, task } = step;
  const { outcome } = verdict;
  const errors = outcome === 'reject' ? (verdict.errors ?? []) : [verdict.feedback];
  const judged = output === undefined ? {} : { output };
  write(run, path, 'ValidateFail', { validator: task.id, outcome, errors, ...judged });
  if (outcome === 'reject') {
    const failure = makeFailure('Rejected', `the validator rejects it${say(errors)}`, path, plan);
    return { failure, again: false };
  }
  write(run, path, 'Feedback', { attempt, feedback: verdict.feedback });
  const message = `the validator asks for another attempt${say(errors)}`;
  const failure = makeFailure('Feedback', message, path, plan);
  return { failure, again: true };
}

/** The first of the reasons that a validator gives, in one line. */
function say([first, ...more]: readonly Json[]): string {
  if (first === undefined) return '';
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const told = isObject(first) && typeof first.message === 'string' ? first.message : first;
  return `: ${typeof told === 'string' ? told : JSON.stringify(told)}${rest}`;
}

function judgedBy({ run, path, task }: Step, datum: Datum): Judged {
  return {
    nodeId: path,
    value: datum.json(),
    slice: sliceLog(run.store, run.runId, task.context),
    committed: committedOutputs(run.state),
  };
}

/** The outputs that stand in the log, by path, without those that were undone. */
export function committedOutputs({ nodes, effects }: RunState): Judged['committed'] {
  const outputs: Record<string, NonNullable<Judged['value']>> = {};
  for (const [path, { status, output }] of nodes) {
    if (status !== 'done' || output === undefined || output === null) continue;
    if (effects.get(path)?.status !== 'undone') outputs[path] = output;
  }
  return outputs;
}
