import type { Edge, WaitNode } from '../ir/workflow.js';
import { evaluateGuard, schemaFailure } from './checks.js';
import { decodeLogged, type EncodedValue } from './encoded-value.js';
import type { Failure, Payloads } from './entries.js';
import type { Link, NodePlan } from './plan.js';
import { failureOf, makeFailure } from './policies.js';
import { inputOf } from './references.js';
import { append, makeEntry, nodePath, type Outcome, type Run, type Scope, write } from './run.js';
import { isInTime } from './state.js';
import { awaitMessage } from './waiting.js';

const failed = (failure: Failure): Outcome => ({ status: 'failed', failure });

/** Runs a choice: its output is its input, and one of its edges is taken. */
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
 * The first branch whose guard holds, else the default; undefined if there is neither.
 *
 * @throws as {@link evaluateGuard}
 */
export async function choose(
  { plan: body }: Pick<Scope, 'plan'>,
  { out }: NodePlan,
  input: EncodedValue,
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

/** Waits for a message; its output is the payload. */
export async function runWait(run: Run, scope: Scope, plan: NodePlan): Promise<Outcome> {
  const { state, host } = run;
  const node = plan.node as WaitNode;
  const path = nodePath(scope, node.id);
  const limit = plan.policy.wait?.seconds;
  const known = state.nodes.get(path);
  const until = known?.waitUntil ?? (limit === undefined ? undefined : host.now() + limit * 1000);
  const find = () => state.signals.get(node.message)?.find((one) => isInTime(one, until));
  if (known === undefined) write(run, path, 'AwaitMessage', { name: node.message, until });
  for (;;) {
    if (scope.stopped !== undefined) return failed(scope.stopped);
    const arrival = await awaitMessage(run, scope, find, until);
    if (arrival.status === 'left') return { status: 'waiting' };
    if (arrival.status === 'stopped') return failed(arrival.failure);
    if (arrival.status === 'late') {
      return failed(makeFailure('WaitTimeout', `no ${node.message} came in time`, path, plan));
    }
    // Another node may have consumed it in the meantime.
    const signal = find();
    if (signal === undefined) continue;
    const { message, data } = signal;
    const output = decodeLogged(data);
    const failure = schemaFailure(run, plan, path, 'output', output);
    if (failure !== undefined) return failed(failure);
    write(run, path, 'EndNode', { output: data, taken: message });
    return { status: 'done', output };
  }
}
