import type { Workflow } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';

/** A failure of a step or a run, as the log tells it. */
export interface Failure {
  /** Stable and meant for programs: policies refer to it. */
  readonly code: string;
  readonly message: string;
  /** The path of the node where it began. */
  readonly nodeId: string;
  /** False if the step declares that this code is no reason to undo what was done before. */
  readonly compensates: boolean;
  /** The step failed after its handler had given something: its effect is there all the same. */
  readonly acted?: true;
  /** The attempt ended without an answer of the handler: its effect may be there, or yet to come. */
  readonly unanswered?: true;
}

export type EffectClass = 'compensable' | 'partial' | 'irreversible';
export type TriggerKind = 'failure' | 'cancel' | 'manual' | 'deadline';

/**
 * The status of a run. `IN_DOUBT`: it has come to its end but for effects of which nobody knows
 * whether they are there; an answer, or `settleEffect`, closes the doubt.
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

/** An effect that is still there after a run that did not complete. */
export interface Remaining extends EffectSummary {
  /**
   * `declared`: it is not to be undone by this trigger. `irreversible`: it cannot be. `partial`: in
   * part. `failed`: its compensator failed. `blocked`: what builds on it could not be undone.
   * `used`: another step, or another run, that was not undone has the same effect.
   */
  readonly reason: 'declared' | 'irreversible' | 'partial' | 'failed' | 'blocked' | 'used';
  readonly detail?: string | undefined;
}

/** An effect of which nobody knows whether it is there: attempts at it were never answered. */
export interface Doubt extends EffectSummary {
  /** The attempts that may still answer; empty if the process that made them has ended. */
  readonly attempts: readonly number[];
}

/** The payloads of the entries that the interpreter writes, by type. */
export interface Payloads {
  /** `software`: what wrote it, such as `alas-jssp 0.1.0`. */
  StartRun: {
    workflow: Workflow;
    input: Json;
    seed: number;
    software: string;
    owner?: string;
    token?: number;
  };
  /** `would`: how a run in doubt ends if what is in doubt is not there. */
  EndRun: {
    status: RunStatus;
    output?: Json;
    error?: Failure | undefined;
    remaining?: readonly Remaining[];
    would?: RunStatus;
    inDoubt?: readonly Doubt[];
  };
  /** `gone`: the owner before has ended, and its handlers with it: they will not answer any more. */
  Resume: { owner?: string; token?: number; gone?: boolean };
  /** Of messages: `sent`, ISO 8601, if that was before the entry was written; limits compare it. */
  Cancel: { reason: string; by?: string; message?: number; sent?: string };
  /** Of tasks: one for each attempt. `input` is the hash of the input, given if there is a key. */
  StartNode: { attempt?: number; handler?: string; key?: string; input?: string };
  /** `cached`: whose output it is. `taken`: the message that the node waited for. */
  EndNode: { output?: Json; externalRef?: string; cached?: string; taken?: number };
  FailNode: { error: Failure };
  SkipNode: Record<string, never>;
  Catch: { code: string; handler: string };
  /** All that came after the node `to` was undone, and the body goes on from there. */
  Return: { to: string; nodes: readonly string[]; error?: Failure; by?: string };
  Retry: { attempt: number; error: Failure; wait: number };
  /** With `late` (logs of version 0.1): what a handler gave after its time was up. */
  Timeout: { attempt: number; seconds?: number; late?: LateOutput };
  /** The answer of an attempt that nobody waited for any longer. */
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
  /** `backTo`: the node after which a person wants the run to go on. */
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
  /** A person says whether an effect is there. */
  Settle: { happened: boolean; by: string; message?: number };
  /** `output`: what was judged, where it is not what the step then gave. */
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
