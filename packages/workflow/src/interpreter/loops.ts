import type { MapNode } from '../ir/workflow.js';
import { evaluateGuard, schemaFailure } from './checks.js';
import { type EncodedValue, listOfValues } from './encoded-value.js';
import type { Failure, LoopEnd } from './entries.js';
import { forgetTurns } from './forget.js';
import type { NodePlan } from './plan.js';
import { failureOf, makeFailure } from './policies.js';
import { inputOf, itemsOf, turnInput, turnScope } from './references.js';
import { enterScope, nodePath, type Outcome, type Run, type Scope, write } from './run.js';
import { endNode, type RunBody, runTogether } from './together.js';

const failed = (failure: Failure): Outcome => ({ status: 'failed', failure });

/** A map node in execution. */
interface Loop {
  readonly run: Run;
  readonly scope: Scope;
  readonly plan: NodePlan;
  readonly node: MapNode;
  readonly path: string;
  readonly input: EncodedValue;
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
  const refused = schemaFailure(run, plan, path, 'input', input);
  if (refused !== undefined) return failed(refused);
  const loop = { run, scope, plan, node, path, input };
  if (!run.state.nodes.has(path)) write(run, path, 'StartNode', {});
  return node.items === undefined ? runUntil(loop, runBody) : runItems(loop, node.items, runBody);
}

/** Runs the body for each item, several at a time; a guard that ends it early is a failure. */
async function runItems(loop: Loop, reference: string, runBody: RunBody): Promise<Outcome> {
  const { run, scope, plan, node, path, input } = loop;
  const items = itemsOf(reference, input)?.json();
  if (!Array.isArray(items)) {
    return failed(makeFailure('NoItems', `${reference} is not a list`, path, plan));
  }
  const most = plan.policy.loopGuards?.maxIters ?? Number.POSITIVE_INFINITY;
  if (items.length > most) return failed(guardFailure(loop, 'maxIters'));
  return runTogether(run, scope, plan, runBody, {
    count: items.length,
    limit: node.maxConcurrency ?? items.length,
    scopeOf: (index) => {
      if (!hasBegun(loop, index)) {
        const end = timeIsUp(loop);
        if (end !== undefined) return guardFailure(loop, end);
        write(run, path, 'Iterate', { index });
      }
      return turnScope(run, scope, node, index, turnInput(run, node, input, index, undefined));
    },
    join: listOfValues,
  });
}

/** Runs the body repeatedly, each time on the last output. */
async function runUntil(loop: Loop, runBody: RunBody): Promise<Outcome> {
  const { run, scope, node, path, plan, input } = loop;
  let before: EncodedValue | undefined;
  for (let index = run.state.nodes.get(path)?.forgotten ?? 0; ; index++) {
    if (!hasBegun(loop, index)) write(run, path, 'Iterate', { index });
    const turn = turnScope(run, scope, node, index, turnInput(run, node, input, index, before));
    enterScope(scope, turn);
    const outcome = await runBody(run, turn);
    scope.children.delete(turn);
    if (outcome.status !== 'done') return outcome;
    before = outcome.output;
    if (hasBegun(loop, index + 1)) continue;
    let end = run.state.nodes.get(path)?.loopEnd;
    if (end === undefined) {
      try {
        end = await endOf(loop, index, before);
      } catch (error) {
        return failed(failureOf(error, path, plan));
      }
      if (end === undefined) {
        if (run.forgetful) forgetTurns(run);
        continue;
      }
      write(run, path, 'Iterate', { index, end });
    }
    return endNode(run, plan, path, before);
  }
}

/** The end of a loop after an iteration, if it ends there. */
async function endOf(
  loop: Loop,
  index: number,
  output: EncodedValue,
): Promise<LoopEnd | undefined> {
  const { node, plan, input } = loop;
  if (node.until !== undefined) {
    const bindings = { input: input.json(), output: output.json() };
    if (await evaluateGuard(node.until, bindings)) return 'until';
  }
  const most = plan.policy.loopGuards?.maxIters ?? Number.POSITIVE_INFINITY;
  return index + 1 >= most ? 'maxIters' : timeIsUp(loop);
}

/** The time guard that ends a loop now, if one does. */
function timeIsUp({ run, plan, path }: Loop): LoopEnd | undefined {
  const { deadlineSeconds, timeBudgetSeconds } = plan.policy.loopGuards ?? {};
  const { state, host } = run;
  const secondsSince = (ts: string) => (host.now() - Date.parse(ts)) / 1000;
  if (deadlineSeconds !== undefined && secondsSince(state.startedAt) >= deadlineSeconds) {
    return 'deadline';
  }
  const began = state.nodes.get(path)?.startedAt ?? state.startedAt;
  if (timeBudgetSeconds !== undefined && secondsSince(began) >= timeBudgetSeconds) {
    return 'timeBudget';
  }
  return undefined;
}

function hasBegun({ run, path }: Loop, index: number): boolean {
  return index < (run.state.nodes.get(path)?.iterations ?? 0);
}

function guardFailure({ path, plan }: Loop, end: LoopEnd): Failure {
  return makeFailure('LoopGuard', `${end} ends the loop before its last item`, path, plan);
}
