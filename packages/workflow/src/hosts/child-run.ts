import { AlasError } from '@alas-jssp/core/errors';
import type { Compensator, Handler, Registry, StepContext } from '../interpreter/registry.js';
import type { Workflow } from '../ir/workflow.js';
import type { LogStore } from '../log/store.js';
import { compensateRun } from './compensate-run.js';
import { runWorkflow } from './run.js';
import type { NewRunOptions } from './run-options.js';

/** Options of a run within a run. */
export interface ChildRunOptions
  extends Pick<
    NewRunOptions,
    'unchecked' | 'leaseSeconds' | 'maxConcurrency' | 'onAlert' | 'snapshotEvery'
  > {
  readonly store: LogStore;
  /** The handlers of the child. */
  readonly registry: Registry;
}

/**
 * A step that runs another workflow as a run of its own, in the log under the id of the parent and
 * the path of the step: a handler that starts the child, or resumes it after a crash, and a
 * compensator that undoes the child even if it has completed. A task with them is `compensable` and
 * has an idempotency key.
 *
 * The step fails with the status of a child that does not complete, such as `COMPENSATED`.
 */
export function childRun(
  workflow: Workflow,
  options: ChildRunOptions,
): { readonly handler: Handler; readonly compensator: Compensator } {
  const { store } = options;
  return {
    handler: {
      kind: 'external',
      child: { workflow, registry: options.registry },
      async run(input, context) {
        const { clock, signal, seed } = context;
        const runId = childIdOf(context);
        const child = { ...options, runId, clock, signal, seed, stay: true };
        const { status, output, error } = await runWorkflow(workflow, input, child);
        if (status === 'COMPLETED') return output;
        const reason = error === undefined ? '' : `: ${error.code}, ${error.message}`;
        throw new AlasError(status, `the run ${runId} is ${status}${reason}`, runId);
      },
    },
    compensator: {
      ofChild: true,
      async run(_, context) {
        const runId = childIdOf(context);
        if (!store.runs().includes(runId)) return;
        const by = `${context.runId}:${context.nodeId}`;
        const undoing = { ...options, clock: context.clock, evenCommitted: true };
        const { status, remaining, inDoubt } = await compensateRun(store, runId, by, undoing);
        const left = [...remaining, ...inDoubt].map(({ nodeId }) => nodeId);
        if (left.length === 0) return;
        const message = `${left.join(', ')} of the run ${runId} could not be undone (${status})`;
        throw new AlasError('ChildNotUndone', message, runId);
      },
    },
  };
}

/**
 * The id of the child of a step: equal for all attempts, different when the step starts again after
 * an undo.
 */
function childIdOf({ runId, nodeId, idempotencyKey }: StepContext): string {
  const [again = ''] = /~\d+$/.exec(idempotencyKey) ?? [];
  return `${runId}/${nodeId}${again}`;
}
