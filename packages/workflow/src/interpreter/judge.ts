import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '../log/entry.js';
import type { EncodedValue } from './encoded-value.js';
import type { Failure } from './entries.js';
import { DEFAULT_SECONDS, describeThrown, makeFailure, stopFailure } from './policies.js';
import type { Verdict } from './registry.js';
import { type Step, write } from './run.js';
import type { RunState } from './state.js';
import { watch } from './waiting.js';

/** The judgement of a value: the value to continue with, or the failure. */
export type Judgement =
  | { readonly datum: EncodedValue }
  /** `again`: the validator asks for another attempt. */
  | { readonly failure: Failure; readonly again: boolean };

/** Has a validator judge an output before it is committed. */
export async function judgeOutput(
  step: Step,
  output: EncodedValue,
  attempt: number,
): Promise<Judgement> {
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

/** Has a validator judge an input before it is delivered. */
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

type ValidatorResult = Verdict | { readonly outcome: 'stopped'; readonly failure: Failure };

/** Asks a validator; one that throws, or returns no verdict in time, rejects. */
async function ask(
  step: Step,
  kind: 'outputValidator' | 'inputValidator',
  datum: EncodedValue,
  attempt: number,
): Promise<ValidatorResult> {
  const { run, scope, path, task } = step;
  const committed = committedOutputs(run.state);
  const input = kind === 'outputValidator' ? step.input : undefined;
  const value = datum.json();
  const calling = run.host.call({ kind, task, path, attempt, value, input, committed });
  const ended = await watch(run, calling, {
    seconds: DEFAULT_SECONDS.validation,
    stops: scope.stops,
    timeout: (seconds) => stopFailure('ValidatorTimeout', `no verdict in ${seconds} s`),
  });
  if (ended.status === 'value') return verdictOf(ended.value);
  if (ended.status === 'stopped' && ended.failure.code !== 'ValidatorTimeout') {
    return { outcome: 'stopped', failure: ended.failure };
  }
  const { message } =
    ended.status === 'stopped'
      ? ended.failure
      : ended.status === 'lost'
        ? { message: 'it ended without a verdict' }
        : describeThrown(asError(ended.error));
  return { outcome: 'reject', errors: [`the validator failed: ${message}`] };
}

/** A failure whose text is known keeps it. */
function asError(error: unknown): unknown {
  return isObject(error) && typeof error.message === 'string' ? error.message : error;
}

function verdictOf(given: EncodedValue): Verdict {
  try {
    return requireVerdict(given.value());
  } catch (error) {
    return {
      outcome: 'reject',
      errors: [`the validator failed: ${describeThrown(error).message}`],
    };
  }
}

/** Modules of users are not type-checked: an invalid verdict rejects. */
function requireVerdict(given: unknown): Verdict {
  const verdict = given as Partial<Verdict> | null | undefined;
  if (OUTCOMES.includes(verdict?.outcome)) {
    const { errors, corrections, feedback = null } = verdict as Record<string, Json | undefined>;
    const lists = { errors: listOf(errors), corrections: listOf(corrections) };
    return { ...verdict, ...lists, feedback } as unknown as Verdict;
  }
  const found = JSON.stringify(verdict) ?? String(verdict);
  const problem = `it gave ${found}, no { outcome } of ${OUTCOMES.join(', ')}`;
  return { outcome: 'reject', errors: [`the validator failed: ${problem}`] };
}

/** A list unchanged; any other value becomes its only item. */
function listOf(given: Json | undefined): readonly Json[] {
  if (given === undefined || given === null) return [];
  return Array.isArray(given) ? given : [given];
}

const OUTCOMES: readonly unknown[] = [
  'pass',
  'reject',
  'augment',
  'feedback',
] satisfies Verdict['outcome'][];

type Refused = Extract<Judgement, { failure: Failure }>;
type Refusal = Extract<ValidatorResult, { outcome: 'reject' | 'feedback' | 'stopped' }>;

function refuse(step: Step, verdict: Refusal, attempt: number, output?: Json): Refused {
  const { run, path, plan, task } = step;
  if (verdict.outcome === 'stopped') return { failure: verdict.failure, again: false };
  const { outcome } = verdict;
  const errors = outcome === 'reject' ? (verdict.errors ?? []) : [verdict.feedback];
  const judged = output === undefined ? {} : { output };
  write(run, path, 'ValidateFail', { validator: task.id, outcome, errors, ...judged });
  if (outcome === 'reject') {
    const message = `the validator rejects the value${reasonText(errors)}`;
    return { failure: makeFailure('Rejected', message, path, plan), again: false };
  }
  write(run, path, 'Feedback', { attempt, feedback: verdict.feedback });
  const message = `the validator asks for another attempt${reasonText(errors)}`;
  return { failure: makeFailure('Feedback', message, path, plan), again: true };
}

/** The first of a validator's reasons, in one line. */
function reasonText([first, ...more]: readonly Json[]): string {
  if (first === undefined) return '';
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const reason = isObject(first) && typeof first.message === 'string' ? first.message : first;
  return `: ${typeof reason === 'string' ? reason : JSON.stringify(reason)}${rest}`;
}

/** The outputs in the log, by path, without those that were undone. */
export function committedOutputs({ nodes, effects }: RunState): Readonly<Record<string, Json>> {
  const outputs: Record<string, Json> = {};
  for (const [path, { status, output }] of nodes) {
    if (status !== 'done' || output === undefined || output === null) continue;
    if (effects.get(path)?.status !== 'undone') outputs[path] = output;
  }
  return outputs;
}
