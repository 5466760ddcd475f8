import {
  codeOf,
  decodeState,
  effectsOf,
  emptyState,
  type RunState as FoldedState,
  type Json,
  type LogEntry,
  messageFault,
  outlivesEnd,
  type Run,
  receiveMessages,
  requireApproval,
  requireSignal,
  rootOutputs,
  waitsOf,
} from '@alas-jssp/workflow/interpreter';
import { createSchemaChecks } from '@alas-jssp/workflow/interpreter/schema-check';
import {
  ApplicationFailure,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  upsertMemo,
} from '@temporalio/workflow';
import { createMemoryLog, type MemoryLog } from './memory-log.js';
import {
  RESTS,
  type RunMessage,
  type RunOutcome,
  type RunStart,
  type RunState,
} from './protocol.js';
import type { Inbox } from './temporal-host.js';

/**
 * Sends a run a message: of the kinds that the inbox of a log knows, such as `signal` and
 * `approve`.
 */
const messageSignal = defineSignal<[RunMessage]>('message');

/** Sends a run a message and returns its number; rejects invalid messages. */
const postUpdate = defineUpdate<number, [RunMessage]>('post');

/** Entries of the log from a version on, as many as fit into an answer. */
const entriesQuery = defineQuery<readonly LogEntry[], [number]>('entries');

/** The state of a run, and its end. */
const statusQuery = defineQuery<RunState>('status');

/** The end of a resting run, or that it waits; undefined while it is in progress. */
const restUpdate = defineUpdate<RunOutcome | undefined>('rest');

/** Maximum bytes of entries in one answer to a query. */
const PAGE = 1_000_000;

/** A run as messages and queries see it. */
export interface Desk {
  readonly start: RunStart;
  readonly log: MemoryLog;
  readonly state: FoldedState;
  readonly inbox: Inbox;
  /** The present interpretation, or the last. */
  run: Run | undefined;
  /** Set while it waits, and when it has ended. */
  outcome: RunOutcome | undefined;
  cancelled: boolean;
  token: number;
}

export function openDesk(start: RunStart): Desk {
  const { carried } = start;
  const inbox = openInbox(start);
  const desk: Desk = {
    start,
    inbox,
    log: createMemoryLog(carried?.versions ?? 0),
    state: stateAt(start),
    token: carried?.token ?? 1,
    run: undefined,
    outcome: undefined,
    cancelled: false,
  };
  const { log, state } = desk;
  const take = ({ kind, data, ts }: RunMessage): number => {
    const id = inbox.add(kind, data, ts);
    if (desk.run !== undefined) receiveMessages(desk.run);
    return id;
  };
  // A signal from a command line may lack its argument: there is no reply, and it is ignored.
  setHandler(messageSignal, (message: RunMessage | null | undefined) => {
    if (message != null) take(message);
  });
  setHandler(postUpdate, take, { validator: (message) => requireMessage(state, message) });
  setHandler(restUpdate, () => desk.outcome);
  setHandler(entriesQuery, (from) => pageOf(log.read({ from })));
  setHandler(statusQuery, () => {
    const { outcome } = desk;
    return { status: outcome?.status ?? 'RUNNING', versions: log.versions, outcome };
  });
  return desk;
}

function openInbox({ runId, carried }: RunStart): Inbox {
  const messages = [...(carried?.inbox ?? [])];
  let last = carried?.lastMessage ?? 0;
  return {
    messages,
    add(kind, data, sent = '') {
      const now = Date.now();
      const at = Date.parse(sent);
      const ts = new Date(at < now ? at : now).toISOString();
      messages.push({ id: ++last, runId, ts, kind, data });
      return last;
    },
  };
}

export function lastOf({ messages }: Inbox): number {
  return messages.at(-1)?.id ?? 0;
}

/** The initial state of a run, or of its continuation. */
function stateAt({ runId, workflow, input, seed, carried }: RunStart): FoldedState {
  const state = emptyState(runId);
  if (carried === undefined) return state;
  const { startedAt, versions } = carried;
  return decodeState({ ...state, workflow, input, seed, startedAt, versions }, carried.state);
}

function requireMessage({ end, workflow }: FoldedState, { kind, data }: RunMessage): void {
  const refuse = (code: string, text: string): never => {
    throw ApplicationFailure.nonRetryable(text, code);
  };
  if (!KINDS.includes(kind)) refuse('bad_message', `a run takes no message '${kind}'`);
  const fault = messageFault(kind, (data ?? {}) as Readonly<Record<string, Json>>);
  if (fault !== undefined) {
    refuse('bad_message', `a message '${kind}' without a right '${fault[0]}'; give a ${fault[1]}`);
  }
  if (end !== undefined && !outlivesEnd(kind))
    refuse('run_ended', `the run has ended (${end.status})`);
  // Before the first entry the workflow is unknown.
  if (workflow === undefined) return;
  const { name = '', by, data: given = null } = data as { name?: string; by?: string; data?: Json };
  try {
    if (kind === 'approve' || kind === 'deny') requireApproval(workflow, name, by);
    if (kind !== 'signal') return;
    const schema = requireSignal(workflow, name);
    const [fault] = schema === true ? [] : createSchemaChecks(workflow.schemas)(schema)(given);
    if (fault !== undefined) refuse('bad_data', `the data of ${name} do not fit: ${fault}`);
  } catch (error) {
    if (error instanceof ApplicationFailure) throw error;
    refuse(codeOf(error), (error as Error).message);
  }
}

const KINDS = ['signal', 'approve', 'deny', 'cancel', 'compensate', 'settle', 'answer'];

function pageOf(entries: Iterable<LogEntry>): LogEntry[] {
  const page: LogEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    page.push(entry);
    bytes += JSON.stringify(entry.payload).length;
    if (bytes > PAGE) break;
  }
  return page;
}

/** Notifies clients through the server that the run has come to rest, without a worker. */
export function rest(desk: Desk, outcome: RunOutcome): void {
  desk.outcome = outcome;
  upsertMemo({ [RESTS]: outcome.status });
}

export function goOn(desk: Desk): void {
  desk.outcome = undefined;
  upsertMemo({ [RESTS]: null });
}

export function outcomeOf(run: Run): RunOutcome {
  const { state } = run;
  const { runId, versions } = state;
  const {
    status,
    output = null,
    error,
    remaining = [],
    inDoubt = [],
  } = state.end ?? {
    status: 'WAITING' as const,
  };
  return {
    runId,
    status,
    error,
    remaining,
    inDoubt,
    waitsFor: waitsOf(state),
    versions,
    output: status === 'COMPLETED' ? output : null,
    ...effectsOf(state),
    outputs: rootOutputs(run),
  };
}
