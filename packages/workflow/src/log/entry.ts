/** A value that JSON can hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** All events of a run; the first eleven are those of the paper (A.1). */
export const EVENT_TYPES = [
  'StartNode',
  'EndNode',
  'ValidatePass',
  'ValidateFail',
  'RepairStart',
  'RepairApply',
  'RepairCommit',
  'Retry',
  'Catch',
  'Compensate',
  'Timeout',
  'StartRun',
  'EndRun',
  'Resume',
  'Cancel',
  'FailNode',
  'SkipNode',
  'Choose',
  'Iterate',
  'Register',
  'Compensated',
  'CompensateFail',
  'Trigger',
  'AwaitApproval',
  'Approve',
  'HandOver',
  'Feedback',
  'Inject',
  'Snapshot',
  'Answer',
  'AwaitMessage',
  'Signal',
  'Deny',
  'Settle',
  'Return',
  'Request',
  'Response',
  'Decide',
  'Bind',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Types of the entries that handlers may write: all others define the state of a run. */
export const OWN_EVENT_TYPES = [
  'ValidatePass',
  'ValidateFail',
  'RepairStart',
  'RepairApply',
  'RepairCommit',
  'Request',
  'Response',
  'Decide',
  'Bind',
] as const satisfies readonly EventType[];
export type OwnEventType = (typeof OWN_EVENT_TYPES)[number];

/** An entry to be appended; the store adds version, previous hash and hash. */
export interface NewEntry {
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly ts: string;
  /** The path of the node, such as `repair[2]/propose`; empty for the run itself. */
  readonly nodeId: string;
  readonly eventType: EventType;
  readonly payload: Json;
  /** Groups the entries of one execution of one node: all its attempts and its undo. */
  readonly correlationId: string;
}

/** An immutable entry of the log. */
export interface LogEntry extends NewEntry {
  /** Index in the log of its run, from 0 without gaps. */
  readonly version: number;
  /** SHA-256 (hex) over the canonical JSON of the entry and the hash of the one before it. */
  readonly hash: string;
}
