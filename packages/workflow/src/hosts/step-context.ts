import type { Clock } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import { deriveSeed } from '@alas-jssp/core/seed';
import type { Failure } from '../interpreter/entries.js';
import { plainCopy } from '../interpreter/foreign.js';
import type { Call } from '../interpreter/host.js';
import type { Registry, StepContext } from '../interpreter/registry.js';
import type { Json, LogEntry } from '../log/entry.js';
import type { SliceScope } from '../log/slice.js';

/** The environment of a call: a registry, a clock, and the visible part of the run. */
export interface CallWorld {
  readonly registry: Registry;
  readonly runId: string;
  readonly clock: Clock;
  /** The last entries of the log of the run. */
  slice(scope: SliceScope | undefined): readonly LogEntry[];
  /** Calls a handler in the context of a span. */
  readonly within?: (<T>(nodeId: string, call: () => T) => T) | undefined;
}

/** The context of a handler or a compensator; expensive members are computed when they are read. */
export function createContext(
  { runId, clock, slice }: Pick<CallWorld, 'runId' | 'clock' | 'slice'>,
  call: Extract<Call, { kind: 'handler' | 'compensator' }>,
): { context: StepContext; abort: (failure: Failure) => void } {
  const { task, path, attempt } = call;
  let controller: AbortController | undefined;
  let stopped: Failure | undefined;
  const context: StepContext = {
    runId,
    nodeId: path,
    attempt,
    params: task.params ?? {},
    repair: call.kind === 'handler' ? call.repair : task.repair,
    clock,
    get idempotencyKey() {
      return typeof call.key === 'string' ? call.key : call.key();
    },
    get seed() {
      return deriveSeed(call.seed, path, attempt);
    },
    get signal() {
      controller ??= new AbortController();
      if (stopped !== undefined) controller.abort(reasonOf(stopped));
      return controller.signal;
    },
    feedback: call.kind === 'handler' ? call.feedback : [],
    slice: () => slice(task.context),
    log: (eventType, payload) => call.log(eventType, ownPayload(payload)),
  };
  const abort = (failure: Failure) => {
    stopped = failure;
    controller?.abort(reasonOf(failure));
  };
  return { context, abort };
}

/** The payload of a user's log entry, as a plain copy. @throws AlasError `BadLogEntry` */
function ownPayload(payload: unknown): Json {
  try {
    return plainCopy(payload ?? null);
  } catch (error) {
    throw new AlasError('BadLogEntry', (error as Error).message, undefined);
  }
}

function reasonOf({ code, message }: Failure): Error {
  return Object.assign(new Error(message), { name: code, code });
}
