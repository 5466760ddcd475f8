import type { Workflow } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';

/** A failure of a step or a run, as the log holds it. */
export interface Failure {
  /** Stable and meant for programs: policies refer to it. */
  readonly code: string;
  readonly message: string;
  /** The path of the node where it began. */
  readonly nodeId: string;
  /** False if the step declares that this code is no reason to undo what was done before. */
  readonly compensates: boolean;
  /** The step failed after its handler had returned a value: its effect exists all the same. */
  readonly acted?: true;
  /** The attempt ended without an answer of the handler: its effect may exist, or appear later. */
  readonly unanswered?: true;
}

export type EffectClass = 'compensable' | 'partial' | 'irreversible';
export type TriggerKind = 'failure' | 'cancel' | 'manual' | 'deadline';

/**
 * The status of a run. `IN_DOUBT`: it has ended except for effects whose existence is unknown; an
 * answer, or `settleEffect`, settles the doubt.
 */
export type RunStatus =
  | 'COMPLETED'
  | 'COMPENSATED'
  | 'COMPENSATION_FAILED'
  | 'FAILED'
  | 'CANCELLED'
  | 'IN_DOUBT'
  | 'WAITING';

/** An effect of a run, as results list it. */
export interface EffectSummary {
  readonly nodeId: string;
  readonly effect: EffectClass;
  readonly idempotencyKey: string;
  readonly externalRef?: string | undefined;
}

/** An effect that still exists after a run that did not complete. */
export interface Remaining extends EffectSummary {
  /**
   * `declared`: this trigger does not undo it. `irreversible`: it cannot be undone. `partial`: it
   * can in part. `failed`: its compensator failed. `blocked`: an effect that builds on it could not
   * be undone. `used`: another step, or another run, that was not undone has the same effect.
   */
  readonly reason: 'declared' | 'irreversible' | 'partial' | 'failed' | 'blocked' | 'used';
  readonly detail?: string | undefined;
}

/** An effect whose existence is unknown: attempts at it were never answered. */
export interface Doubt extends EffectSummary {
  /** The attempts that may still answer; empty if their process has ended. */
  readonly attempts: readonly number[];
}

/** The payloads of the interpreter's entries, by type. */
export interface Payloads {
  /** `software`: the software that wrote it, such as `alas-jssp 1.0.0`. */
  StartRun: {
    workflow: Workflow;
    input: Json;
    seed: number;
    software: string;
    owner?: string;
    token?: number;
  };
  /** `would`: how a run in doubt ends if the effects in doubt do not exist. */
  EndRun: {
    status: RunStatus;
    output?: Json;
    error?: Failure | undefined;
    remaining?: readonly Remaining[];
    would?: RunStatus;
    inDoubt?: readonly Doubt[];
  };
  /**
   * `gone`: the owner before has ended, and its handlers with it: they will not answer any more.
   */
  Resume: { owner: string; token: number; gone: boolean };
  /** Of messages: `sent`, ISO 8601, if that was before the entry was written; limits compare it. */
  Cancel: { reason: string; by?: string; message?: number; sent?: string };
  /**
   * Of tasks: one for each attempt. `input` is the hash of the input, present if there is a key.
   */
  StartNode: { attempt?: number; handler?: string; key?: string; input?: string };
  /** `cached`: the node whose output it is. `taken`: the message that the node waited for. */
  EndNode: { output?: Json; externalRef?: string; cached?: string; taken?: number };
  FailNode: { error: Failure };
  SkipNode: Record<string, never>;
  Catch: { code: string; handler: string };
  /** All effects after the node `to` were undone, and the body continues from there. */
  Return: { to: string; nodes: readonly string[]; error?: Failure; by?: string };
  Retry: { attempt: number; error: Failure; wait: number };
  Timeout: { attempt: number; seconds: number };
  /** The answer of an overdue attempt. */
  Answer: { attempt: number; message?: number; failed?: string } & Partial<LateOutput>;
  Choose: { to: string | null; edge: number | null };
  Iterate: { index: number; end?: LoopEnd };
  Register: {
    key: string;
    effect: EffectClass;
    compensator: string | null;
    triggers: readonly string[];
    /** Milliseconds since 1970. */
    deadline?: number;
    input: Json;
  };
  /** `backTo`: the node after which a person wants the run to continue. */
  Trigger: { kind: TriggerKind; error?: Failure; by?: string; message?: number; backTo?: string };
  Compensate: { attempt: number; compensator: string; key: string; externalRef?: string };
  Compensated: { remaining?: string };
  CompensateFail: { attempt: number; error: string; code: string; wait?: number };
  /** `until`: when the wait is over, in milliseconds since 1970. */
  AwaitApproval: { name: string; until?: number | undefined };
  AwaitMessage: { name: string; until?: number | undefined };
  Approve: { name: string; by: string; message?: number; sent?: string };
  Deny: { name: string; by: string; reason: string; message?: number; sent?: string };
  Signal: { name: string; data: Json; by?: string; message: number; sent?: string };
  /** A person states whether an effect exists that is in doubt or could not be undone. */
  Settle: { happened: boolean; by: string; message?: number };
  /** `output`: the judged value, if it differs from the step's output. */
  ValidatePass: { validator: string; corrections?: readonly Json[]; output?: Json };
  ValidateFail: { validator: string; outcome: string; errors: readonly Json[]; output?: Json };
  HandOver: { validator: string; outcome: string; corrections?: readonly Json[] };
  Feedback: { attempt: number; feedback: Json };
  Inject: { label: string; kind: string; attempt: number };
  Snapshot: { state: Json };
}

/** The output of a handler that answered late. */
interface LateOutput {
  readonly output: Json;
  readonly externalRef?: string;
}

/** The end of a loop: its condition, or one of its guards. */
export type LoopEnd = 'until' | 'maxIters' | 'deadline' | 'timeBudget';
