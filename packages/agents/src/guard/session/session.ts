import type { Clock } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import { isoTime } from '@alas-jssp/core/iso-time';
import {
  hasRun,
  type Json,
  type LogEntry,
  type LogStore,
  type RunResult,
  runWorkflow,
  settleEffect,
  type Workflow,
} from '@alas-jssp/workflow';
import type { ServerProcess } from '../servers/server.js';
import { type CallCommand, GUARD_COMMAND, type GuardCommand } from './commands.js';
import { type CallRecord, createSessionReader, type SessionReader } from './session-log.js';
import { type StepWorld, sessionRegistry } from './session-steps.js';

/** A session in progress: a run that this process owns. */
export interface GuardSession {
  readonly runId: string;
  readonly reader: SessionReader;
  /** Settles when the session has ended, or another process has taken it over. */
  readonly ended: Promise<RunResult>;
  /** Whether it accepts no more commands. */
  isOver(): boolean;
  post(command: GuardCommand): void;
  /** Logs a message that only informs. */
  note(name: string, data: Json): void;
  /** Waits until a call has an outcome, or the session has ended. */
  outcomeOf(call: number): Promise<CallRecord>;
  cancel(reason: string, by: string): void;
  /** Settles whether a call in doubt has acted. */
  settle(nodeId: string, happened: boolean): void;
}

/** The facts about a session that another process needs to take it back. */
export interface SessionInput {
  readonly policy: Json;
  readonly servers: readonly Json[];
  readonly processes: readonly { readonly server: string; readonly process: ServerProcess }[];
}

/** The name under which the guard settles doubts by its own checks. */
export const GUARD_NAME = 'alas-jssp guard';

/** Starts a session: a new run in the log. */
export async function startSession(
  world: StepWorld,
  workflow: Workflow,
  input: SessionInput,
  clock: Clock,
): Promise<GuardSession> {
  const { store } = world;
  for (let number = store.runs().length + 1; ; number++) {
    const runId = `guard-${number}`;
    if (hasRun(store, runId)) continue;
    try {
      return await openSession(world, runId, workflow, input, clock);
    } catch (error) {
      // Another guard on this log was faster.
      if (!(error instanceof AlasError) || error.code !== 'run_exists') throw error;
    }
  }
}

async function openSession(
  world: StepWorld,
  runId: string,
  workflow: Workflow,
  input: SessionInput,
  clock: Clock,
): Promise<GuardSession> {
  const reader = createSessionReader(runId);
  const waiting = new Set<() => void>();
  let over = false;
  const post = (kind: string, data: Json) =>
    void world.store.post({ runId, ts: isoTime(clock.now()), kind, data });
  const signal = (name: string, data: Json) => post('signal', { name, data });
  const approved = new Set<number>();
  const take = (entries: readonly LogEntry[]) => {
    reader.take(entries);
    for (const look of [...waiting]) look();
    if (!entries.some(({ eventType }) => eventType === 'Approve')) return;
    const next = reader.calls().filter(({ call, status, approvedBy }) => {
      return status === 'waiting-for-approval' && approvedBy !== undefined && !approved.has(call);
    });
    for (const { call } of next) {
      approved.add(call);
      const command = reader.commandOf(call) as CallCommand;
      // Not within the transaction in which the approval is logged.
      queueMicrotask(() => over || signal(GUARD_COMMAND, { ...command, kind: 'call' } as never));
    }
  };
  const store = observe(world.store, runId, take);
  const started = new Promise<void>((resolve) => {
    const look = () => {
      if (reader.state.versions === 0) return;
      waiting.delete(look);
      resolve();
    };
    waiting.add(look);
  });
  const ended = runWorkflow(workflow, input, {
    store,
    registry: sessionRegistry({ ...world, store }),
    runId,
    clock,
    attach: false,
    stay: true,
    whenOwned: 'refuse',
  });
  const finish = () => {
    over = true;
    for (const look of [...waiting]) look();
  };
  ended.then(finish, finish);
  await Promise.race([started, ended]);
  return {
    runId,
    reader,
    ended,
    isOver: () => over,
    post: (command) => signal(GUARD_COMMAND, command as unknown as Json),
    note: (name, data) => {
      if (!over) signal(name, data);
    },
    outcomeOf: (call) =>
      new Promise((resolve) => {
        const look = () => {
          const found = reader.callOf(call);
          const isOpen = found === undefined || found.status === 'running';
          if (isOpen && !over) return;
          waiting.delete(look);
          resolve(found ?? lostCall(call));
        };
        waiting.add(look);
        look();
      }),
    cancel: (reason, by) => post('cancel', { reason, by }),
    settle: (nodeId, happened) =>
      void settleEffect(world.store, runId, nodeId, { happened, by: GUARD_NAME }, clock),
  };
}

/** A call that the session did not receive before it ended. */
function lostCall(call: number): CallRecord {
  const message = 'refused: the session ended before it was called';
  return { call, tool: '', server: '', input: null, status: 'refused', message };
}

/** Wraps a store to receive the entries of a run once they are written. */
function observe(
  store: LogStore,
  runId: string,
  take: (entries: readonly LogEntry[]) => void,
): LogStore {
  return {
    ...store,
    append(entries, options) {
      const appended = store.append(entries, options);
      if (entries[0]?.runId === runId) take(appended);
      return appended;
    },
    acquire(request) {
      const answer = store.acquire(request);
      if (answer.status === 'owned' && request.runId === runId) take(answer.entries);
      return answer;
    },
  };
}
