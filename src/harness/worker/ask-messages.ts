import { AlasError } from '../../core/errors.js';
import type { Answer, LlmRequest } from '../../llm/client.js';
import { LlmError, type LlmErrorCode } from '../../llm/errors.js';
import { errorLine } from '../../pipeline/error-line.js';
import type { AskWait } from '../../pipeline/planners/question.js';

/** What the thread of a task says to the main thread, where all models are asked. */
export type AskMessage =
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  /** Nobody waits for that answer any longer. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** It waits before it asks again. */
  | { readonly kind: 'wait'; readonly wait: AskWait };

/** A question to the model of a task. */
export interface Question {
  readonly request: LlmRequest;
  readonly replicate: number;
}

/** What the main thread says to the thread of a task. */
export type TaskMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: AskFailure }
  /** The search is to end with its best so far. */
  | { readonly kind: 'interrupt' }
  /** The task is to end now: its time is over, or that of the run. */
  | { readonly kind: 'stop'; readonly reason: string };

/** An error as one thread hands it to another. */
export interface AskFailure {
  readonly code: string;
  readonly message: string;
  /** Of errors of providers only. */
  readonly retryAfterSeconds: number | null | undefined;
}

/** An error in parts. */
export function describeFailure(error: unknown): AskFailure {
  const { code } = (error ?? {}) as { code?: unknown };
  return {
    code: typeof code === 'string' ? code : 'Error',
    message: errorLine(error),
    retryAfterSeconds: error instanceof LlmError ? error.retryAfterSeconds : undefined,
  };
}

/** The error of these parts. */
export function errorOf({ code, message, retryAfterSeconds }: AskFailure): AlasError {
  return retryAfterSeconds === undefined
    ? new AlasError(code, message)
    : new LlmError(code as LlmErrorCode, message, undefined, retryAfterSeconds);
}
