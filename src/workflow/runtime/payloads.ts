import type { Workflow } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';

/** Why a step or a run failed, as the log tells it. */
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
}

export type EffectClass = 'compensable' | 'partial' | 'irreversible';
export type TriggerKind = 'failure' | 'cancel' | 'manual' | 'deadline';
export type RunStatus =
  | 'COMPLETED'
  | 'COMPENSATED'
  | 'COMPENSATION_FAILED'
  | 'FAILED'
  | 'CANCELLED'
  | 'WAITING';

/** An effect that is still there after a run that did not complete. */
export interface Remaining {
  readonly nodeId: string;
  readonly effect: EffectClass;
  readonly idempotencyKey: string;
  readonly externalRef?: string | undefined;
  /**
   * `declared`: it is not to be undone by this trigger. `irreversible`: it cannot be. `partial`: in
   * part. `failed`: its compensator failed. `blocked`: what builds on it could not be undone.
   */
  readonly reason: 'declared' | 'irreversible' | 'partial' | 'failed' | 'blocked';
  readonly detail?: string | undefined;
}

/** The payloads of the entries that the runtime writes, by type. */
export interface Payloads {
  /** `software`: what wrote it, such as `alas-jssp 0.1.0`. */
  StartRun: { workflow: Workflow; input: Json; seed: number; software: string };
  EndRun: {
    status: RunStatus;
    output?: Json;
    error?: Failure;
    remaining?: readonly Remaining[];
  };
  Resume: Record<string, never>;
  Cancel: { reason: string };
  /** Of tasks: one for each attempt. `input` is the hash of the input, given if there is a key. */
  StartNode: { attempt?: number; handler?: string; key?: string; input?: string };
  EndNode: { output?: Json; externalRef?: string; cached?: string };
  FailNode: { error: Failure };
  SkipNode: Record<string, never>;
  Catch: { code: string; handler: string };
  Retry: { attempt: number; error: Failure; wait: number };
  /** With `late`: what a handler gave after its time was up. */
  Timeout: { attempt: number; seconds?: number; late?: Late };
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
  Trigger: { kind: TriggerKind; error?: Failure; by?: string };
  Compensate: { attempt: number; compensator: string; key: string; externalRef?: string };
  Compensated: { remaining?: string };
  CompensateFail: { attempt: number; error: string; code: string; wait?: number };
  AwaitApproval: { name: string };
  Approve: { name: string; by: string };
  /** `output`: what was judged, where it is not what the step then gave. */
  ValidatePass: { validator: string; corrections?: readonly Json[]; output?: Json };
  ValidateFail: { validator: string; outcome: string; errors: readonly Json[]; output?: Json };
  HandOver: { validator: string; outcome: string; corrections?: readonly Json[] };
  Feedback: { attempt: number; feedback: Json };
  Inject: { label: string; kind: string; attempt: number };
  Snapshot: { state: Json };
}

/** The late output of a handler that nobody waited for any longer. */
interface Late {
  readonly output: Json;
  readonly externalRef?: string;
}

/** Why a loop ended: its condition, or one of its guards. */
export type LoopEnd = 'until' | 'maxIters' | 'deadline' | 'timeBudget';
