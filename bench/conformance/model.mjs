// @ts-check
// What a workflow must do under a script, worked out from the documents of workflows and sagas: an
// oracle for workflows that nobody wrote an expectation for. It knows no engine, no converter and no
// interpreter, and says what may differ: what runs beside a failing step may be broken off anywhere.
import { compileGuard } from '@alas-jssp/workflow';
import { row } from './expectation.mjs';
import { attempts, waitFor } from './model-calls.mjs';
import { undoAll } from './model-undo.mjs';
import { ancestorsOf, inOrder, inputOf, linksOf, outputOf, policyOf } from './model-values.mjs';

/** @typedef {import('./expectation.mjs').Part} Part */
/** @typedef {{ code: string, message: string, nodeId: string }} Failure */

/**
 * An effect that came about, or may have.
 *
 * @typedef {object} Effect
 * @property {string} path
 * @property {any} compensation undefined if nothing undoes it
 * @property {boolean} optional it may have been stopped before it began
 * @property {'held' | 'undone' | 'stuck' | 'absent' | 'doubt'} state
 */

/**
 * The end of a node or a body. Of failures there are several if it depends on who is faster.
 *
 * @typedef {{ part: Part, effects: Effect[], output?: unknown, failures?: Failure[], failed?: Effect[] }} Ended
 */

/** @typedef {{ workflow: any, script: any, inputs: Record<string, unknown> }} World */

/**
 * What a run must do.
 *
 * @param {any} workflow
 * @param {unknown} input
 * @param {import('./fault-script.mjs').FaultScript} script
 */
