import type { BodyPlan } from './plan.js';
import { nodePath, type Run, type Scope } from './run.js';

/**
 * Drops the state of finished loop iterations, so that the state of an endless run does not grow. A
 * loop keeps its last iteration and the one before it, whose output is the input of the last.
 * Iterations with an effect or a key are kept, and so are those of loops whose iterations may pass
 * their inputs on. The log keeps everything: only a host whose log is elsewhere may drop state.
 */
export function forgetTurns(run: Run): void {
  const { plan, root } = run;
  forgetIn(run, root, plan.root);
}

function forgetIn(run: Run, scope: Pick<Scope, 'path'>, body: BodyPlan): void {
  for (const { node } of body.nodes) {
    const path = nodePath(scope, node.id);
    if (node.type !== 'map' || node.until === undefined) continue;
    const inside = run.plan.planOf(node.body);
    const first = forgetTurnsOf(run, path, inside);
    const { iterations } = run.state.nodes.get(path) ?? { iterations: 0 };
    for (let turn = first; turn < iterations; turn++) {
      forgetIn(run, { path: `${path}[${turn}]` }, inside);
    }
  }
}

/** Drops iterations of one loop; returns the first that is left. */
function forgetTurnsOf({ state, outputs }: Run, path: string, inside: BodyPlan): number {
  const loop = state.nodes.get(path);
  if (loop === undefined) return 0;
  const { forgotten = 0, iterations, status } = loop;
  const last = status === 'done' ? iterations - 1 : iterations - 2;
  if (last <= forgotten || !givesItsOwn(inside)) return forgotten;
  const isOld = (other: string) => {
    if (!other.startsWith(`${path}[`)) return false;
    const turn = Number.parseInt(other.slice(path.length + 1), 10);
    return turn < last;
  };
  if ([...state.effects.keys()].some(isOld)) return forgotten;
  if ([...state.keys.values()].some(({ nodeId }) => isOld(nodeId))) return forgotten;
  for (const other of state.nodes.keys()) if (isOld(other)) state.nodes.delete(other);
  for (const other of outputs.keys()) if (isOld(other)) outputs.delete(other);
  loop.forgotten = last;
  return last;
}

/**
 * Whether the output of a body is that of its last nodes, and a handler or a message makes these.
 */
function givesItsOwn({ body, nodes }: BodyPlan): boolean {
  if (body.output !== undefined) return false;
  return nodes.every(({ node, out }) => {
    const isLast = !out.some(({ kind }) => kind !== 'catch');
    return !isLast || node.type === 'task' || node.type === 'wait';
  });
}
