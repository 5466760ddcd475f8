import type { Json, NewEntry } from '../log/entry.js';
import { armDeadline } from './effects.js';
import type { Failure, Payloads } from './entries.js';
import { isPromise, type Maybe } from './host.js';
import { type EffectKey, isResource } from './keys.js';
import { codeOf, failureOf } from './policies.js';
import { append, makeEntry, type Step, write } from './run.js';

/** An input as the log stores it, or the reason why it cannot. */
type Encoded =
  | { readonly json: Json; readonly failure?: undefined }
  | { readonly json?: undefined; readonly failure: Failure };

/** The input of a step whose effect must be registered, as the log stores it. */
export function encodeInput(step: Step, effect: EffectKey | undefined): Maybe<Encoded | undefined> {
  const { run, path, plan, task, input } = step;
  if (effect === undefined || task.effect === 'none' || run.state.effects.has(path)) return;
  const refuse = (error: unknown) => ({ failure: failureOf(error, path, plan) });
  try {
    const json = run.host.encodeInput(task, input);
    return isPromise(json)
      ? Promise.resolve(json).then((done) => ({ json: done }), refuse)
      : { json };
  } catch (error) {
    return refuse(error);
  }
}

/** Logs the start of an attempt; returns a failure if the log cannot store its input. */
export function begin(
  step: Step,
  effect: EffectKey | undefined,
  attempt: number,
  input: Json | undefined,
): Failure | undefined {
  const { run, path, plan } = step;
  try {
    register(step, effect, attempt, input ?? null);
    return undefined;
  } catch (error) {
    if (run.broken !== undefined || codeOf(error) === 'claimed') throw error;
    return failureOf(error, path, plan);
  }
}

function register(step: Step, effect: EffectKey | undefined, attempt: number, encoded: Json): void {
  const { run, path, task, name } = step;
  if (effect === undefined) {
    write(run, path, 'StartNode', { attempt });
    return;
  }
  const { key, inputHash } = effect;
  const details = { attempt, handler: name, key, input: inputHash };
  const entries = [makeEntry(run, path, 'StartNode', details)];
  const claim = isResource(step) ? { key, nodeId: path, handler: name, inputHash } : undefined;
  const registered = task.effect === 'none' || run.state.effects.has(path);
  if (task.effect !== 'none' && !registered) {
    entries.push(registration(step, task.effect, key, encoded));
  }
  append(run, entries, claim && { claim });
  if (task.effect === 'none') return;
  run.inputs.set(path, step.input);
  if (!registered) armDeadline(run, path);
}

function registration(
  { run, path, plan }: Step,
  effect: Payloads['Register']['effect'],
  key: string,
  input: Json,
): NewEntry {
  const { compensation } = plan.policy;
  const seconds = compensation?.deadlineSeconds;
  const timed = compensation?.triggers.includes('deadline') && seconds !== undefined;
  return makeEntry(run, path, 'Register', {
    key,
    effect,
    compensator: compensation?.handler ?? null,
    triggers: compensation?.triggers ?? [],
    input,
    ...(timed ? { deadline: run.host.now() + seconds * 1000 } : {}),
  });
}
