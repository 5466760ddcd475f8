import type { Tool } from '@alas-jssp/agents';

/** The disturbance of a call of a tool, or of an agent. */
export type FaultKind =
  /** It fails with a code of its own, and has changed nothing. */
  | 'fails'
  /** The connection is lost before it acts. */
  | 'unreachable'
  /** It acts, and its answer is lost. */
  | 'answer lost'
  /** It acts, its answer is lost, and its repeats are refused with a code that the tool declares. */
  | 'answer lost, repeat refused'
  /** It acts after the limit of its time, and then answers: while overdue answers are awaited, or long after. */
  | 'late'
  | 'very late'
  /** It acts, and never answers. */
  | 'never answers'
  /** It is called twice with the same key. */
  | 'doubled';

/** A fault of the calls of a node. */
export interface CallFault {
  readonly kind: FaultKind;
  /** The node of the template; null for any. */
  readonly node: string | null;
  /** Whether it hits the work of the node, or its undo. */
  readonly of: 'call' | 'undo';
  /** Calls that it hits, from 1; null for all. */
  readonly calls: readonly number[] | null;
}

/** A call of a tool or an agent in a rehearsal. */
export interface PlaceOfCall {
  /** The node of the template. */
  readonly node: string;
  readonly of: 'call' | 'undo';
  /** The number of the call among those of the same path, from 1. */
  readonly number: number;
}

/** The decision of people on approvals. */
type Decisions = 'given' | 'denied' | 'not given' | 'given by a stranger';

/** The kill of the process at an entry of its log. */
export interface KillFault {
  /** The number of the append, from 1. */
  readonly append: number;
  /** Whether the entry is durable. */
  readonly when: 'before' | 'after';
}

/** Faults of a rehearsed run. */
export interface RunFaults {
  readonly calls: readonly CallFault[];
  readonly kills: readonly KillFault[];
  readonly decisions: Decisions;
  /** The name of the approval that `decisions` is about; null for all. Others are given. */
  readonly approval: string | null;
  /** The append at which a person cancels the run. */
  readonly cancelAt?: number | undefined;
}

/** A run without faults: every call answers, no process ends, and approvals are given. */
export const NO_RUN_FAULTS: RunFaults = {
  calls: [],
  kills: [],
  decisions: 'given',
  approval: null,
};

/** The first fault that hits a call. */
export function faultOf(
  { calls }: Pick<RunFaults, 'calls'>,
  place: PlaceOfCall,
): FaultKind | undefined {
  const hit = calls.find(
    (fault) =>
      (fault.node === null || fault.node === place.node) &&
      fault.of === place.of &&
      (fault.calls === null || fault.calls.includes(place.number)),
  );
  return hit?.kind;
}

/** Whether a tool that has acted may refuse the repeat of the call, as if nothing had changed. */
export function mayRefuseRepeat({ access, idempotent, refusals = [] }: Tool): boolean {
  return access !== 'read' && idempotent && refusals.length > 0;
}
