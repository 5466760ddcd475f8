import type { Edge } from '../ir/workflow.js';
import { append, makeEntry, type Outcome, type Run } from './context.js';
import type { Datum } from './datum.js';
import { failureOf, makeFailure } from './failures.js';
import { unfit } from './fit.js';
import { evaluateGuard } from './guard.js';
import type { Payloads } from './payloads.js';
import type { Link, NodePlan } from './plan.js';
import { inputOf } from './references.js';
import { nodePath, type Scope } from './scope.js';

/** Runs a choice: its output is its input, and it goes on along one of its edges. */
export async function runChoice(run: Run, scope: Scope, plan: NodePlan): Promise<Outcome> {
  const path = nodePath(scope, plan.node.id);
  const input = inputOf(run, scope, plan);
  const failure = unfit(run, plan, path, 'input', input) ?? unfit(run, plan, path, 'output', input);
  if (failure !== undefined) return { status: 'failed', failure };
  let choice: Payloads['Choose'] | undefined;
  try {
    choice = await choose(scope, plan, input);
  } catch (error) {
    return { status: 'failed', failure: failureOf(error, path, plan) };
  }
  if (choice === undefined) {
    const failure = makeFailure('NoBranch', 'no guard holds and there is no default', path, plan);
    return { status: 'failed', failure };
  }
  append(run, [
    makeEntry(run, path, 'StartNode', {}),
    makeEntry(run, path, 'Choose', choice),
    makeEntry(run, path, 'EndNode', {}),
  ]);
  return { status: 'done', output: input };
}

/**
 * The first branch whose guard holds, else the default; undefined if there is none of either.
 *
 * @throws as {@link evaluateGuard}
 */
export async function choose(
  { plan: body }: Scope,
  { out }: NodePlan,
  input: Datum,
): Promise<Payloads['Choose'] | undefined> {
  const taken = (link: Link) => ({ to: body.nodes[link.to].node.id, edge: link.edge });
  const ofKind = (kind: Edge['kind']) => out.filter((link) => link.kind === kind);
  for (const link of ofKind('branch')) {
    if (await evaluateGuard(link.guard ?? 'false', { input: input.json() })) return taken(link);
  }
  const [otherwise] = ofKind('default');
  if (otherwise !== undefined) return taken(otherwise);
  return ofKind('branch').length === 0 ? { to: null, edge: null } : undefined;
}
