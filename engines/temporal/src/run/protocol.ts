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
} from 'alas-jssp/interpreter';
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
  /** Approvals that are given beforehand: by whom, by name. */
  readonly approvals: Readonly<Record<string, string>>;
  readonly maxConcurrency?: number | undefined;
  /** Faults to inject. */
  readonly inject?: FaultRules | undefined;
  /** Whether the checker was told to let everything pass. */
  readonly unchecked?: boolean | undefined;
  /** Seconds without a sign of life after which the worker of a step counts as lost. */
  readonly leaseSeconds: number;
  /** Seconds for which a run in doubt, or that could not be undone, stays open. */
  readonly openSeconds: number;
  /** The handlers that lead to the registry of a child; empty for a run that is none. */
  readonly within: readonly string[];
  /** Events after which the run is gone on with in a new history. Default: as many as the server likes. */
  readonly renewAfter?: number | undefined;
  /** Where it is gone on with, if it has begun before. */
  readonly carried?: CarriedRun | undefined;
}

/** A run on its way from one history to the next. */
export interface CarriedRun {
  /** Its state, encoded. */
  readonly state: Json;
  readonly startedAt: string;
  /** Entries so far, which stand in the histories before. */
  readonly versions: number;
  readonly token: number;
  /** Whether it had ended: it is gone on with because somebody wants it undone. */
  readonly ended: boolean;
  readonly facts: RegistryFacts;
  /** Messages that do not stand in the log yet, and the number of the last. */
  readonly inbox: readonly InboxMessage[];
  readonly lastMessage: number;
  readonly claims: readonly (readonly [string, string])[];
  readonly children: readonly (readonly [string, ChildEnd])[];
  /** The execution before, in whose history the entries before stand. */
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
  /** Of a child: all that it takes to undo it later. */
  readonly carried?: CarriedRun | undefined;
}

/** A message to a run, as signal `message` and update `post` carry it. */
export interface RunMessage {
  readonly kind: string;
  readonly data: Json;
  /** ISO 8601, UTC: when it was sent, which decides about limits. Default: when a worker takes it. */
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

/** The facts about the handler of a task that a workflow must know, and only workers do. */
export interface TaskFacts {
  readonly pure: boolean;
  readonly outputValidator: boolean;
  readonly inputValidator: boolean;
  /** Whether values that it takes or gives have another form in the log. */
  readonly input: boolean;
  readonly output: boolean;
  /** The workflow that the handler runs as a run of its own. */
  readonly child?: Workflow | undefined;
}

/** The facts about a registry, as far as a workflow is concerned. */
export interface RegistryFacts {
  /** By the id of the task and the name of its handler: {@link factsKey}. */
  readonly tasks: Readonly<Record<string, TaskFacts>>;
  /** Whether the input of the run has another form in the log. */
  readonly input: boolean;
  /** Names of the compensators that undo what children did. */
  readonly ofChildren: readonly string[];
}

/** The id of the workflow that keeps a key, made of the SHA-256 of that. */
export function claimIdOf(digest: string): string {
  return `alas-claim/${digest}`;
}

/** The key of a task among the facts: what decides its handler and its validators. */
export function factsKey({ id, handler = id }: Pick<TaskNode, 'id' | 'handler'>): string {
  return `${handler}|${id}`;
}

/** Something that a worker is to do with its registry: the input of every activity of a run. */
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
      /** Codes of violations that faults ask for. */
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
  readonly committed: Readonly<Record<string, Json>>;
};

interface CallOf<Kind extends string> {
  readonly kind: Kind;
  readonly runId: string;
  readonly task: TaskNode;
  readonly path: string;
  readonly attempt: number;
  /** The part of the log that the task may see; undefined where its node names none. */
  readonly slice?: readonly LogEntry[] | undefined;
  /** The schema that entries of the handler's own must fit. */
  readonly logSchema?: (LogSchema & Pick<Workflow, 'schemas'>) | undefined;
}

/** The answer of a call. */
export interface StepAnswer {
  /** The value as the log holds it. */
  readonly json: Json;
  /** Why the value cannot go into a log. */
  readonly unfit?: { readonly code: string; readonly message: string } | undefined;
  readonly externalRef?: string | undefined;
  /** Entries of the handler's own. */
  readonly own: OwnEntries;
}

/** Entries that a handler wrote, in order. */
export type OwnEntries = readonly (readonly [EventType, Json])[];

/** The part of the memo that says how a run rests: it waits, or has ended and is open to messages. */
export const RESTS = 'rests';

/** The type of a failure of an activity for want of a handler on its worker: another may take it. */
export const NOT_HERE = 'NotOnThisWorker';

/** The type of a failure of an activity whose worker was told to leave. */
export const LEFT = 'WorkerLeft';

/** A workflow that is a run, as those see it that start one: `alasRun`. */
export type RunFunction = (start: RunStart) => Promise<RunOutcome>;
