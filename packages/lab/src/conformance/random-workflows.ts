// Random workflows that every target can say: sequences, choices that meet again or not, forks, joins,
// branches, loops over items and until a guard holds, retries, timeouts, caught failures, effects and
// what undoes them, approvals and waits. All is drawn from one source of chance, of which 0 is always
// the simplest choice, so that a tape of zeros is one task.

import { createRandom } from '@alas-jssp/core';
import { checkWorkflow, toWorkflow, type Workflow } from '@alas-jssp/workflow';
import type { DocumentBody, DocumentNode, WorkflowDocument } from './document-form.js';
import { addExtras } from './random-extras.js';

/** Gives a whole number from 0 to one less than that. */
export type Draw = (below: number) => number;

interface Shape {
  /** Waits of whole seconds, and timeouts that a step may miss. */
  timers?: boolean;
  /** Also all that targets only take along as notes: roles, repairs, schemas, invariants, signals. */
  rich?: boolean;
  name?: string;
}

/** Where a body stands: how deep it may nest, loops around it, references to lists in its input. */
interface Place {
  depth: number;
  loops: number;
  lists: string[];
  root: boolean;
}

/** A way on from a node. */
interface Way {
  from: string;
  kind?: string;
  guard?: string;
}

/** What a workflow has so far; names of policies by their text. */
interface Made {
  draw: Draw;
  timers: boolean;
  rich: boolean;
  count: number;
  policies: Map<string, string>;
}

/** A node with its policy, which is named when the node is added. */
interface LimitedNode extends DocumentNode {
  limits: object;
}

/** Nodes of a workflow, at most a few more than this. */
const MOST = 9;

/** The input that the references of random workflows find something in. */
export const RANDOM_INPUT = {
  n: 2,
  flag: true,
  name: 'order',
  items: [
    { n: 0, flag: true, parts: [{ n: 1 }, { n: 2 }] },
    { n: 1, flag: false, parts: [] },
    { n: 2, flag: true, parts: [{ n: 3 }] },
  ],
};

const GUARDS = [
  '$input.flag = true',
  '$input.n > 1',
  '$input.attempt > 1',
  '$exists($input.n)',
  '$input.n >= 1 and $input.flag = true',
  '$not($input.flag = true)',
  '$count($input.items) > 2',
];
const UNTIL = ['$output.done = true', '$output.n >= 2', '$output.n >= $input.n'];

/** A sound workflow, the same for the same seed. */
export function randomWorkflow(seed: number, shape: Shape = {}) {
  for (let attempt = 0; ; attempt++) {
    const random = createRandom(`${seed}/${attempt}`);
    const document = drawWorkflow((below) => random.integer(0, below - 1), {
      name: `random-${seed}`,
      ...shape,
    });
    const workflow = toWorkflow(document);
    if (isSound(workflow)) return workflow;
  }
}

/** Whether the checker finds no errors; what is drawn hits on references to what never ran, at times. */
export function isSound(workflow: Workflow) {
  return checkWorkflow(workflow).every(({ severity }) => severity !== 'error');
}

/** The document of a workflow, mostly sound. */
export function drawWorkflow(
  draw: Draw,
  { timers = false, rich = false, name = 'random' }: Shape = {},
) {
  const made: Made = { draw, timers, rich, count: 0, policies: new Map([['{}', 'plain']]) };
  const place = { depth: 2, loops: 0, lists: ['input.items'], root: true };
  const body = drawBody(made, place);
  const policies = Object.fromEntries(
    [...made.policies].map(([text, key]) => [
      key,
      { timeout: { seconds: 30 }, ...JSON.parse(text) },
    ]),
  );
  const document: WorkflowDocument = {
    ...{ schema: 'alas-jssp/workflow@1', name, ...body, policies, defaultPolicy: 'plain' },
  };
  return rich ? addExtras(draw, document) : document;
}

const chance = ({ draw }: Made, one: number) => draw(one) === one - 1;
const pick = <Value>({ draw }: Made, list: readonly Value[]): Value => list[draw(list.length)];
const newId = (made: Made, word: string) => `${word}${++made.count}`;

function drawBody(made: Made, place: Place): DocumentBody {
  const body: DocumentBody = { nodes: [], edges: [] };

  let open: readonly Way[] = [];
  const blocks = 1 + made.draw(place.root ? 5 : 3);
  for (let k = 0; k < blocks && (k === 0 || (open.length > 0 && made.count < MOST)); k++) {
    open = drawBlock(made, place, body, open);
  }
  if (place.root && open.length > 0 && chance(made, 4)) {
    const limits = chance(made, 2) ? { idempotencyKey: {} } : {};
    const send = { ...drawTask(made, limits, 'send'), effect: 'irreversible' };
    open = add(body, open, withPolicy(made, send, send.limits));
  }
  if (chance(made, 8)) tangle(made, body);
  const last = body.nodes.filter(({ id }) => open.some(({ from }) => from === id));
  if (last.length === 0 || !chance(made, 3)) return body;
  const references = last.map(({ id }) => `outputs.${id}`);
  return { ...body, output: references.length === 1 ? references[0] : [...references, 'input'] };
}

