// What a workflow must do under a script, worked out from the documents of workflows and sagas: an
// oracle for workflows without a written expectation. It knows no engine, no converter and no
// interpreter, and says what may differ: what runs beside a failing step may be broken off anywhere.

import {
  type Body,
  compileGuard,
  type Edge,
  type MapNode,
  type Node,
  type ParallelNode,
  type TaskNode,
  type Workflow,
} from '@alas-jssp/workflow';
import { type Part, row } from './expectation.js';
import type { FaultScript } from './fault-script.js';
import { attempts, waitFor } from './model-calls.js';
import { type Effect, undoAll, type World } from './model-undo.js';
import {
  ancestorsOf,
  inOrder,
  inputOf,
  type Link,
  linksOf,
  outputOf,
  policyOf,
} from './model-values.js';

interface Failure {
  code: string;
  message: string;
  nodeId: string;
}

/** The end of a node or a body. Of failures there are several if it depends on which step is faster. */
interface EndedPart {
  part: Part;
  effects: Effect[];
  output?: unknown;
  failures?: Failure[] | undefined;
  failed?: Effect[];
  /** Of a choice: the edge that it takes. */
  chosen?: Edge | undefined;
}

/** A body of a node, the path to it and its input. */
interface PlacedBody {
  body: Body;
  scope: string;
  input: unknown;
}

/** A body whose nodes have ended, with the ways that each of them took. */
interface RunBody {
  body: Body;
  links: readonly Link[];
  ended: ReadonlyMap<string, EndedPart & { taken: Link[] }>;
  input: unknown;
  outputs: ReadonlyMap<string, unknown>;
}

/** What a run must do. */
export async function foresee(workflow: Workflow, input: unknown, script: FaultScript) {
  const world: World = { workflow, script, inputs: {} };
  const { part, effects, output, failures } = await runBody(world, workflow, '', input);
  if (failures === undefined) {
    return {
      trace: part,
      statuses: ['COMPLETED'],
      errors: [undefined],
      output,
      inputs: world.inputs,
    };
  }
  const undone = undoAll(world, effects);
  return {
    trace: row(part, undone),
    statuses: statusesOf(effects),
    errors: [...new Set(failures.map(({ code }) => code))],
    output: null,
    inputs: world.inputs,
  };
}

/** The ends that are possible, by the states of the effects. */
function statusesOf(effects: readonly Effect[]) {
  const sure = effects.filter(({ optional }) => !optional);
  const isLeft = ({ state }: Effect) => state === 'stuck' || state === 'held';
  if (sure.some(isLeft)) return ['COMPENSATION_FAILED'];
  const statuses = effects.some(isLeft) ? ['COMPENSATION_FAILED'] : [];
  if (effects.some(({ state }) => state === 'doubt')) statuses.push('IN_DOUBT');
  if (sure.some(({ state }) => state === 'doubt')) return statuses;
  if (effects.some(({ state }) => state === 'undone')) statuses.push('COMPENSATED');
  if (!sure.some(({ state }) => state === 'undone')) statuses.push('FAILED');
  return statuses;
}

/** @param scope path */
async function runBody(
  world: World,
  body: Body,
  scope: string,
  input: unknown,
): Promise<EndedPart> {
  const links = linksOf(world.workflow, body);
  const order = inOrder(body, links);

  const outputs: Map<string, unknown> = new Map();

  const caught: Map<string, unknown> = new Map();

  const ended: Map<string, EndedPart & { taken: Link[] }> = new Map();
  const settled = new Set();
  for (const node of order) {
    const into = links.filter(({ to }) => to === node.id);
    if (!into.every(({ from }) => settled.has(from))) continue;
    const taken = into.filter((link) => ended.get(link.from)?.taken.includes(link));
    if (into.length > 0 && taken.length === 0) {
      settled.add(node.id);
      continue;
    }
    const path = scope === '' ? node.id : `${scope}/${node.id}`;
    const given = inputOf(node, taken, input, outputs, caught);
    const out = links.filter(({ from }) => from === node.id);
    const end = await runNode(world, node, path, given, out);
    const { failures } = end;
    const route = failures?.every(({ code }: Failure) => routeOf(world, node, out, code))
      ? failures
      : undefined;
    if (failures === undefined) {
      settled.add(node.id);
      if ('output' in end) outputs.set(node.id, end.output);
      const ways = out.filter((link) => link.kind !== 'catch' && isChosen(end, link));
      ended.set(node.id, { ...end, taken: ways });
    } else if (route === undefined) ended.set(node.id, { ...end, taken: [] });
    else {
      const undone = undoAll(world, end.failed ?? []);
      const stuck = (end.failed ?? []).some(isStuck);
      const part = row(end.part, undone);
      if (stuck) {
        const failure = { code: 'CompensationFailed', message: '', nodeId: path };
        ended.set(node.id, { ...end, part, failures: [failure], taken: [] });
        continue;
      }
      settled.add(node.id);
      const handler = routeOf(world, node, out, route[0].code);
      caught.set(node.id, { error: route[0], input: given });
      const ways = out.filter(({ kind, to }) => kind === 'catch' && to === handler);
      ended.set(node.id, { part, effects: end.effects, taken: ways });
    }
  }
  return joinBody({ body, links, ended, input, outputs });
}

