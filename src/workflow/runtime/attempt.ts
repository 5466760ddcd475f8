import { AlasError } from '../../core/errors.js';
import { deriveSeed } from '../../core/seed.js';
import type { Node } from '../ir/workflow.js';
import { type EventType, type Json, OWN_EVENT_TYPES } from '../log/entry.js';
import { sliceLog } from '../log/slice.js';
import { anyEntry, append, type Run } from './context.js';
import type { Failure } from './payloads.js';
import type { StepContext } from './registry.js';

/** One attempt: what the handler is told, and how to tell it to stop. */
export interface Attempt {
  readonly context: StepContext;
  abort(failure: Failure): void;
}

/** The purpose of an attempt. */
export interface Purpose {
  readonly run: Run;
  readonly path: string;
  readonly node: Node;
  key(): string;
  /** Called before an entry of the handler's own is written; throws what keeps it out of the log. */
  beforeLog?(eventType: EventType, payload: Json): void;
}

/** Prepares an attempt. What costs something is computed when the handler asks for it. */
export function createAttempt(purpose: Purpose, attempt: number): Attempt {
  const { run, node, path } = purpose;
  let controller: AbortController | undefined;
  let stopped: Failure | undefined;
  const context: StepContext = {
    runId: run.runId,
    nodeId: path,
    attempt,
    params: node.params ?? {},
    clock: run.clock,
    get idempotencyKey() {
      return purpose.key();
    },
    get seed() {
      return deriveSeed(run.state.seed, path, attempt);
    },
    get signal() {
      controller ??= new AbortController();
      if (stopped !== undefined) controller.abort(reasonOf(stopped));
      return controller.signal;
    },
    get feedback() {
      return run.state.nodes.get(path)?.feedback ?? [];
    },
    slice: () => sliceLog(run.store, run.runId, node.context),
    log: (eventType, payload) => {
      requireOwn(run, eventType, payload);
      purpose.beforeLog?.(eventType, payload);
      append(run, [anyEntry(run, path, eventType, payload)]);
    },
  };
  return {
    context,
    abort: (failure) => {
      stopped = failure;
      controller?.abort(reasonOf(failure));
    },
  };
}

/**
 * Refuses what the state of the run would be folded from: only the runtime tells it.
 *
 * @throws AlasError `BadLogEntry`: the entry is not written
 */
function requireOwn({ state }: Run, eventType: EventType, payload: Json): void {
  const own: readonly EventType[] = OWN_EVENT_TYPES;
  if (!own.includes(eventType)) {
    const message = `handlers write no ${eventType}; they may write ${own.join(', ')}`;
    throw new AlasError('BadLogEntry', message, payload);
  }
  if (state.end === undefined) return;
  const message = `the run has ended: there is no place for a ${eventType}`;
  throw new AlasError('BadLogEntry', message, payload);
}

function reasonOf({ code, message }: Failure): Error {
  return Object.assign(new Error(message), { name: code, code });
}
