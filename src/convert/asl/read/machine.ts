import type { Feature, SupportLevel } from '../../report.js';
import { type DocumentPlace, inside, refuseAt } from './conditions.js';
import {
  type Arrived,
  type BodyDocument,
  type BodyPlace,
  given,
  type Said,
  type Way,
} from './flow.js';
import { checkMachine, type Fields, type StateType, targetsOf } from './form.js';
import { sayLoop, withLoops } from './loops.js';
import { sayMap, sayParallel } from './nested.js';
import type { EdgeDocument, NodeDocument } from './policies.js';
import { sayChoice, sayFail, sayPass, saySucceed, sayTask, sayWait } from './states.js';
import type { StateScope } from './templates.js';
import { merge, type NodeOrder, sameValue, THE_INPUT, type Value } from './values.js';

const SAY: Readonly<Record<StateType, (one: Arrived, body: BodyPlace) => Said>> = {
  Task: sayTask,
  Pass: sayPass,
  Choice: sayChoice,
  Wait: sayWait,
  Parallel: (one, body) => sayParallel(one, body, readBody),
  Map: (one, body) => sayMap(one, body, readBody),
  Succeed: saySucceed,
  Fail: sayFail,
};

/**
 * The body of a machine: states as nodes, in the order in which they run, and the ways between them.
 *
 * @throws InputError `bad_asl` for what has not the form; `unsupported_...` and `unbounded_loop` for what
 *   workflows cannot say
 */
export function readBody(machine: unknown, body: BodyPlace): BodyDocument {
  checkMachine(machine, body.place);
  const { StartAt, States: states } = withLoops(machine, body.place);
  const order = orderOf({ StartAt, States: states }, body.place);
  const ids = new Map(order.map((name) => [name, body.reading.ids.of(name)]));
  const idOf = (name: string) => ids.get(name) as string;
  const nodes: NodeDocument[] = [];
  const edges: EdgeDocument[] = [];
  const ends: NonNullable<Said['end']>[] = [];
  const links: Link[] = [];
  const start: Way = {
    ...{ from: undefined, to: StartAt, kind: 'sequence', value: body.input },
    ...{ natural: sameValue(body.input, THE_INPUT), variables: {} },
  };
  const ways: Way[] = [start];
  for (const name of order) {
    const arrived = arrive(name, states[name], ways, {
      body,
      idOf,
      order: orderOfNodes(nodes, links),
    });
    const said =
      'Loop' in states[name]
        ? sayLoop(arrived, body, readBody)
        : SAY[states[name].Type as StateType](arrived, body);
    const [first, ...others] = said.nodes;
    if (first !== undefined) nodes.push(withName(first, name, arrived), ...others);
    else forget(ways, name);
    edges.push(...(said.edges ?? []));
    links.push(...(said.edges ?? []));
    for (const { from, to } of said.ways)
      if (from !== undefined) links.push({ from, to: idOf(to) });
    ways.push(...said.ways);
    if (said.end !== undefined) ends.push(said.end);
  }
  // In the order of the rules of each choice: the first that holds counts.
  edges.push(...ways.flatMap((way) => edgeOf(way, idOf)));
  return { nodes, edges, ...endOf({ nodes, edges, ends, body }) };
}

/** Drops the ways to a state that is no node. */
function forget(ways: Way[], name: string): void {
  for (let k = ways.length - 1; k >= 0; k--) if (ways[k].to === name) ways.splice(k, 1);
}

function edgeOf({ from, to, kind, guard }: Way, idOf: (name: string) => string): EdgeDocument[] {
  if (from === undefined || kind === 'catch') return [];
  return [{ from, to: idOf(to), kind, ...(guard === undefined ? {} : { guard }) }];
}

/** The node of a state, with its name if the id is another, and what could not be said of it. */
function withName(node: NodeDocument, name: string, { place, state }: Arrived): NodeDocument {
  const named = node.id === name ? node : { ...node, name };
  const lost = LOST.get(place);
  if (lost === undefined) return named;
  const { Branches: _, ItemProcessor: _1, Iterator: _2, Loop: _3, ...rest } = state;
  return { ...named, params: { ...named.params, asl: rest as never } };
}

/** States of which something could not be said, by their places. */
const LOST = new WeakMap<DocumentPlace, true>();

