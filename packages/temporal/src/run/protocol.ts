import type {
  Doubt,
  EffectSummary,
  EventType,
  Failure,
  FaultRules,
  InboxMessage,
  Json,
  LogEntry,
  LogSchema,
  PendingWait,
  Remaining,
  RunStatus,
  TaskNode,
  Workflow,
} from '@alas-jssp/workflow/interpreter';
import type { ClaimRequest } from './claim-workflow.js';
import type { CodedValue } from './coded.js';

/** The input of `alasRun`. */
export interface RunStart {
  /** The id of the run, in its log and on the server. */
  readonly runId: string;
  readonly workflow: Workflow;
  readonly input: Json;
  readonly seed: number;
  /** The name and version of the software that starts it. */
  readonly software: string;
  /** Approvals given in advance: the approver by name of the approval. */
  readonly approvals: Readonly<Record<string, string>>;
  readonly maxConcurrency?: number | undefined;
  /** Faults to inject. */
  readonly inject?: FaultRules | undefined;
  /** Whether the checker is skipped. */
  readonly unchecked?: boolean | undefined;
  /** Seconds without a sign of life after which the worker of a step counts as lost. */
  readonly leaseSeconds: number;
  /** Seconds for which a run in doubt, or that could not be undone, stays open. */
  readonly openSeconds: number;
  /** The handlers that lead to the registry of a child; empty for a run that is none. */
  readonly within: readonly string[];
  /**
   * Events after which the run continues in a new history. Default: when the server suggests it.
   */
  readonly renewAfter?: number | undefined;
  /** The state from which it continues, if it began in another history. */
  readonly carried?: CarriedRun | undefined;
}

/** A run between two histories. */
export interface CarriedRun {
  /** Its state, encoded. */
  readonly state: Json;
  readonly startedAt: string;
  /** Number of entries so far, in the earlier histories. */
  readonly versions: number;
  readonly token: number;
  /** Whether it had ended: it continues because a message asks to undo it. */
  readonly ended: boolean;
  readonly facts: RegistryFacts;
  /** Messages that are not in the log yet, and the number of the last. */
  readonly inbox: readonly InboxMessage[];
  readonly lastMessage: number;
  readonly claims: readonly (readonly [string, string])[];
  readonly children: readonly (readonly [string, ChildEnd])[];
  /** The previous execution, whose history holds the entries before. */
  readonly before: string;
}

/** The end of a child. */
export interface ChildEnd {
  readonly start: RunStart;
  readonly outcome: RunOutcome;
}

/** The end of a run as JSON, or that it waits. */
export interface RunOutcome {
  readonly runId: string;
  readonly status: RunStatus;
  readonly output: Json;
  readonly error?: Failure | undefined;
  readonly committed: readonly EffectSummary[];
  readonly undone: readonly EffectSummary[];
  readonly remaining: readonly Remaining[];
  readonly inDoubt: readonly Doubt[];
  readonly waitsFor: readonly PendingWait[];
  readonly versions: number;
  /** The outputs of the nodes of the workflow itself, by id. */
  readonly outputs: Readonly<Record<string, Json>>;
  /** Of a child: the data needed to undo it later. */
  readonly carried?: CarriedRun | undefined;
}

/** A message to a run, as signal `message` and update `post` carry it. */
export interface RunMessage {
  readonly kind: string;
  readonly data: Json;
  /** ISO 8601, UTC: the send time, which is compared with limits. Default: the time of receipt. */
  readonly ts?: string | undefined;
}

/** The answer to the query `status`. */
export interface RunState {
  /** `RUNNING` until it has ended or waits for a message. */
  readonly status: RunStatus | 'RUNNING';
  /** Entries in its log. */
  readonly versions: number;
  /** There from the moment when it has ended or waits. */
  readonly outcome?: RunOutcome | undefined;
}

