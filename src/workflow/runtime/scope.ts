import type { Datum } from './datum.js';
import type { Failure } from './payloads.js';
import type { BodyPlan } from './plan.js';

/** One execution of a body: the run itself, a branch, or a turn of a loop. */
export interface Scope {
  /** Path of the scope; empty for the run itself. */
  readonly path: string;
  readonly plan: BodyPlan;
  readonly input: Datum;
  readonly children: Set<Scope>;
  /** Called for each step in flight when the scope is stopped. */
  readonly stops: Set<(failure: Failure) => void>;
  stopped: Failure | undefined;
}

/** A scope that nothing stops yet. */
export function newScope(path: string, plan: BodyPlan, input: Datum): Scope {
  return { path, plan, input, children: new Set(), stops: new Set(), stopped: undefined };
}

/** Puts a scope within another, so that it is stopped with it. */
export function enterScope(parent: Scope, child: Scope): void {
  parent.children.add(child);
  if (parent.stopped !== undefined) stopScope(child, parent.stopped);
}

/** Stops a scope and all within it: steps in flight are aborted, and none begins. */
export function stopScope(scope: Scope, failure: Failure): void {
  if (scope.stopped !== undefined) return;
  scope.stopped = failure;
  for (const stop of [...scope.stops]) stop(failure);
  for (const child of scope.children) stopScope(child, failure);
}

/** The path of a node of a scope. */
export function nodePath(scope: Scope, id: string): string {
  return scope.path === '' ? id : `${scope.path}/${id}`;
}
