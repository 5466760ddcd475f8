import type { Edge, MapNode, ParallelNode, WaitNode } from '../ir/workflow.js';
import { type Datum, listDatum, loggedDatum, recordDatum } from './datum.js';
import type { Failure, LoopEnd, Payloads } from './entries.js';
import type { Maybe } from './host.js';
import type { Link, NodePlan } from './plan.js';
import { failureOf, makeFailure, routeOf, stopFailure } from './policies.js';
import { branchScope, inputOf, itemsOf, turnInput, turnScope } from './references.js';
import {
  append,
  enterScope,
  makeEntry,
  nodePath,
  type Outcome,
  type Run,
  type Scope,
  stopScope,
  write,
} from './run.js';
import { decisiveFailure, evaluateGuard, schemaFailure } from './verdicts.js';
import { awaitMessage } from './waiting.js';

/** How a body is run: handed to the nodes that hold bodies. */
type RunBody = (run: Run, scope: Scope) => Maybe<Outcome>;

const failed = (failure: Failure): Outcome => ({ status: 'failed', failure });

/** Runs a choice: its output is its input, and it goes on along one of its edges. */
export async function runChoice(run: Run, scope: Scope, plan: NodePlan): Promise<Outcome> {
  const path = nodePath(scope, plan.node.id);
  const input = inputOf(run, scope, plan);
  const failure =
    schemaFailure(run, plan, path, 'input', input) ??
    schemaFailure(run, plan, path, 'output', input);
  if (failure !== undefined) return failed(failure);
  let choice: Payloads['Choose'] | undefined;
  try {
    choice = await choose(scope, plan, input);
  } catch (error) {
    return failed(failureOf(error, path, plan));
  }
  if (choice === undefined) {
    return failed(makeFailure('NoBranch', 'no guard holds and there is no default', path, plan));
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
  { plan: body }: Pick<Scope, 'plan'>,
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

/** Waits for a message; its output is what that holds. */
export async function runWait(run: Run, scope: Scope, plan: NodePlan): Promise<Outcome> {
  const { state, host } = run;
  const node = plan.node as WaitNode;
  const path = nodePath(scope, node.id);
  const find = () => state.signals.get(node.message)?.[0];
  const limit = plan.policy.wait?.seconds;
  const known = state.nodes.get(path);
  const until = known?.waitUntil ?? (limit === undefined ? undefined : host.now() + limit * 1000);
  if (known === undefined) write(run, path, 'AwaitMessage', { name: node.message, until });
  const arrival = await awaitMessage(run, scope, find, until);
  switch (arrival.status) {
    case 'left':
      return { status: 'waiting' };
    case 'stopped':
      return failed(arrival.failure);
    case 'late':
      return failed(makeFailure('WaitTimeout', `no ${node.message} came in time`, path, plan));
    case 'arrived': {
      const { message, data } = arrival.value;
      const output = loggedDatum(data);
      const failure = schemaFailure(run, plan, path, 'output', output);
      if (failure !== undefined) return failed(failure);
      write(run, path, 'EndNode', { output: data, taken: message });
      return { status: 'done', output };
    }
  }
}

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
  const refused = schemaFailure(run, plan, path, 'input', input);
  if (refused !== undefined) return failed(refused);
  if (!run.state.nodes.has(path)) write(run, path, 'StartNode', {});
  const names = Object.keys(node.branches);
  return runTogether(run, scope, plan, runBody, {
    count: names.length,
    limit: node.maxConcurrency ?? names.length,
    scopeOf: (index) => branchScope(run, scope, node, names[index], input),
    join: (ended) => recordDatum(new Map(names.map((name, k) => [name, ended[k]]))),
  });
}

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
      return turnScope(run, scope, node, index, turnInput(node, input, index, undefined));
    },
    join: listDatum,
  });
}

/** Runs the body again and again, each time on the output of the last. */
async function runUntil(loop: Loop, runBody: RunBody): Promise<Outcome> {
  const { run, scope, node, path, plan, input } = loop;
  let before: Datum | undefined;
  for (let index = 0; ; index++) {
    if (!hasBegun(loop, index)) write(run, path, 'Iterate', { index });
    const turn = turnScope(run, scope, node, index, turnInput(node, input, index, before));
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
      if (end === undefined) continue;
      write(run, path, 'Iterate', { index, end });
    }
    return endNode(run, plan, path, before);
  }
}

/** The end of a loop after a turn, if it ends there. */
async function endOf(loop: Loop, index: number, output: Datum): Promise<LoopEnd | undefined> {
  const { node, plan, input } = loop;
  if (node.until !== undefined) {
    const bindings = { input: input.json(), output: output.json() };
    if (await evaluateGuard(node.until, bindings)) return 'until';
  }
  const most = plan.policy.loopGuards?.maxIters ?? Number.POSITIVE_INFINITY;
  return index + 1 >= most ? 'maxIters' : timeIsUp(loop);
}

/** The guard over time that ends a loop now, if one does. */
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

/** Bodies that run together. */
interface Together {
  readonly count: number;
  /** Bodies at the same time. */
  readonly limit: number;
  /** The scope of the body, or why it must not begin. */
  scopeOf(index: number): Scope | Failure;
  /** The output of the node, of those of the bodies. */
  join(outputs: readonly Datum[]): Datum;
}

/**
 * Runs several bodies within a scope and ends their node. If one fails and nothing catches that, the
 * others are stopped: they will be undone anyway.
 */
async function runTogether(
  run: Run,
  parent: Scope,
  plan: NodePlan,
  runBody: RunBody,
  { count, limit, scopeOf, join }: Together,
): Promise<Outcome> {
  const outcomes: (Outcome | undefined)[] = Array.from({ length: count });
  const stops = (failure: Failure) => routeOf(plan, failure.code) === undefined;
  const inside = new Set<Scope>();
  let next = 0;
  let halted = false;
  const runOne = async (index: number): Promise<void> => {
    const scope = scopeOf(index);
    if ('plan' in scope) {
      enterScope(parent, scope);
      inside.add(scope);
      try {
        outcomes[index] = await runBody(run, scope);
      } finally {
        inside.delete(scope);
        parent.children.delete(scope);
      }
    } else {
      outcomes[index] = failed(scope);
    }
    const outcome = outcomes[index];
    if (outcome?.status !== 'failed' || !stops(outcome.failure)) return;
    halted = true;
    const reason = stopFailure('Cancelled', `${outcome.failure.nodeId} failed`);
    for (const other of inside) stopScope(other, reason);
  };
  const worker = async (): Promise<void> => {
    while (next < count && !halted && parent.stopped === undefined) await runOne(next++);
  };
  const work = Array.from({ length: Math.min(limit, count) }, worker);
  // All are waited for, also if one breaks off.
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
  }
  const failure = decisiveFailure(run.state, outcomes, stops);
  if (failure !== undefined) return failed(failure);
  if (outcomes.some((outcome) => outcome?.status === 'waiting')) return { status: 'waiting' };
  const outputs = outcomes.flatMap((one) => (one?.status === 'done' ? [one.output] : []));
  if (outputs.length < count) {
    return failed(parent.stopped ?? stopFailure('Cancelled', 'stopped'));
  }
  return endNode(run, plan, nodePath(parent, plan.node.id), join(outputs));
}

/** Ends a node whose output is made of those of what ran inside it, if it fits its schema. */
function endNode(run: Run, plan: NodePlan, path: string, output: Datum): Outcome {
  const failure = schemaFailure(run, plan, path, 'output', output);
  if (failure !== undefined) return failed(failure);
  write(run, path, 'EndNode', {});
  return { status: 'done', output };
}
