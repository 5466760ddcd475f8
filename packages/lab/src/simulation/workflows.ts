// Random workflows for the simulation: chains and joins of all types of nodes, nested, with
// everything that policies can say of their effects.
import type { Random } from '@alas-jssp/core';
import { toWorkflow } from '@alas-jssp/workflow';

/** Gives a whole number from 0 to one less than that. */
type Draw = (below: number) => number;

/** What a workflow has so far. */
interface Made {
  rooms: number;
  loops: number;
  policies: Record<string, object>;
}

/** Faults of a step, which the handlers of the world read from its parameters. */
export interface Trouble {
  seconds?: number;
  fail?: string;
  times?: number;
  before?: boolean;
  deaf?: boolean;
  undoFailsUpTo?: number;
  undoHangs?: boolean;
}

interface DrawnBody {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

interface DrawnNode {
  id: string;
  type: string;
  handler?: string;
  policyRef?: string;
  params?: Trouble;
  [key: string]: unknown;
}

interface DrawnEdge {
  from: string;
  to: string;
  kind?: string;
  guard?: string;
}

const undo = { handler: 'undo', safeReinvoke: true };
const timeout = { seconds: 5 };
const any = ['*'];

const POLICIES = {
  saga: { compensation: undo, timeout },
  patient: { compensation: undo, timeout, lateAnswer: { seconds: 120 } },
  hasty: { compensation: undo, timeout: { seconds: 1 }, lateAnswer: { seconds: 0 } },
  retried: {
    compensation: { ...undo, retry: { maxAttempts: 3 }, timeout },
    timeout,
    retry: { maxAttempts: 3 },
    backoff: { mode: 'exponential', base: 1, jitter: 0.5 },
  },
  fragile: { compensation: { handler: 'undo', safeReinvoke: false }, timeout },
  caught: { compensation: undo, timeout, catch: [{ errors: any, handler: 'mend' }] },
  deadline: {
    compensation: {
      ...undo,
      triggers: ['onFailure', 'onCancel', 'deadline'],
      deadlineSeconds: 200,
    },
    timeout,
  },
  waited: { wait: { seconds: 60 }, compensation: undo, timeout: { seconds: 30 } },
  once: { retry: { maxAttempts: 1 }, timeout },
  onceUndone: { retry: { maxAttempts: 1 }, timeout, compensation: undo },
  room: {
    compensation: undo,
    timeout: { seconds: 20 },
    wait: { seconds: 90 },
    idempotencyKey: { template: 'room', scope: 'resource' },
  },
  loop: { loopGuards: { maxIters: 3 } },
  loopCaught: { loopGuards: { maxIters: 3 }, catch: [{ errors: any, handler: 'mend' }] },
  plainCaught: { catch: [{ errors: any, handler: 'mend' }] },
};

/** A workflow that depends on the source of chance alone. */
export function randomWorkflow(random: Random, name: string) {
  const draw = (below: number) => random.integer(0, below - 1);
  const made: Made = { rooms: 0, loops: 0, policies: { ...POLICIES } };
  const { nodes, edges } = body(draw, made, 1 + (draw(4) === 0 ? 1 : 0));
  return toWorkflow({
    schema: 'alas-jssp/workflow@1',
    name,
    nodes,
    edges,
    policies: made.policies,
    signals: {},
  });
}

function body(draw: Draw, made: Made, depth: number): DrawnBody {
  const count = 1 + draw(4);
  const nodes = Array.from({ length: count }, (_, k) => node(draw, made, `n${k}`, depth));
  const edges: DrawnEdge[] = [];
  for (let to = 1; to < count; to++) {
    for (let from = 0; from < to; from++) {
      if (nodes[from].type === 'choice') continue;
      if (from === to - 1 ? draw(4) > 0 : draw(4) === 0)
        edges.push({ from: `n${from}`, to: `n${to}` });
    }
  }
  nodes.forEach((one, from) => {
    if (one.type !== 'choice' || from === count - 1) return;
    const to = from + 1 + draw(count - from - 1);
    edges.push({ from: `n${from}`, to: `n${from + 1}`, kind: 'branch', guard: GUARDS[draw(3)] });
    edges.push({ from: `n${from}`, to: `n${to}`, kind: 'default' });
  });
  goBack(draw, made, nodes, edges);
  if (nodes.some(({ policyRef }) => /caught/i.test(policyRef ?? ''))) {
    nodes.push(draw(2) === 0 ? effect('mend', 'saga', {}) : plain('mend', {}));
  }
  return { nodes, edges };
}

const GUARDS = ['true', 'false', '$type($input) = "number"'];

/** Some step, when it fails, takes its body back to one that comes before it. */
function goBack(draw: Draw, made: Made, nodes: DrawnNode[], edges: DrawnEdge[]) {
  const after = edges.filter(({ to, kind }) => {
    const target = nodes.find(({ id }) => id === to);
    return kind === undefined && target?.handler === 'act' && target.policyRef === 'saga';
  });
  if (after.length === 0 || draw(4) > 0) return;
  const { from, to } = after[draw(after.length)];
  const name = `back${Object.keys(made.policies).length}`;
  const rule = { errors: any, backTo: from, times: 1 + draw(2) };
  made.policies[name] = { ...POLICIES.saga, catch: [rule] };
  const target = nodes.find(({ id }) => id === to);
  if (target !== undefined) target.policyRef = name;
}

function node(draw: Draw, made: Made, id: string, depth: number): DrawnNode {
  const kind = draw(depth > 0 ? 14 : 11);
  if (kind < 2) return plain(id, trouble(draw));
  if (kind < 6) {
    const policies = ['saga', 'patient', 'hasty', 'retried', 'fragile', 'caught', 'deadline'];
    const undoing = draw(12) === 0 ? { undoFailsUpTo: 1 + draw(3) } : {};
    const hanging = draw(20) === 0 ? { undoHangs: true } : {};
    return effect(id, policies[draw(7)], { ...trouble(draw), ...undoing, ...hanging });
  }
  if (kind === 6) {
    const irreversible = draw(2) === 0;
    const { fail, ...rest } = trouble(draw);
    const params = { ...rest, ...(fail === undefined ? {} : { fail, before: true }) };
    return irreversible
      ? { ...effect(id, 'once', params), handler: 'send', effect: 'irreversible' }
      : { ...effect(id, 'onceUndone', params), handler: 'send' };
  }
  // Outside of loops: two turns at once at one key of one run are another matter.
  if (kind === 7 && made.loops === 0 && made.rooms++ === 0) {
    return { ...effect(id, 'room', trouble(draw)), input: { room: 'input.room' } };
  }
  if (kind <= 8) return { ...effect(id, 'waited', trouble(draw)), approval: `go${draw(2)}` };
  if (kind === 9) return { id, type: 'wait', message: `news${draw(2)}`, policyRef: 'waited' };
  if (kind === 10) return { id, type: 'choice' };
  const policyRef = draw(3) === 0 ? 'loopCaught' : 'loop';
  if (kind === 11) {
    const branches = { left: body(draw, made, depth - 1), right: body(draw, made, depth - 1) };
    const caught = policyRef === 'loopCaught' ? { policyRef: 'plainCaught' } : {};
    return { id, type: 'parallel', branches, ...caught };
  }
  made.loops++;
  const inside = body(draw, made, depth - 1);
  made.loops--;
  if (kind === 12) return { id, type: 'map', until: 'false', policyRef, body: inside };
  const input = { list: ['outputs.none.list', 'input.list'] };
  return { id, type: 'map', items: 'input.list', input, policyRef, body: inside };
}

const plain = (id: string, params: Trouble): DrawnNode => ({
  id,
  type: 'task',
  handler: 'plain',
  params,
});
const effect = (id: string, policyRef: string, params: Trouble): DrawnNode => ({
  ...{ id, type: 'task', handler: 'act', effect: 'compensable', policyRef, params },
});

/** What befalls a step, if anything: it fails, always or at first, before or after its effect. */
function trouble(draw: Draw): Trouble {
  const faults: Trouble = {};
  if (draw(3) === 0) faults.seconds = draw(8);
  if (draw(7) === 0) {
    faults.fail = 'Broken';
    if (draw(2) === 0) faults.times = 1 + draw(2);
  }
  if (draw(2) === 0) faults.before = true;
  if (draw(4) === 0) faults.deaf = true;
  return faults;
}
