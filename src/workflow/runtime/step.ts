import type { TaskNode } from '../ir/workflow.js';
import type { NewEntry } from '../log/entry.js';
import { append, type Run } from './context.js';
import type { Datum } from './datum.js';
import type { Failure } from './payloads.js';
import type { NodePlan } from './plan.js';
import type { Handler } from './registry.js';
import type { Scope } from './scope.js';

/** One execution of a task, with all its attempts. */
export interface Step {
  readonly run: Run;
  readonly scope: Scope;
  readonly plan: NodePlan;
  readonly task: TaskNode;
  readonly path: string;
  /** The name of the handler. */
  readonly name: string;
  readonly handler: Handler;
  input: Datum;
  /** Entries that are ready but need not be in the log before a pure handler has run. */
  unwritten: NewEntry[];
}

/** How a handler ended: `stopped` if nobody waited for it any longer. */
export type Ended =
  | { readonly status: 'value'; readonly value: unknown }
  | { readonly status: 'error'; readonly failure: Failure }
  | { readonly status: 'stopped'; readonly failure: Failure };

/** Writes what was put off. */
export function flush(step: Step): void {
  if (step.unwritten.length === 0) return;
  const entries = step.unwritten;
  step.unwritten = [];
  append(step.run, entries);
}
