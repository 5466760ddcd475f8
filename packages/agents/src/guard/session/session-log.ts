import {
  applyEntry,
  foldLog,
  type Json,
  type LogEntry,
  type LogStore,
  type RunState,
} from '@alas-jssp/workflow';
import { isInDoubt } from '@alas-jssp/workflow/interpreter';
import {
  CALL_CODES,
  type CallCommand,
  type CallStatus,
  GUARD_COMMAND,
  GUARD_PROCESS,
  type GuardCommand,
  type GuardOutcome,
} from './commands.js';

/** A call of a session. */
export interface CallRecord {
  readonly call: number;
  readonly tool: string;
  readonly server: string;
  /** Packed. */
  readonly input: Json;
  readonly requestKey?: string | undefined;
  /** `running`: it has no outcome yet; `undo-failed`: it still exists. */
  readonly status: CallStatus | 'running' | 'undo-failed';
  readonly message: string;
  /** The answer of the tool, packed; undefined if there is none. */
  readonly answer?: Json | undefined;
  /** The name of the approval that it needs. */
  readonly approval?: string | undefined;
  /** The person who approved it. */
  readonly approvedBy?: string | undefined;
  /** The path of its step in the log, for `alas-jssp log`. */
  readonly nodeId?: string | undefined;
}

/** A call as the entries so far describe it. */
interface KnownCall {
  command: CallCommand;
  /** The path of its step, once its iteration has begun. */
  nodeId?: string;
  outcome?: GuardOutcome;
  approved?: string;
  denied?: { readonly by: string; readonly reason: string };
}

/** An undo that failed, and what was said of its effect after that. */
interface FailedUndo {
  readonly code: string;
  readonly error: string;
  readonly said?: { readonly happened: boolean; readonly by: string };
}

/** Reads a session from its log, entry by entry. */
export interface SessionReader {
  readonly state: RunState;
  take(entries: Iterable<LogEntry>): void;
  /** All calls so far, in the order of their numbers. */
  calls(): CallRecord[];
  callOf(number: number): CallRecord | undefined;
  commandOf(number: number): CallCommand | undefined;
  /** Whether the commit is in the log: from then on nothing is taken back. */
  isCommitted(): boolean;
  /** The messages with processes of servers. */
  readonly processes: readonly Json[];
}

const COMMAND_PATH = /^commands\[(\d+)\]\/(command|settle)$/;

/** Creates a reader of the log of a session. */
export function createSessionReader(runId: string): SessionReader {
  const state = foldLog(runId, []);
  const known = new Map<number, KnownCall>();
  const turns = new Map<string, KnownCall>();
  const processes: Json[] = [];
  let committed = false;
  const undoCodes = new Map<string, FailedUndo>();
  const byApproval = (name: string) =>
    [...known.values()].find(({ command }) => approvalOf(command) === name);
  const notice = (command: GuardCommand): KnownCall | undefined => {
    if (command.kind === 'commit') return undefined;
    const one = known.get(command.call) ?? { command };
    // An approved call has no outcome yet.
    if (one.command.kind !== command.kind) delete one.outcome;
    one.command = command;
    known.set(command.call, one);
    return one;
  };
  const read: Readonly<Record<string, (entry: LogEntry, payload: never) => void>> = {
    Signal: (_, { name, data }: { name: string; data: Json }) => {
      if (name === GUARD_COMMAND) notice(data as unknown as GuardCommand);
      if (name === GUARD_PROCESS) processes.push(data);
    },
    EndNode: ({ nodeId }, { output }: { output: Json }) => {
      const [, turn, step] = COMMAND_PATH.exec(nodeId) ?? [];
      if (turn === undefined) return;
      if (step === 'command') {
        const one = notice(output as unknown as GuardCommand);
        if (one === undefined) return;
        turns.set(turn, one);
        if (one.command.kind === 'call') {
          one.nodeId = `commands[${turn}]/call[0]/${one.command.node}`;
        }
        return;
      }
      const outcome = output as unknown as GuardOutcome;
      if (outcome.over) committed = true;
      const one = turns.get(turn);
      if (one !== undefined) one.outcome = outcome;
    },
    Approve: (_, { name, by }: { name: string; by: string }) => {
      const one = byApproval(name);
      if (one !== undefined && one.denied === undefined) one.approved ??= by;
    },
    Deny: (_, { name, by, reason }: { name: string; by: string; reason: string }) => {
      const one = byApproval(name);
      if (one !== undefined && one.approved === undefined) one.denied ??= { by, reason };
    },
    CompensateFail: ({ nodeId }, failed: { code: string; error: string }) => {
      undoCodes.set(nodeId, failed);
    },
    Settle: ({ nodeId }, { happened, by }: { happened: boolean; by: string }) => {
      const failed = undoCodes.get(nodeId);
      if (failed !== undefined) undoCodes.set(nodeId, { ...failed, said: { happened, by } });
    },
  };
  const describe = (one: KnownCall): CallRecord => {
    const { command, nodeId, outcome } = one;
    const { call, tool, server, input, requestKey } = command;
    const failed = nodeId === undefined ? undefined : undoCodes.get(nodeId);
    const isHeld = command.kind === 'hold' || one.approved !== undefined;
    return {
      call,
      tool,
      server,
      input,
      requestKey,
      ...statusOf(state, one, failed),
      answer: outcome?.answer,
      ...(isHeld && { approval: approvalOf(command) }),
      approvedBy: one.approved,
      nodeId,
    };
  };
  return {
    state,
    processes,
    isCommitted: () => committed,
    take(entries) {
      for (const entry of entries) {
        // The store may be read from before an entry that was received already.
        if (entry.version < state.versions) continue;
        applyEntry(state, entry);
        read[entry.eventType]?.(entry, entry.payload as never);
      }
    },
    calls: () => [...known.values()].map(describe).sort((a, b) => a.call - b.call),
    commandOf: (number) => known.get(number)?.command,
    callOf(number) {
      const one = known.get(number);
      return one && describe(one);
    },
  };
}