interface Around {
  readonly body: BodyPlace;
  readonly order: NodeOrder;
  idOf(name: string): string;
}

/** A state with all that comes to it. */
function arrive(name: string, state: Fields, all: readonly Way[], around: Around): Arrived {
  const { body, idOf, order } = around;
  const { reading, execution, title } = body;
  const ways = all.filter(({ to }) => to === name);
  const id = idOf(name);
  const place = inside(body.place, 'States', name);
  const at = title === '' ? id : `${title}/${id}`;
  const note = (feature: Feature, level: SupportLevel, how: string) => {
    if (level === 'unsupported' || level === 'static-only') LOST.set(place, true);
    reading.notes.push({ feature, place: at, level, how });
  };
  const names = [...new Set(ways.flatMap(({ variables }) => Object.keys(variables)))];
  const everywhere = names.filter((one) =>
    ways.every(({ variables }) => Object.hasOwn(variables, one)),
  );
  const variables = everywhere.map((one): [string, Value] => {
    return [
      one,
      merge(
        ways.map((way) => ({ from: way.from, value: way.variables[one] })),
        order,
      ),
    ];
  });
  const scope: StateScope = {
    input: merge(ways, order),
    variables: Object.fromEntries(variables),
    ...(execution === undefined ? {} : { execution }),
  };
  return {
    ...{ ...scope, name, id, state, place, note, idOf, policy: reading.policy },
    jsonata: state.QueryLanguage === undefined ? body.jsonata : state.QueryLanguage === 'JSONata',
    natural: ways.every(({ natural }) => natural),
    afterSteps: ways.every(({ kind, from }) => kind === 'sequence' && from !== undefined),
  };
}

/** A way between two nodes, of any kind. */
interface Link {
  readonly from: string;
  readonly to: string;
}

/** In which order the nodes that are there run. */
function orderOfNodes(nodes: readonly NodeDocument[], links: readonly Link[]): NodeOrder {
  const rank = new Map(nodes.map(({ id }, k) => [id, k]));
  const isBefore = (earlier: string, later: string) => {
    const reached = new Set([earlier]);
    for (const id of reached) for (const { from, to } of links) if (from === id) reached.add(to);
    return reached.has(later);
  };
  return { rank: (id) => rank.get(id) ?? -1, isBefore };
}

/** The output of a body: by itself, by a reference, or of a task that puts it together. */
function endOf({
  nodes,
  edges,
  ends,
  body,
}: {
  readonly nodes: NodeDocument[];
  readonly edges: EdgeDocument[];
  readonly ends: readonly NonNullable<Said['end']>[];
  readonly body: BodyPlace;
}): Pick<BodyDocument, 'output'> {
  const made = ends.filter(({ natural }) => !natural);
  const [only] = made;
  if (only === undefined) return {};
  if (ends.length === 1 && only.value.kind === 'reference') {
    const { references } = only.value;
    return { output: references.length === 1 ? references[0] : [...references] };
  }
  for (const { id, value } of made) {
    const last = body.reading.ids.of(`${id}-output`);
    const place = body.title === '' ? last : `${body.title}/${last}`;
    const note = (feature: Feature, level: SupportLevel, how: string) => {
      body.reading.notes.push({ feature, place, level, how });
    };
    note('task', 'emulated', 'its handler pass gives its input');
    const state = { Type: 'Succeed' };
    nodes.push({
      id: last,
      type: 'task',
      handler: 'pass',
      ...given({ note, state, natural: false }, value, false),
    });
    edges.push({ from: id, to: last });
  }
  return {};
}

/**
 * The states in an order in which each comes after all that lead to it.
 *
 * @throws InputError `bad_asl` for states that nothing leads to
 */
function orderOf(machine: Fields, place: DocumentPlace): string[] {
  const states = machine.States as Readonly<Record<string, Fields>>;
  const done: string[] = [];
  const visit = (name: string): void => {
    if (done.includes(name)) return;
    for (const [target] of targetsOf(states[name]).reverse()) visit(String(target));
    done.push(name);
  };
  visit(String(machine.StartAt));
  const lonely = Object.keys(states).find((name) => !done.includes(name));
  if (lonely === undefined) return done.reverse();
  const at = inside(place, 'States', lonely);
  throw refuseAt('bad_asl', at, 'nothing leads to this state', 'lead to it, or drop it');
}