/** The facts about the handler of a task that a workflow needs, and only workers know. */
export interface TaskFacts {
  readonly pure: boolean;
  readonly outputValidator: boolean;
  readonly inputValidator: boolean;
  /** Whether its input or output has another form in the log. */
  readonly input: boolean;
  readonly output: boolean;
  /** The workflow that the handler runs as a child run. */
  readonly child?: Workflow | undefined;
}

/** The facts about a registry that a workflow needs. */
export interface RegistryFacts {
  /** By the id of the task and the name of its handler: {@link factsKey}. */
  readonly tasks: Readonly<Record<string, TaskFacts>>;
  /** Whether the input of the run has another form in the log. */
  readonly input: boolean;
  /** Names of the compensators that undo child runs. */
  readonly ofChildren: readonly string[];
}

/** The id of the workflow that manages a key, made of the SHA-256 of the key. */
export function claimIdOf(digest: string): string {
  return `alas-claim/${digest}`;
}

/** The name of a task among the facts: it determines its handler and its validators. */
export function factsKey({ id, handler = id }: Pick<TaskNode, 'id' | 'handler'>): string {
  return `${handler}|${id}`;
}

/** Work for a worker with its registry: the input of every activity of a run. */
export type StepCall = StepWork & {
  /** The handlers that lead to the registry of a child: the first of the worker's own registry. */
  readonly within: readonly string[];
};

/** Work for a registry. */
export type StepWork =
  | {
      readonly kind: 'facts';
      readonly workflow: Workflow;
      readonly input: Json;
      readonly unchecked: boolean;
      /** Codes of violations in faults. */
      readonly violations: readonly string[];
    }
  | (CallOf<'handler'> & {
      readonly input: CodedValue;
      readonly key: string;
      readonly seed: number;
      readonly feedback: readonly Json[];
    })
  | (CallOf<'compensator'> & {
      readonly name: string;
      readonly key: string;
      readonly seed: number;
      readonly input: CodedValue;
      readonly output?: CodedValue | undefined;
      readonly externalRef?: string | undefined;
    })
  | Judging<'outputValidator'>
  | Judging<'inputValidator'>
  | { readonly kind: 'encode'; readonly task: TaskNode; readonly input: CodedValue }
  | { readonly kind: 'violate'; readonly code: string; readonly output: Json }
  | { readonly kind: 'claim'; readonly id: string; readonly request: ClaimRequest };

type Judging<Kind extends string> = CallOf<Kind> & {
  readonly value: Json;
  /** Of an output: the input of the step. */
  readonly input?: Json | undefined;
  readonly committed: Readonly<Record<string, Json>>;
};

interface CallOf<Kind extends string> {
  readonly kind: Kind;
  readonly runId: string;
  readonly task: TaskNode;
  readonly path: string;
  readonly attempt: number;
  /** The part of the log that the task may see; undefined if its node names none. */
  readonly slice?: readonly LogEntry[] | undefined;
  /** The schema for entries of the handler. */
  readonly logSchema?: (LogSchema & Pick<Workflow, 'schemas'>) | undefined;
}

/** The answer of a call. */
export interface StepAnswer {
  /** The value as the log holds it. */
  readonly json: Json;
  /** The reason why the value cannot be logged. */
  readonly unfit?: { readonly code: string; readonly message: string } | undefined;
  readonly externalRef?: string | undefined;
  /** The handler's own entries. */
  readonly own: OwnEntries;
}

/** Entries that a handler wrote, in order. */
export type OwnEntries = readonly (readonly [EventType, Json])[];

/**
 * The part of the memo with the state of a resting run: it waits, or has ended and accepts
 * messages.
 */
export const RESTS = 'rests';

/** The failure type of an activity without a handler on its worker: another may take it. */
export const NOT_HERE = 'NotOnThisWorker';

/** The failure type of an activity whose worker is shutting down. */
export const LEFT = 'WorkerLeft';

/** The workflow function of a run, as its starters see it: `alasRun`. */
export type RunFunction = (start: RunStart) => Promise<RunOutcome>;