/** The name of the approval that a call waits for. */
function approvalOf({ node, call }: CallCommand): string {
  return `${node}-${call}`;
}

/** The status of a call: its effect says more than its outcome, which may be older. */
function statusOf(
  { effects, end, stop }: RunState,
  { nodeId, outcome, denied, command }: KnownCall,
  undo: FailedUndo | undefined,
): Pick<CallRecord, 'status' | 'message'> {
  const effect = nodeId === undefined ? undefined : effects.get(nodeId);
  const isOver = end !== undefined;
  if (effect === undefined) {
    if (denied !== undefined) {
      return { status: 'refused', message: `refused: ${denied.by} denied it: ${denied.reason}` };
    }
    const isWaiting = command.kind === 'hold';
    if (isOver && (isWaiting || outcome === undefined)) {
      return { status: 'refused', message: 'refused: the session ended before it was called' };
    }
    if (isWaiting || outcome === undefined) {
      const status = isWaiting ? 'waiting-for-approval' : 'running';
      return { status, message: isWaiting ? 'it waits for an approval' : 'it is running' };
    }
    return { status: outcome.status as CallRecord['status'], message: outcome.message };
  }
  // Until the call has an outcome, its attempt is in progress.
  if (!isOver && outcome === undefined) return { status: 'running', message: 'it is running' };
  const doubt = 'in doubt: do not repeat it, ask guard_status';
  if (isInDoubt(effect)) return { status: 'in-doubt', message: outcome?.message ?? doubt };
  switch (effect.status) {
    case 'undone':
      if (outcome?.status === 'refused') return { status: 'refused', message: outcome.message };
      return { status: 'undone', message: messageOfUndo(outcome, stop?.error.message) };
    case 'absent':
      if (undo?.said !== undefined) {
        return { status: 'undone', message: `${undo.said.by} says that it is not there` };
      }
      return { status: 'refused', message: outcome?.message ?? 'refused: it has not acted' };
    case 'failed':
      return statusOfFailed(undo ?? { code: '', error: effect.error ?? '' });
  }
  if (effect.confirmed) {
    const isLate = outcome?.status === 'in-doubt';
    if (isLate) return { status: 'done', message: 'done: its answer came late, or was found' };
    const message = stop === undefined || !isOver ? 'done' : 'done, and not taken back';
    return { status: 'done', message: outcome?.status === 'done' ? outcome.message : message };
  }
  if (outcome?.status === 'refused') return { status: 'refused', message: outcome.message };
  return { status: isOver ? 'in-doubt' : 'running', message: isOver ? doubt : 'it is running' };
}

/** The status of a call whose undo has failed. */
function statusOfFailed({ code, error, said }: FailedUndo): Pick<CallRecord, 'status' | 'message'> {
  if (code === CALL_CODES.inDoubt && said === undefined) {
    return { status: 'in-doubt', message: `in doubt: ${error}` };
  }
  const by = said === undefined ? '' : `; ${said.by} says that it is there`;
  return { status: 'undo-failed', message: `it could not be taken back: ${error}${by}` };
}

/** The text of a call that was taken back: with the reason, its own or that of the session. */
function messageOfUndo(outcome: GuardOutcome | undefined, reason: string | undefined): string {
  if (outcome?.status === 'undone') return outcome.message;
  const all = 'taken back with all changes of the session';
  return reason === undefined ? `it was ${all}` : `it was ${all}: ${reason}`;
}

/** The calls of a session in a log, as validators see them. */
export function callsInLog(store: LogStore, runId: string): Json[] {
  const reader = createSessionReader(runId);
  reader.take(store.read({ runId }));
  return reader.calls().map(({ call, tool, server, input, status }) => ({
    call,
    tool,
    server,
    input,
    status,
  }));
}