/** Adds one more way from a task to one that was drawn later: no nest of blocks any more. */
function tangle(made: Made, { nodes, edges }: DocumentBody) {
  const from = nodes[made.draw(nodes.length)];
  const to = nodes[made.draw(nodes.length)];
  const known = edges.some((edge) => edge.from === from.id && edge.to === to.id);
  if (from.type === 'choice' || known || nodes.indexOf(from) >= nodes.indexOf(to)) return;
  if (to.id.startsWith('mend')) return;
  edges.push({ from: from.id, to: to.id });
}

/** Leads all open ways to a node, and gives the way on from it. */
function add(body: DocumentBody, open: readonly Way[], node: DocumentNode): readonly Way[] {
  body.nodes.push(node);
  for (const way of open) body.edges.push({ ...way, to: node.id });
  return [{ from: node.id }];
}

function drawBlock(
  made: Made,
  place: Place,
  body: DocumentBody,
  open: readonly Way[],
): readonly Way[] {
  const kind = made.draw(place.depth > 0 ? 18 : 11);
  if (kind < 3) return drawStep(made, body, open, drawTask(made, drawLimits(made)));
  if (kind < 6) return drawStep(made, body, open, drawEffect(made));
  if (kind < 8) return drawChoice(made, body, open);
  if (kind === 8) return drawFork(made, body, open);
  if (kind <= 10) return drawStop(made, place, body, open);
  if (kind <= 12) return drawStep(made, body, open, drawParallel(made, place, open));
  if (kind <= 15) return drawStep(made, body, open, drawEach(made, place));
  return drawStep(made, body, open, drawLoop(made, place));
}

/** Adds a node, and perhaps one that handles its failure, whose ways meet or end. */
function drawStep(
  made: Made,
  body: DocumentBody,
  open: readonly Way[],
  { limits, ...node }: LimitedNode,
): readonly Way[] {
  const input = node.input === undefined ? drawInput(made, body, open) : node.input;
  const given = input === undefined ? node : { ...node, input };
  if (!chance(made, 4)) return add(body, open, withPolicy(made, given, limits));
  const mend = drawTask(made, {}, 'mend');
  const errors = pick(made, [['*'], ['Broken'], ['Busy', 'Crash'], ['Timeout', 'Broken']]);
  const rules = [{ errors, handler: mend.id }];
  if (chance(made, 3)) rules.push({ errors: ['*'], handler: mend.id });
  const on = add(body, open, withPolicy(made, given, { ...limits, catch: rules }));
  const mended = add(body, [], withPolicy(made, mend, mend.limits));
  return chance(made, 3) ? on : [...on, ...mended];
}

/** A node with a policy of these limits; the same limits are one policy. */
function withPolicy(made: Made, drawn: DocumentNode, limits: object = {}): DocumentNode {
  const { limits: _, ...node } = drawn;
  const text = JSON.stringify(limits);
  if (text === '{}') return node;
  const known = made.policies.get(text) ?? `policy${made.policies.size}`;
  made.policies.set(text, known);
  return { ...node, policyRef: known };
}

function drawTask(made: Made, limits: object, word = 'task'): LimitedNode {
  const id = newId(made, word);
  const handler = chance(made, 6) ? { handler: pick(made, ['work', 'common']) } : {};
  return { id, type: 'task', ...handler, limits };
}

function drawEffect(made: Made): LimitedNode {
  const { limits, ...task } = drawTask(made, drawLimits(made), 'act');
  const template = pick(made, ['', '', 'key-{runId}-{nodeId}-{inputHash}']);
  const compensation = {
    handler: chance(made, 3) ? 'undo' : `undo-${task.id}`,
    safeReinvoke: true,
    timeout: { seconds: 30 },
    ...(chance(made, 3) ? drawRetry(made) : {}),
  };
  const idempotencyKey = template === '' ? {} : { template };
  return { ...task, effect: 'compensable', limits: { ...limits, idempotencyKey, compensation } };
}

/** Retries and limits of time of a task. */
function drawLimits(made: Made) {
  const hasty = made.timers && chance(made, 3);
  const limits = hasty
    ? { timeout: { seconds: 1 + made.draw(2) }, lateAnswer: { seconds: 1 } }
    : {};
  return chance(made, 3) ? { ...limits, ...drawRetry(made) } : limits;
}

function drawRetry(made: Made) {
  const codes = [['*'], ['Busy'], ['Busy', 'Crash']];
  const retryOn = pick(made, made.timers ? [...codes, ['Timeout', 'Busy']] : codes);
  const waits = [
    { mode: 'fixed', base: 1 },
    { mode: 'exponential', base: 1, cap: 2 },
    { mode: 'exponential', base: 1, jitter: 0.5 },
  ];
  const backoff = made.timers ? pick(made, waits) : { mode: 'fixed', base: 0 };
  return { retry: { maxAttempts: 2 + made.draw(2), retryOn }, backoff };
}

