import { AlasError } from '@alas-jssp/core/errors';
import { createRandom, deriveSeedBy } from '@alas-jssp/core/random';
import type { Policy } from '../ir/workflow.js';
import type { Failure } from './entries.js';
import type { NodePlan } from './plan.js';

type Backoff = NonNullable<Policy['backoff']>;
type Retry = NonNullable<Policy['retry']>;

/** Default limits of policies, in seconds. */
export const DEFAULT_SECONDS = {
  /** For overdue answers, before an effect is undone and before the end of the run. */
  lateAnswer: 10,
  /** For the claim of another run on a key. */
  claim: 60,
  /** For compensators and their checks. */
  compensation: 60,
  /** For validators. */
  validation: 60,
} as const;

/**
 * The wait after a failed attempt, in seconds: the base, or doubled with each attempt up to the
 * cap; the share `jitter` of it is random, seeded by run, node and attempt.
 *
 * @param digest SHA-256 (hex) of a text
 * @param attempt the number of the failed attempt, from 1
 */
export function waitAfter(
  digest: (text: string) => string,
  backoff: Backoff | undefined,
  runId: string,
  nodeId: string,
  attempt: number,
): number {
  if (backoff === undefined) return 0;
  const { mode, base, cap = Number.POSITIVE_INFINITY, jitter } = backoff;
  const wait = Math.min(cap, mode === 'fixed' ? base : base * 2 ** (attempt - 1));
  if (jitter === 0) return wait;
  const random = createRandom(deriveSeedBy(digest, ['backoff', runId, nodeId, attempt]));
  return wait * (1 - jitter * random.next());
}

/** Whether a failure justifies another attempt. */
export function mayRetry(retry: Retry | undefined, code: string, attempt: number): boolean {
  if (retry === undefined || attempt >= retry.maxAttempts) return false;
  return matchesCode(retry.retryOn, code);
}

/** Whether a list of error codes contains a code; `*` matches all. */
export function matchesCode(codes: readonly string[], code: string): boolean {
  return codes.includes('*') || codes.includes(code);
}

/** A route after a failure: the handler node, or the node to return to. */
export type CatchRoute =
  | { readonly handler: string }
  | { readonly backTo: string; readonly times: number };

/** The route after a failure of a node; undefined if nothing catches it. */
export function routeOf({ node, policy, out }: NodePlan, code: string): CatchRoute | undefined {
  const rule = policy.catch?.find(({ errors }) => matchesCode(errors, code));
  if (rule === undefined) return undefined;
  if (rule.backTo !== undefined) return { backTo: rule.backTo, times: rule.times ?? 1 };
  const { handler } = rule;
  if (handler === undefined || handler === node.id) return undefined;
  // A rule of a default policy does not apply to nodes after its own handler.
  return out.some(({ kind }) => kind === 'catch') ? { handler } : undefined;
}

/**
 * The failure that a policy sees for an error: its code is `code`, or else its name; the step
 * declares whether it undoes earlier effects. An error with `unanswered: true` leaves the effect of
 * the attempt in doubt.
 */
export function failureOf(error: unknown, nodeId: string, node: NodePlan): Failure {
  const { code, message, unanswered } = describeThrown(error);
  const failure = makeFailure(code, message, nodeId, node);
  return unanswered === undefined ? failure : { ...failure, unanswered };
}

/** Limits on the length of codes and messages from user code. */
const LONGEST_CODE = 200;
const LONGEST_MESSAGE = 10_000;

/** The code and the text of any thrown value, bounded; never throws. */
export function describeThrown(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly unanswered?: true;
} {
  let message: string;
  try {
    const { message: own } = (error ?? {}) as { message?: unknown };
    message = typeof own === 'string' ? own : String(error);
  } catch {
    message = 'an error that cannot be read';
  }
  const described = { code: codeOf(error), message: shorten(message, LONGEST_MESSAGE) };
  return isUnanswered(error) ? { ...described, unanswered: true } : described;
}

/** Whether an error says that the outcome is unknown, such as that of a lost connection. */
function isUnanswered(error: unknown): boolean {
  try {
    return ((error ?? {}) as { unanswered?: unknown }).unanswered === true;
  } catch {
    return false;
  }
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** A failure of a step. */
export function makeFailure(
  code: string,
  message: string,
  nodeId: string,
  { policy }: NodePlan,
): Failure {
  const compensates = matchesCode(policy.compensation?.compensateOn ?? ['*'], code);
  return { code, message, nodeId, compensates };
}

/** A failure caused by the interpreter, such as a cancellation. */
export function stopFailure(code: string, message: string, nodeId = ''): Failure {
  return { code, message, nodeId, compensates: true };
}

/** The failure of a run whose effect was held until its deadline. */
export function deadlineFailure(path: string): Failure {
  return stopFailure('Deadline', `the deadline of ${path} has passed`, path);
}

/** The stable code of an error. */
export function codeOf(error: unknown): string {
  try {
    if (error instanceof AlasError) return error.code;
    const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
    if (typeof code === 'string') return shorten(code, LONGEST_CODE);
    return typeof name === 'string' ? shorten(name, LONGEST_CODE) : 'Error';
  } catch {
    // Handlers may throw anything, even unreadable values.
    return 'Error';
  }
}
