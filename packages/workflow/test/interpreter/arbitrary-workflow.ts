import fc from 'fast-check';
import type { Json, Workflow } from '../../src/index.js';
import { effect, flow, plain, SAGA } from './world.js';

/** Draws from a list, so that everything about a workflow comes from one stream of choices. */
type Draw = (below: number) => number;

const POLICIES = {
  saga: { ...SAGA, timeout: { seconds: 5 } },
  sagaRetry: {
    ...SAGA,
    compensation: { ...SAGA.compensation, retry: { maxAttempts: 2 }, timeout: { seconds: 5 } },
    timeout: { seconds: 5 },
    // One more than fail at most: a process that ends takes an attempt with it.
    retry: { maxAttempts: 4 },
    backoff: { mode: 'exponential', base: 1, jitter: 0.5 },
  },
  loop: { loopGuards: { maxIters: 3 } },
  mend: { catch: [{ errors: ['*'], handler: 'mend' }] },
  sagaMend: { ...SAGA, timeout: { seconds: 5 }, catch: [{ errors: ['*'], handler: 'mend' }] },
  mendLoop: { loopGuards: { maxIters: 3 }, catch: [{ errors: ['*'], handler: 'mend' }] },
};

/** Random workflows: chains and joins of all types of nodes, nested, with faults in their steps. */
export const arbitraryWorkflow: fc.Arbitrary<Workflow> = fc
  .array(fc.nat(999), { minLength: 40, maxLength: 400 })
  .map((numbers) => {
    let next = 0;
    const draw: Draw = (below) =>
      (numbers[next++ % numbers.length] + Math.floor(next / numbers.length)) % below;
    return flow({ ...body(draw, 1 + (draw(4) === 0 ? 1 : 0)), policies: POLICIES });
  })
  .filter((workflow) => handedOver(workflow, 1).all < MOST);

/** Times the run's input that nodes hand over at most. One workflow in fifty is beyond it, and some of those fill the memory. */
const MOST = 10_000;

/**
 * How many times its input a body hands over, in all and at its end: joins and maps multiply it, maps in
 * maps many times over.
 */
function handedOver({ nodes, edges }: Pick<Workflow, 'nodes' | 'edges'>, input: number) {
  const outputs = new Map<string, number>();
  let all = 0;
  for (const node of nodes) {
    const before = edges.filter(({ to }) => to === node.id);
    const into = before.reduce((sum, { from }) => sum + (outputs.get(from) ?? 0), 0);
    let output = before.length === 0 ? input : into;
    const bodies =
      node.type === 'parallel'
        ? Object.values(node.branches)
        : node.type === 'map'
          ? [node.body]
          : [];
    const times = node.type === 'map' ? 3 : 1;
    for (let k = 0; k < times; k++) {
      const ends = bodies.map((one) => handedOver(one, output));
      all += ends.reduce((sum, end) => sum + end.all, 0);
      if (ends.length > 0) output = ends.reduce((sum, end) => sum + end.output, 0);
    }
    all += output;
    outputs.set(node.id, output);
  }
  const last = nodes.filter(({ id }) => edges.every(({ from }) => from !== id));
  return { all, output: last.reduce((sum, { id }) => sum + (outputs.get(id) ?? 0), 0) };
}

function body(draw: Draw, depth: number): { nodes: object[]; edges: object[] } {
  const count = 1 + draw(4);
  const nodes: Record<string, unknown>[] = [];
  const edges: object[] = [];
  for (let k = 0; k < count; k++) nodes.push(node(draw, `n${k}`, depth));
  for (let to = 1; to < count; to++) {
    for (let from = 0; from < to; from++) {
      if (nodes[from].type !== 'choice' && (from === to - 1 ? draw(4) > 0 : draw(4) === 0)) {
        edges.push({ from: `n${from}`, to: `n${to}` });
      }
    }
  }
  nodes.forEach((one, from) => {
    if (one.type !== 'choice' || from === count - 1) return;
    const to = from + 1 + draw(count - from - 1);
    edges.push({ from: `n${from}`, to: `n${from + 1}`, kind: 'branch', guard: GUARDS[draw(3)] });
    edges.push({ from: `n${from}`, to: `n${to}`, kind: 'default' });
  });
  if (nodes.some(({ policyRef }) => String(policyRef).toLowerCase().includes('mend'))) {
    nodes.push(draw(2) === 0 ? effect('mend') : plain('mend'));
  }
  return { nodes, edges };
}

const GUARDS = ['true', 'false', '$type($input) = "number"'];

function node(draw: Draw, id: string, depth: number): Record<string, unknown> {
  const kind = draw(depth > 0 ? 9 : 6);
  if (kind < 2) return plain(id, trouble(draw));
  if (kind < 5) {
    const policyRef = ['saga', 'sagaRetry', 'sagaMend'][draw(3)];
    const undoing = draw(8) === 0 ? { undoFailsUpTo: 1 + draw(3) } : {};
    const { times, ...always } = trouble(draw) as Record<string, Json>;
    // Without a policy to try again, what fails at first only would succeed after a crash.
    const befalls =
      policyRef === 'sagaRetry' && times !== undefined ? { ...always, times } : always;
    return { ...effect(id, { ...befalls, ...undoing }), policyRef };
  }
  if (kind === 5) return { id, type: 'choice' };
  const policyRef = draw(3) === 0 ? 'mendLoop' : 'loop';
  if (kind === 6) {
    const branches = { left: body(draw, depth - 1), right: body(draw, depth - 1) };
    return {
      id,
      type: 'parallel',
      branches,
      ...(policyRef === 'mendLoop' ? { policyRef: 'mend' } : {}),
    };
  }
  if (kind === 7)
    return { id, type: 'map', until: 'false', policyRef, body: body(draw, depth - 1) };
  const input = { list: [`outputs.none.list`, 'input.list'] };
  return { id, type: 'map', items: 'input.list', input, policyRef, body: body(draw, depth - 1) };
}

/** What befalls a step, if anything: it fails, always or at first, before or after its effect. */
function trouble(draw: Draw): Record<string, never> {
  const faults: Record<string, unknown> = {};
  if (draw(3) === 0) faults.seconds = draw(8);
  if (draw(5) === 0) {
    faults.fail = 'Broken';
    if (draw(2) === 0) faults.times = 1 + draw(2);
  }
  if (draw(2) === 0) faults.before = true;
  if (draw(4) === 0) faults.deaf = true;
  return faults as Record<string, never>;
}
