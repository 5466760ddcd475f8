import type { MapNode } from '../ir/workflow.js';
import { catcherOf } from './catch.js';
import { type Outcome, type Run, type RunBody, write } from './context.js';
import { type Datum, listDatum } from './datum.js';
import { failureOf, makeFailure, stopFailure } from './failures.js';
import { unfit } from './fit.js';
import { evaluateGuard } from './guard.js';
import { endNode, gather } from './parallel.js';
import type { Failure, LoopEnd } from './payloads.js';
import type { NodePlan } from './plan.js';
import { inputOf, itemsOf, turnInput, turnScope } from './references.js';
import { enterScope, nodePath, type Scope } from './scope.js';
import { decisiveFailure, runTogether } from './together.js';

/** A map that is being run. */
interface Loop {
  readonly run: Run;
  readonly scope: Scope;
  readonly plan: NodePlan;
  readonly node: MapNode;
  readonly path: string;
  readonly input: Datum;
}

/** Runs a bounded loop: over items, or until its condition or a guard ends it. */
export async function runMap(
  run: Run,
  scope: Scope,
  plan: NodePlan,
  runBody: RunBody,
): Promise<Outcome> {
  const node = plan.node as MapNode;
  const path = nodePath(scope, node.id);
  const input = inputOf(run, scope, plan);
  const failure = unfit(run, plan, path, 'input', input);
  if (failure !== undefined) return { status: 'failed', failure };
  const loop = { run, scope, plan, node, path, input };
  if (!run.state.nodes.has(path)) write(run, path, 'StartNode', {});
  return node.items === undefined ? runUntil(loop, runBody) : runItems(loop, node.items, runBody);
}

/** Runs the body for each item, several at a time; a guard that ends it early is a failure. */
async function runItems(loop: Loop, reference: string, runBody: RunBody): Promise<Outcome> {
  const { run, scope, plan, node, path, input } = loop;
  const items = itemsOf(reference, input)?.json();
  if (!Array.isArray(items)) {
    const failure = makeFailure('NoItems', `${reference} is not a list`, path, plan);
    return { status: 'failed', failure };
  }
  const tooMany = items.length > (plan.policy.loopGuards?.maxIters ?? Number.POSITIVE_INFINITY);
  if (tooMany) return { status: 'failed', failure: guardFailure(loop, 'maxIters') };
  const stops = (failure: Failure) => catcherOf(plan, failure) === undefined;
  const outcomes = await runTogether(
    run,
    scope,
    {
      count: items.length,
      limit: node.maxConcurrency ?? items.length,
      scopeOf: (index) => {
        if (!begun(loop, index)) {
          const end = timeIsUp(loop);
          if (end !== undefined) return guardFailure(loop, end);
          write(run, path, 'Iterate', { index });
        }
        return turnScope(run, scope, node, index, turnInput(node, input, index, undefined));
      },
      stops,
    },
    runBody,
  );
  const failure = decisiveFailure(run.state, outcomes, stops);
  if (failure !== undefined) return { status: 'failed', failure };
  const outputs = gather(outcomes);
  if (outputs === undefined) return { status: 'waiting' };
  if (outputs.length < items.length) {
    return { status: 'failed', failure: scope.stopped ?? stopFailure('Cancelled', 'stopped') };
  }
  return endNode(run, plan, path, listDatum(outputs));
}

/** Runs the body again and again, each time on the output of the last. */
async function runUntil(loop: Loop, runBody: RunBody): Promise<Outcome> {
  const { run, scope, node, path, plan, input } = loop;
  let before: Datum | undefined;
  for (let index = 0; ; index++) {
    if (!begun(loop, index)) write(run, path, 'Iterate', { index });
    const turn = turnScope(run, scope, node, index, turnInput(node, input, index, before));
    enterScope(scope, turn);
    const outcome = await runBody(run, turn);
    scope.children.delete(turn);
    if (outcome.status !== 'done') return outcome;
    before = outcome.output;
    if (begun(loop, index + 1)) continue;
    let end: LoopEnd | undefined;
    try {
      end = run.state.nodes.get(path)?.loopEnd ?? (await endOf(loop, index, before));
    } catch (error) {
      return { status: 'failed', failure: failureOf(error, path, plan) };
    }
    if (end === undefined) continue;
    if (run.state.nodes.get(path)?.loopEnd === undefined) {
      write(run, path, 'Iterate', { index, end });
    }
    return endNode(run, plan, path, before);
  }
}

/** Why a loop ends after a turn, if it does. */
async function endOf(loop: Loop, index: number, output: Datum): Promise<LoopEnd | undefined> {
  const { node, plan, input } = loop;
  if (node.until !== undefined) {
    const bindings = { input: input.json(), output: output.json() };
    if (await evaluateGuard(node.until, bindings)) return 'until';
  }
  if (index + 1 >= (plan.policy.loopGuards?.maxIters ?? Number.POSITIVE_INFINITY)) {
    return 'maxIters';
  }
  return timeIsUp(loop);
}

/** The guard over time that ends a loop now, if one does. */
function timeIsUp({ run, plan, path }: Loop): LoopEnd | undefined {
  const { deadlineSeconds, timeBudgetSeconds } = plan.policy.loopGuards ?? {};
  const secondsSince = (ts: string) => (run.clock.now() - Date.parse(ts)) / 1000;
  const { state } = run;
  if (deadlineSeconds !== undefined && secondsSince(state.startedAt) >= deadlineSeconds) {
    return 'deadline';
  }
  const began = state.nodes.get(path)?.startedAt ?? state.startedAt;
  if (timeBudgetSeconds !== undefined && secondsSince(began) >= timeBudgetSeconds) {
    return 'timeBudget';
  }
  return undefined;
}

function begun({ run, path }: Loop, index: number): boolean {
  return index < (run.state.nodes.get(path)?.iterations ?? 0);
}

function guardFailure({ path, plan }: Loop, end: LoopEnd): Failure {
  return makeFailure('LoopGuard', `${end} ends the loop before its last item`, path, plan);
}
