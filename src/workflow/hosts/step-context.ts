import type { Clock } from '../../core/clock.js';
import { deriveSeed } from '../../core/seed.js';
import type { Failure } from '../interpreter/entries.js';
import type { Call } from '../interpreter/host.js';
import type { StepContext } from '../interpreter/registry.js';
import { sliceLog } from '../log/slice.js';
import type { LogStore } from '../log/store.js';

/** The context of a handler or a compensator; what costs something is computed when it is asked for. */
export function createContext(
  { store, runId, clock }: { store: LogStore; runId: string; clock: Clock },
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
    slice: () => sliceLog(store, runId, task.context),
    log: call.log,
  };
  const abort = (failure: Failure) => {
    stopped = failure;
    controller?.abort(reasonOf(failure));
  };
  return { context, abort };
}

function reasonOf({ code, message }: Failure): Error {
  return Object.assign(new Error(message), { name: code, code });
}