const isStuck = ({ state, compensation }: Effect) =>
  state === 'stuck' || (state === 'held' && compensation !== undefined);

/** Whether a way on is taken. */
const isChosen = (end: EndedPart, link: Link) =>
  link.kind === 'sequence' || !('chosen' in end) || end.chosen === link.edge;

function joinBody({ body, links, ended, input, outputs }: RunBody): EndedPart {
  const ids = body.nodes.map(({ id }) => id);
  const failing = ids.filter((id: string) => ended.get(id)?.failures !== undefined);
  const parts = ids.map((id: string) => ended.get(id)?.part ?? row());
  const edges = links.map(({ from, to }): [number, number] => [ids.indexOf(from), ids.indexOf(to)]);
  const effects = ids.flatMap((id: string) => ended.get(id)?.effects ?? []);
  if (failing.length === 0) {
    return { part: { graph: parts, edges }, effects, output: outputOf(body, input, outputs) };
  }
  // What all failing steps build on has run; anything else may have been stopped by the first of them.
  const grounds = failing.map((id: string) => ancestorsOf(links, id));
  const free = ids.filter((id: string) => {
    return !grounds.every((ground: Set<string>) => ground.has(id));
  });
  for (const id of free) for (const effect of ended.get(id)?.effects ?? []) effect.optional = true;
  const graph = {
    graph: parts,
    edges,
    free: free.map((id: string) => ids.indexOf(id)),
  };
  const failures = failing.flatMap((id: string) => ended.get(id)?.failures ?? []);
  return { part: graph, effects, failures };
}

/** The handler of a failure. */
function routeOf({ workflow }: World, node: Node, out: readonly Link[], code: string) {
  const rules = policyOf(workflow, node).catch ?? [];
  const rule = rules.find(({ errors }) => {
    return errors.includes('*') || errors.includes(code);
  });
  if (rule?.handler === undefined || rule.handler === node.id) return undefined;
  return out.some(({ kind }) => kind === 'catch') ? rule.handler : undefined;
}

async function runNode(
  world: World,
  node: Node,
  path: string,
  input: unknown,
  out: readonly Link[],
): Promise<EndedPart> {
  if (node.type === 'task') return runTask(world, node, path, input);
  if (node.type === 'choice') return runChoice(path, input, out);
  if (node.type === 'wait') {
    const { part, code, output } = waitFor(
      world.script,
      'wait',
      path,
      policyOf(world.workflow, node),
    );
    return code === undefined
      ? { part, effects: [], output }
      : { part, effects: [], ...failing(code, path) };
  }
  if (node.type === 'parallel') {
    const bodies = Object.entries(node.branches).map(([name, body]) => {
      return { body, scope: `${path}/${encodeURIComponent(name)}`, input };
    });
    const names = Object.keys(node.branches);
    return runTogether(world, node, bodies, out, (all) => {
      return Object.fromEntries(all.map((output, k) => [names[k], output]));
    });
  }
  if (node.items === undefined) return runLoop(world, node, path, input);
  const items = node.items
    .split('.')
    .slice(1)
    .reduce(
      (at: unknown, key: string) => (at as Record<string, unknown> | undefined)?.[key],
      input,
    );
  if (!Array.isArray(items)) return { part: row(), effects: [], ...failing('NoItems', path) };
  const { maxIters = Number.POSITIVE_INFINITY } = policyOf(world.workflow, node).loopGuards ?? {};
  if (items.length > maxIters) return { part: row(), effects: [], ...failing('LoopGuard', path) };
  const turns = items.map((item, k) => ({ body: node.body, scope: `${path}[${k}]`, input: item }));
  return runTogether(world, node, turns, out, (all) => all);
}

const failing = (code: string, nodeId: string) => ({ failures: [{ code, message: '', nodeId }] });