/** Where a node's input comes from; mostly it is what the node before gave. */
function drawInput(made: Made, { nodes, edges }: DocumentBody, open: readonly Way[]) {
  const kind = made.draw(8);
  if (kind < 5) return undefined;
  const before = new Set(open.map(({ from }) => from));
  for (const id of before) for (const { from, to } of edges) if (to === id) before.add(from);
  const ids = nodes.map(({ id }) => id).filter((id) => before.has(id));
  if (kind === 5 || ids.length === 0) return pick(made, ['input', { all: 'input' }]);
  const id = pick(made, ids);
  if (kind === 6) return { before: `outputs.${id}`, n: [`outputs.${id}.n`, 'input.n'] };
  return [`outputs.${id}`, 'input'];
}

function drawChoice(made: Made, body: DocumentBody, open: readonly Way[]): readonly Way[] {
  const id = newId(made, 'choose');
  const input = drawInput(made, body, open);
  add(body, open, { id, type: 'choice', ...(input === undefined ? {} : { input }) });
  const ways: Omit<Way, 'from'>[] = [];
  for (let k = 1 + made.draw(2); k > 0; k--)
    ways.push({ kind: 'branch', guard: pick(made, GUARDS) });
  if (!chance(made, 10)) ways.push({ kind: 'default' });
  const ends = ways.flatMap((way) => {
    const start = [{ from: id, ...way }];
    const length = made.draw(3);
    const end = length === 0 ? start : drawChain(made, body, start, length);
    return length > 0 && chance(made, 6) ? [] : end;
  });
  // A way that leads on to nothing is no way.
  const bare = ends.filter(({ from }) => from === id);
  if (bare.length === 0) return ends;
  return add(body, ends, withPolicy(made, drawTask(made, {}, 'meet')));
}

function drawChain(
  made: Made,
  body: DocumentBody,
  open: readonly Way[],
  length: number,
): readonly Way[] {
  for (let k = 0; k < length; k++) {
    const node = chance(made, 3) ? drawEffect(made) : drawTask(made, drawLimits(made));
    open = drawStep(made, body, open, node);
  }
  return open;
}

function drawFork(made: Made, body: DocumentBody, open: readonly Way[]): readonly Way[] {
  const start = add(body, open, withPolicy(made, drawTask(made, {}, 'fork')));
  const ends = [1, 2].flatMap(() => drawChain(made, body, start, 1 + made.draw(2)));
  return add(body, ends, withPolicy(made, drawTask(made, {}, 'join')));
}

/** A wait for a message or for an approval, outside of loops: each has a name of its own. */
function drawStop(
  made: Made,
  place: Place,
  body: DocumentBody,
  open: readonly Way[],
): readonly Way[] {
  if (place.loops > 0) return drawStep(made, body, open, drawEffect(made));
  const limits = { wait: { seconds: made.timers ? 2 : 60 } };
  if (chance(made, 2)) {
    const id = newId(made, 'wait');
    const node = { id, type: 'wait', message: `news-${id}` };
    return add(body, open, withPolicy(made, node, limits));
  }
  const { limits: own, ...task } = chance(made, 2) ? drawEffect(made) : drawTask(made, {});
  // The stub approves in its own name.
  const by = chance(made, 3) ? { approvers: ['stub'] } : {};
  const asked = { ...task, approval: `ok-${task.id}`, limits: { ...own, ...limits, ...by } };
  return drawStep(made, body, open, asked);
}

function drawParallel(made: Made, place: Place, open: readonly Way[]): LimitedNode {
  const id = newId(made, 'side');
  const whole = open.length === 0 || chance(made, 2);
  const inside = { ...place, root: false, depth: place.depth - 1, lists: whole ? place.lists : [] };
  const names = ['left', 'right', 'middle'].slice(0, 2 + made.draw(2));
  const branches = Object.fromEntries(names.map((name) => [name, drawBody(made, inside)]));
  const input = whole ? { input: 'input' } : {};
  const limit = chance(made, 3) ? { maxConcurrency: 1 + made.draw(2) } : {};
  return { id, type: 'parallel', branches, ...input, ...limit, limits: {} };
}

function drawEach(made: Made, place: Place): LimitedNode {
  const [list] = place.lists;
  if (list === undefined) return drawLoop(made, place);
  const id = newId(made, 'each');
  const lists = list === 'input.items' ? ['input.parts'] : [];
  const inside = { root: false, depth: place.depth - 1, loops: place.loops + 1, lists };
  const found = chance(made, 2)
    ? { items: list, input: 'input' }
    : { items: 'input.list', input: { list } };
  const limit = chance(made, 3) ? { maxConcurrency: 1 + made.draw(2) } : {};
  const limits = { loopGuards: { maxIters: chance(made, 8) ? 2 : 5 } };
  return { id, type: 'map', ...found, body: drawBody(made, inside), ...limit, limits };
}

function drawLoop(made: Made, place: Place): LimitedNode {
  const id = newId(made, 'loop');
  const inside = { root: false, depth: place.depth - 1, loops: place.loops + 1, lists: [] };
  const limits = { loopGuards: { maxIters: 1 + made.draw(3) } };
  return { id, type: 'map', until: pick(made, UNTIL), body: drawBody(made, inside), limits };
}
