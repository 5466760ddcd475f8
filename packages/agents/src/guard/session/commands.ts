import type { Json } from '@alas-jssp/workflow';

/** The name of the messages by which a session receives its commands. */
export const GUARD_COMMAND = 'guard-command';

/** The names of messages that only inform: reads, and processes of servers. */
export const GUARD_READ = 'guard-read';
export const GUARD_PROCESS = 'guard-process';

/** The name of the workflow of sessions. */
export const GUARD_WORKFLOW = 'guard';

/** A call of a tool that is no read. */
export interface CallCommand {
  /** `hold`: it waits for an approval; `call` with `approval`: it was approved. */
  readonly kind: 'call' | 'hold';
  /** Its number in the session, from 1. */
  readonly call: number;
  /** The node of its tool in the workflow. */
  readonly node: string;
  /** The name by which the client called it. */
  readonly tool: string;
  readonly server: string;
  readonly input: Json;
  /** The key by which the client names the request, if it has one. */
  readonly requestKey?: string;
}

export type GuardCommand = CallCommand | { readonly kind: 'commit' };

/** A call with the facts that its undo needs. */
export interface PreparedCall extends CallCommand {
  readonly prepared: Json;
}

/** The output of the step that calls a tool. */
export interface PerformedCall {
  readonly call: number;
  /** The answer of the tool, packed; null if it was lost and the effect was found. */
  readonly answer: Json;
  /** The value of the answer for mappings, packed. */
  readonly value: Json;
  /** The state after the call; null if it is unknown. */
  readonly after: Json;
  readonly observed: 'done' | 'not-done' | 'partly' | 'unknown';
}

/** The status of a call in the words that a model receives. */
export type CallStatus = 'done' | 'in-doubt' | 'refused' | 'waiting-for-approval' | 'undone';

/** The outcome of a command, the output of an iteration. */
export interface GuardOutcome {
  readonly over: boolean;
  readonly call: number | null;
  readonly status: CallStatus | 'committed';
  readonly message: string;
  /** The answer of the tool, packed. */
  readonly answer?: Json;
}

/** The codes of failures of a call, by which its outcome is told apart. */
export const CALL_CODES = {
  /** Nothing was called. */
  refused: 'Refused',
  /** The tool has failed, and nothing has changed. */
  notDone: 'NotDone',
  /** The tool has failed, and something has changed: it is taken back. */
  failed: 'ToolFailed',
  /** The server may still act. */
  inDoubt: 'InDoubt',
  /** A validator rejected the call, or with it the session. */
  rejected: 'Rejected',
  rejectedSession: 'SessionRejected',
} as const;