export async function foresee(workflow, input, script) {
  /** @type {World} */
  const world = { workflow, script, inputs: {} };
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

/** The ends that are possible, by what became of the effects. @param {readonly Effect[]} effects */
function statusesOf(effects) {
  const sure = effects.filter(({ optional }) => !optional);
  const isLeft = (/** @type {Effect} */ { state }) => state === 'stuck' || state === 'held';
  if (sure.some(isLeft)) return ['COMPENSATION_FAILED'];
  const statuses = effects.some(isLeft) ? ['COMPENSATION_FAILED'] : [];
  if (effects.some(({ state }) => state === 'doubt')) statuses.push('IN_DOUBT');
  if (sure.some(({ state }) => state === 'doubt')) return statuses;
  if (effects.some(({ state }) => state === 'undone')) statuses.push('COMPENSATED');
  if (!sure.some(({ state }) => state === 'undone')) statuses.push('FAILED');
  return statuses;
}

/**
 * @param {World} world
 * @param {any} body
 * @param {string} scope path
 * @param {unknown} input
 * @returns {Promise<Ended>}
 */
async function runBody(world, body, scope, input) {
  const links = linksOf(world.workflow, body);
  const order = inOrder(body, links);
  /** @type {Map<string, unknown>} */
  const outputs = new Map();
  /** @type {Map<string, unknown>} */
  const caught = new Map();
  /** @type {Map<string, Ended & { taken: import('./model-values.mjs').Link[] }>} */
  const ended = new Map();
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
    const route = failures?.every((/** @type {Failure} */ { code }) =>
      routeOf(world, node, out, code),
    )
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

const isStuck = (/** @type {Effect} */ { state, compensation }) =>
  state === 'stuck' || (state === 'held' && compensation !== undefined);

/** Whether a way on is taken. @param {any} end @param {any} link */
const isChosen = (end, link) =>
  link.kind === 'sequence' || !('chosen' in end) || end.chosen === link.edge;

/** @param {any} made @returns {Ended} */
function joinBody({ body, links, ended, input, outputs }) {
  const ids = body.nodes.map((/** @type {any} */ { id }) => id);
  const failing = ids.filter((/** @type {string} */ id) => ended.get(id)?.failures !== undefined);
  const parts = ids.map((/** @type {string} */ id) => ended.get(id)?.part ?? row());
  const edges = links.map((/** @type {any} */ { from, to }) => [
    ids.indexOf(from),
    ids.indexOf(to),
  ]);
  const effects = ids.flatMap((/** @type {string} */ id) => ended.get(id)?.effects ?? []);
  if (failing.length === 0) {
    return { part: { graph: parts, edges }, effects, output: outputOf(body, input, outputs) };
  }
  // What all failing steps build on has run; anything else may have been stopped by the first of them.
  const grounds = failing.map((/** @type {string} */ id) => ancestorsOf(links, id));
  const free = ids.filter((/** @type {string} */ id) => {
    return !grounds.every((/** @type {Set<string>} */ ground) => ground.has(id));
  });
  for (const id of free) for (const effect of ended.get(id)?.effects ?? []) effect.optional = true;
  const graph = {
    graph: parts,
    edges,
    free: free.map((/** @type {string} */ id) => ids.indexOf(id)),
  };
  const failures = failing.flatMap((/** @type {string} */ id) => ended.get(id).failures);
  return { part: graph, effects, failures };
}

/** The handler of a failure. @param {World} world @param {any} node @param {any[]} out @param {string} code */
function routeOf({ workflow }, node, out, code) {
  const rules = policyOf(workflow, node).catch ?? [];
  const rule = rules.find((/** @type {any} */ { errors }) => {
    return errors.includes('*') || errors.includes(code);
  });
  if (rule?.handler === undefined || rule.handler === node.id) return undefined;
  return out.some(({ kind }) => kind === 'catch') ? rule.handler : undefined;
}

/** @param {World} world @param {any} node @param {string} path @param {unknown} input @param {any[]} out @returns {Promise<any>} */
async function runNode(world, node, path, input, out) {
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
    .reduce((/** @type {any} */ at, /** @type {string} */ key) => at?.[key], input);
  if (!Array.isArray(items)) return { part: row(), effects: [], ...failing('NoItems', path) };
  const { maxIters = Number.POSITIVE_INFINITY } = policyOf(world.workflow, node).loopGuards ?? {};
  if (items.length > maxIters) return { part: row(), effects: [], ...failing('LoopGuard', path) };
  const turns = items.map((item, k) => ({ body: node.body, scope: `${path}[${k}]`, input: item }));
  return runTogether(world, node, turns, out, (all) => all);
}

/** @param {string} code @param {string} nodeId */
const failing = (code, nodeId) => ({ failures: [{ code, message: '', nodeId }] });

/** @param {World} world @param {any} node @param {string} path @param {unknown} input */
function runTask(world, node, path, input) {
  const { script, workflow } = world;
  const policy = policyOf(workflow, node);
  const asked = node.approval === undefined ? undefined : waitFor(script, 'approve', path, policy);
  if (asked?.code !== undefined)
    return { part: asked.part, effects: [], ...failing(asked.code, path) };
  world.inputs[path] = input;
  const { part, code, output, unanswered } = attempts(script, path, policy);
  const whole = asked === undefined ? part : row(asked.part, part);
  /** @type {Effect[]} */
  const effects = [];
  if (node.effect !== 'none') {
    const compensation = node.effect === 'irreversible' ? undefined : policy.compensation;
    const isThere = compensation !== undefined || code === undefined;
    const state = isThere ? 'held' : unanswered ? 'doubt' : 'absent';
    effects.push({ path, compensation, optional: false, state });
  }
  if (code === undefined) return { part: whole, effects, output };
  return { part: whole, effects, failed: effects, ...failing(code, path) };
}

/** @param {string} path @param {unknown} input @param {any[]} out */
async function runChoice(path, input, out) {
  const branches = out.filter(({ kind }) => kind === 'branch');
  for (const { guard, edge } of branches) {
    const scope = { variables: { input: true, output: true, outputs: true } };
    try {
      const holds = await compileGuard(guard, /** @type {any} */ (scope)).evaluate(
        /** @type {any} */ ({ input }),
      );
      if (holds) return { part: row(), effects: [], output: input, chosen: edge };
    } catch (error) {
      return { part: row(), effects: [], ...failing(/** @type {any} */ (error).code, path) };
    }
  }
  const otherwise = out.find(({ kind }) => kind === 'default');
  if (otherwise === undefined && branches.length > 0) {
    return { part: row(), effects: [], ...failing('NoBranch', path) };
  }
  return { part: row(), effects: [], output: input, chosen: otherwise?.edge };
}

/** @param {World} world @param {any} node @param {any[]} bodies @param {any[]} out @param {(outputs: unknown[]) => unknown} join */
async function runTogether(world, node, bodies, out, join) {
  /** @type {Ended[]} */
  const all = [];
  for (const { body, scope, input } of bodies) all.push(await runBody(world, body, scope, input));
  const effects = all.flatMap((one) => one.effects);
  const bad = all.filter(({ failures }) => failures !== undefined);
  const parts = all.map(({ part }) => part);
  const edges = node.maxConcurrency === 1 ? all.slice(1).map((_, k) => [k, k + 1]) : [];
  if (bad.length === 0) {
    return {
      part: { graph: parts, edges },
      effects,
      output: join(all.map(({ output }) => output)),
    };
  }
  const isCaught = (/** @type {Failure} */ { code }) =>
    routeOf(world, node, out, code) !== undefined;
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

/** @param {World} world @param {any} node @param {string} path @param {unknown} input */
async function runLoop(world, node, path, input) {
  const { maxIters = Number.POSITIVE_INFINITY } = policyOf(world.workflow, node).loopGuards ?? {};
  /** @type {Ended[]} */
  const turns = [];
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
      const guard = node.until && compileGuard(node.until, /** @type {any} */ (scope));
      if (guard && (await guard.evaluate({ input, output }))) return { ...whole, output };
    } catch (error) {
      return { ...whole, ...failing(/** @type {any} */ (error).code, path), failed: whole.effects };
    }
    if (k + 1 >= maxIters) return { ...whole, output };
    given = output;
  }
}
