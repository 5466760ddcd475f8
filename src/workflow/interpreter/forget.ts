import type { BodyPlan } from './plan.js';
import { nodePath, type Run, type Scope } from './run.js';

/**
 * Forgets the nodes of turns of loops that are over, so that the state of a run that goes on for ever does
 * not grow with its turns. A loop keeps its last turn and the one before it, of which that one was given
 * its input. Turns with an effect or a key stay, and so do those of loops whose turns may hand on what they
 * were given. The log tells all of it for ever: only a host whose log is elsewhere may forget.
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

/** Forgets turns of one loop; gives the first that is left. */
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
  for (const other of [...state.nodes.keys()]) if (isOld(other)) state.nodes.delete(other);
  for (const other of [...outputs.keys()]) if (isOld(other)) outputs.delete(other);
  loop.forgotten = last;
  return last;
}

/** Whether the output of a body is that of its last nodes, and these are made by a handler or a message. */
function givesItsOwn({ body, nodes }: BodyPlan): boolean {
  if (body.output !== undefined) return false;
  return nodes.every(({ node, out }) => {
    const isLast = !out.some(({ kind }) => kind !== 'catch');
    return !isLast || node.type === 'task' || node.type === 'wait';
  });
}