function runTask(world: World, node: TaskNode, path: string, input: unknown): EndedPart {
  const { script, workflow } = world;
  const policy = policyOf(workflow, node);
  const asked = node.approval === undefined ? undefined : waitFor(script, 'approve', path, policy);
  if (asked?.code !== undefined)
    return { part: asked.part, effects: [], ...failing(asked.code, path) };
  world.inputs[path] = input;
  const { part, code, output, unanswered } = attempts(script, path, policy);
  const whole = asked === undefined ? part : row(asked.part, part);

  const effects: Effect[] = [];
  if (node.effect !== 'none') {
    const compensation = node.effect === 'irreversible' ? undefined : policy.compensation;
    const isThere = compensation !== undefined || code === undefined;
    const state = isThere ? 'held' : unanswered ? 'doubt' : 'absent';
    effects.push({ path, compensation, optional: false, state });
  }
  if (code === undefined) return { part: whole, effects, output };
  return { part: whole, effects, failed: effects, ...failing(code, path) };
}

async function runChoice(path: string, input: unknown, out: readonly Link[]) {
  const branches = out.filter(({ kind }) => kind === 'branch');
  for (const { guard, edge } of branches) {
    const scope = { variables: { input: true, output: true, outputs: true } };
    try {
      const holds = await compileGuard(guard ?? '', scope).evaluate({ input });
      if (holds) return { part: row(), effects: [], output: input, chosen: edge };
    } catch (error) {
      return { part: row(), effects: [], ...failing((error as { code: string }).code, path) };
    }
  }
  const otherwise = out.find(({ kind }) => kind === 'default');
  if (otherwise === undefined && branches.length > 0) {
    return { part: row(), effects: [], ...failing('NoBranch', path) };
  }
  return { part: row(), effects: [], output: input, chosen: otherwise?.edge };
}

async function runTogether(
  world: World,
  node: MapNode | ParallelNode,
  bodies: readonly PlacedBody[],
  out: readonly Link[],
  join: (outputs: unknown[]) => unknown,
) {
  const all: EndedPart[] = [];
  for (const { body, scope, input } of bodies) all.push(await runBody(world, body, scope, input));
  const effects = all.flatMap((one) => one.effects);
  const bad = all.filter(({ failures }) => failures !== undefined);
  const parts = all.map(({ part }) => part);
  const edges =
    node.maxConcurrency === 1 ? all.slice(1).map((_, k): [number, number] => [k, k + 1]) : [];
  if (bad.length === 0) {
    return {
      part: { graph: parts, edges },
      effects,
      output: join(all.map(({ output }) => output)),
    };
  }
  const isCaught = ({ code }: Failure) => routeOf(world, node, out, code) !== undefined;
  const failures = bad.flatMap((one) => one.failures ?? []);
  if (failures.every(isCaught)) {
    // All go on to their ends; the first failure counts.
    const failed = bad.flatMap((one) => one.effects);
    return { part: { graph: parts, edges }, effects, failures: bad[0].failures, failed };
  }
  const stopping = bad.filter((one) => !one.failures?.every(isCaught));
  const sure = stopping.length === 1 ? stopping : [];
  const free = all.flatMap((one, k) => (sure.includes(one) ? [] : [k]));
  for (const k of free) for (const effect of all[k].effects) effect.optional = true;
  return {
    part: { graph: parts, edges, free },
    effects,
    failures: stopping.flatMap((one) => one.failures ?? []).filter((one) => !isCaught(one)),
    failed: bad.flatMap((one) => one.effects),
  };
}

async function runLoop(
  world: World,
  node: MapNode,
  path: string,
  input: unknown,
): Promise<EndedPart> {
  const { maxIters = Number.POSITIVE_INFINITY } = policyOf(world.workflow, node).loopGuards ?? {};

  const turns: EndedPart[] = [];
  let given = input;
  for (let k = 0; ; k++) {
    const turn = await runBody(world, node.body, `${path}[${k}]`, given);
    turns.push(turn);
    const whole = {
      part: row(...turns.map(({ part }) => part)),
      effects: turns.flatMap((one) => one.effects),
    };
    if (turn.failures !== undefined) {
      return { ...whole, failures: turn.failures, failed: whole.effects };
    }
    const { output } = turn;
    try {
      const scope = { variables: { input: true, output: true, outputs: true } };
      const guard = node.until && compileGuard(node.until, scope);
      if (guard && (await guard.evaluate({ input, output }))) return { ...whole, output };
    } catch (error) {
      return {
        ...whole,
        ...failing((error as { code: string }).code, path),
        failed: whole.effects,
      };
    }
    if (k + 1 >= maxIters) return { ...whole, output };
    given = output;
  }
}
