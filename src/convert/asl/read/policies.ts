import type { z } from 'zod';
import type { Policy, workflowSchema } from '../../../workflow/ir/workflow.js';
import type { Feature, SupportLevel } from '../../report.js';
import type { Fields } from './form.js';

/** A workflow as it is written, with nothing filled in. */
export type WorkflowDocument = z.input<typeof workflowSchema>;
export type PolicyDocument = NonNullable<NonNullable<WorkflowDocument['policies']>[string]>;
export type NodeDocument = WorkflowDocument['nodes'][number];
export type EdgeDocument = WorkflowDocument['edges'][number];

/** Takes note of how a feature of one state is said in a workflow. */
export type Note = (feature: Feature, level: SupportLevel, how: string) => void;

/** The longest that a task may take where a state names no limit, in seconds: some three years. */
const NO_TIMEOUT = 99_999_999;

/** The items that fit into 256 KiB, the most that an input may hold. */
export const MOST_ITEMS = 131_072;

/** The names of errors that the language reserves, and the codes that they have here. */
const CODES: Readonly<Record<string, string>> = {
  'States.ALL': '*',
  'States.Timeout': 'Timeout',
  'States.HeartbeatTimeout': 'Timeout',
  'States.NoChoiceMatched': 'NoBranch',
};

/** The policy of a task, as far as it can say what its state says; the rest is noted. */
export function policyOfTask(state: Fields, note: Note): PolicyDocument {
  const { HeartbeatSeconds } = state;
  const limit = typeof state.TimeoutSeconds === 'number' ? state.TimeoutSeconds : NO_TIMEOUT;
  for (const key of ['TimeoutSeconds', 'TimeoutSecondsPath'] as const) {
    const computed = key in state && typeof state[key] !== 'number';
    if (computed) note('timeout', 'unsupported', `${key} is computed, and policies hold numbers`);
  }
  if (HeartbeatSeconds !== undefined || state.HeartbeatSecondsPath !== undefined) {
    const how = 'a task has no heartbeat: that it is gone shows when its timeout passes';
    note('timeout', 'static-only', how);
  }
  const timed = limit < NO_TIMEOUT || HeartbeatSeconds !== undefined;
  return { timeout: { seconds: limit }, ...retryOf(state.Retry, timed, note) };
}

function retryOf(rules: unknown, timed: boolean, note: Note): Pick<Policy, 'retry' | 'backoff'> {
  const retriers = (Array.isArray(rules) ? rules : []) as Fields[];
  const [first, ...others] = retriers.filter(({ MaxAttempts }) => MaxAttempts !== 0);
  if (retriers.length > others.length + 1) {
    const how = 'errors that are not tried again are named beside others that are';
    if (first !== undefined) note('retry', 'unsupported', how);
  }
  if (first === undefined) return {};
  if (others.some((other) => waitsOf(other) !== waitsOf(first))) {
    const how = 'a policy has one number of attempts and one backoff for all errors';
    note('retry', 'unsupported', how);
  } else if (others.length > 0) {
    note('retry', 'emulated', 'the attempts after all these errors are counted together');
  }
  const retryOn = [first, ...others].flatMap((one) =>
    codesOf(one.ErrorEquals, timed, 'retry', note),
  );
  const { IntervalSeconds = 1, MaxAttempts = 3, BackoffRate = 2 } = first;
  const { MaxDelaySeconds, JitterStrategy } = first;
  if (BackoffRate !== 1 && BackoffRate !== 2) {
    note(
      'backoff',
      'unsupported',
      `waits stay the same or double, the rate ${BackoffRate} is neither`,
    );
  }
  return {
    retry: { maxAttempts: Number(MaxAttempts) + 1, retryOn: [...new Set(retryOn)] },
    backoff: {
      mode: BackoffRate === 1 ? 'fixed' : 'exponential',
      base: Number(IntervalSeconds),
      ...(MaxDelaySeconds === undefined ? {} : { cap: Number(MaxDelaySeconds) }),
      jitter: JitterStrategy === 'FULL' ? 1 : 0,
    },
  };
}

/** The waits of a retrier as a text. */
function waitsOf(retrier: Fields): string {
  const { IntervalSeconds = 1, MaxAttempts = 3, BackoffRate = 2 } = retrier;
  const { MaxDelaySeconds, JitterStrategy = 'NONE' } = retrier;
  return JSON.stringify([
    IntervalSeconds,
    MaxAttempts,
    BackoffRate,
    MaxDelaySeconds,
    JitterStrategy,
  ]);
}

/**
 * The codes of a list of names of errors.
 *
 * @param timed whether the state has a timeout: without one any error is an error of the task
 */
export function codesOf(
  names: unknown,
  timed: boolean,
  feature: 'retry' | 'catch',
  note: Note,
): string[] {
  return (Array.isArray(names) ? names : []).map((name: string) => {
    if (name === 'States.TaskFailed') {
      const how = 'States.TaskFailed is any error but a timeout, and * is a timeout, too';
      if (timed) note(feature, 'unsupported', how);
      return '*';
    }
    return Object.hasOwn(CODES, name) ? CODES[name] : name;
  });
}
