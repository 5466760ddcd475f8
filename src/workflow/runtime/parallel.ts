import type { ParallelNode } from '../ir/workflow.js';
import { catcherOf } from './catch.js';
import { type Outcome, type Run, type RunBody, write } from './context.js';
import { type Datum, recordDatum } from './datum.js';
import { stopFailure } from './failures.js';
import { unfit } from './fit.js';
import type { Failure } from './payloads.js';
import type { NodePlan } from './plan.js';
import { branchScope, inputOf } from './references.js';
import { nodePath, type Scope } from './scope.js';
import { decisiveFailure, runTogether } from './together.js';

/** Runs the branches of a parallel node on its input; its output holds theirs by name. */
export async function runParallel(
  run: Run,
  scope: Scope,
  plan: NodePlan,
  runBody: RunBody,
): Promise<Outcome> {
  const node = plan.node as ParallelNode;
  const path = nodePath(scope, node.id);
  const input = inputOf(run, scope, plan);
  const refused = unfit(run, plan, path, 'input', input);
  if (refused !== undefined) return { status: 'failed', failure: refused };
  if (!run.state.nodes.has(path)) write(run, path, 'StartNode', {});
  const names = Object.keys(node.branches);
  const stops = (failure: Failure) => catcherOf(plan, failure) === undefined;
  const outcomes = await runTogether(
    run,
    scope,
    {
      count: names.length,
      limit: node.maxConcurrency ?? names.length,
      scopeOf: (index) => branchScope(run, scope, node, names[index], input),
      stops,
    },
    runBody,
  );
  const failure = decisiveFailure(run.state, outcomes, stops);
  if (failure !== undefined) return { status: 'failed', failure };
  const ended = gather(outcomes);
  if (ended === undefined) return { status: 'waiting' };
  if (ended.length < names.length) {
    return { status: 'failed', failure: scope.stopped ?? stopFailure('Cancelled', 'stopped') };
  }
  return endNode(run, plan, path, recordDatum(new Map(names.map((name, k) => [name, ended[k]]))));
}

/** Ends a node whose output is made of those of what ran inside it, if it fits its schema. */
export function endNode(run: Run, plan: NodePlan, path: string, output: Datum): Outcome {
  const failure = unfit(run, plan, path, 'output', output);
  if (failure !== undefined) return { status: 'failed', failure };
  write(run, path, 'EndNode', {});
  return { status: 'done', output };
}

/** The outputs of the bodies that were begun; undefined if one of them waits. */
export function gather(outcomes: readonly (Outcome | undefined)[]): Datum[] | undefined {
  const outputs: Datum[] = [];
  for (const outcome of outcomes) {
    if (outcome?.status === 'waiting') return undefined;
    if (outcome?.status === 'done') outputs.push(outcome.output);
  }
  return outputs;
}
