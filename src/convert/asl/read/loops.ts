import { isObject } from '../../../core/json-path.js';
import {
  type ConditionNames,
  type DocumentPlace,
  guardOfRule,
  inside,
  refuseAt,
} from './conditions.js';
import {
  type Counter,
  counterOf,
  isCount,
  reachedFrom,
  type StatesByName,
  splitRule,
} from './counters.js';
import {
  type Arrived,
  type BodyDocument,
  type BodyPlace,
  given,
  leave,
  type Said,
} from './flow.js';
import { type Fields, targetsOf } from './form.js';
import { outputValue, THE_INPUT } from './values.js';

/** States that go round, as one state: those of a turn, and the Choice state that decides after each. */
interface Loop {
  readonly head: string;
  /** A turn as a machine of its own. */
  readonly turn: Fields;
  /** The name of the state that decides, and that state. */
  readonly name: string;
  readonly test: Fields;
  readonly counter: Counter | undefined;
}

/**
 * States of which those that go round are one state each. That can be said where one state leads in, one
 * Choice state leads back and on, and only Fail states are reached from within.
 *
 * @throws InputError `unbounded_loop` where it cannot
 */
export function withLoops(
  machine: Fields,
  place: DocumentPlace,
): { StartAt: string; States: StatesByName } {
  const states = machine.States as StatesByName;
  let made: StatesByName = states;
  let start = String(machine.StartAt);
  for (const group of cyclesOf(states)) {
    const { loop, head, test, rest } = loopOf(group, states, start, place);
    const name = `${head} loop`;
    const others = Object.entries(made).filter(([key]) => !group.includes(key));
    const led = others.map(([key, state]) => [key, retarget(state, head, name)] as const);
    made = {
      ...Object.fromEntries(led),
      [name]: { Type: 'Pass', Next: test, Loop: loop },
      [test]: rest,
    };
    if (start === head) start = name;
  }
  return { StartAt: start, States: dropUnreached(made, start, states) };
}

/** Without Fail states that only turns reach: these have them inside. */
function dropUnreached(made: StatesByName, start: string, before: StatesByName): StatesByName {
  if (made === before) return made;
  const reached = reachedFrom(made, [start]);
  return Object.fromEntries(
    Object.entries(made).filter(([name, { Type }]) => Type !== 'Fail' || reached.has(name)),
  );
}

/** The groups of states that lead to each other. */
function cyclesOf(states: StatesByName): string[][] {
  const after = (name: string) => {
    return reachedFrom(
      states,
      targetsOf(states[name]).map(([target]) => String(target)),
    );
  };
  const reach = new Map(Object.keys(states).map((name) => [name, after(name)]));
  const groups: string[][] = [];
  for (const [name, to] of reach) {
    if (!to.has(name) || groups.some((group) => group.includes(name))) continue;
    groups.push([...reach.keys()].filter((other) => to.has(other) && reach.get(other)?.has(name)));
  }
  return groups;
}

function loopOf(
  group: readonly string[],
  states: StatesByName,
  start: string,
  place: DocumentPlace,
) {
  const [any] = group;
  const within = (name: string) => group.includes(name);
  const refuse = (name: string, problem: string) => {
    const cure = 'lead in at one state, and back from one Choice state that counts the turns';
    return refuseAt('unbounded_loop', inside(place, 'States', name), problem, cure);
  };
  const ways = Object.entries(states).flatMap(([from, state]) => {
    return targetsOf(state).map(([to]) => ({ from, to: String(to) }));
  });
  const heads = group.filter((name) => {
    return name === start || ways.some(({ from, to }) => to === name && !within(from));
  });
  const [head] = heads;
  if (heads.length !== 1) throw refuse(any, `ways lead into this loop at ${heads.join(' and ')}`);
  const back = [
    ...new Set(ways.filter(({ from, to }) => within(from) && to === head).map(({ from }) => from)),
  ];
  const [test] = back;
  if (back.length !== 1 || states[test].Type !== 'Choice' || test === head) {
    throw refuse(
      test ?? any,
      `it leads back to ${head}, and is not one Choice state at the end of all turns`,
    );
  }
  const out = ways.find(({ from, to }) => {
    return within(from) && from !== test && !within(to) && states[to].Type !== 'Fail';
  });
  if (out !== undefined) throw refuse(out.from, `it leads out of the loop of ${head} to ${out.to}`);
  const counter = counterOf({ group, head, test, states });
  const ends = ways.filter(({ from, to }) => within(from) && from !== test && !within(to));
  const names = [
    ...new Set([...group.filter((name) => name !== test), ...ends.map(({ to }) => to)]),
  ];
  const turn = names.map((name) => [name, uncounted(states[name], counter)] as const);
  const loop: Loop = {
    ...{ head, counter, name: test, test: states[test] },
    turn: { StartAt: head, States: { ...Object.fromEntries(turn), [test]: { Type: 'Succeed' } } },
  };
  return { loop, head, test, rest: afterLoop(states[test], head, counter, refuse, test) };
}

/** A state of a turn, which does not count any more. */
function uncounted(state: Fields, counter: Counter | undefined): Fields {
  const { Assign, ...rest } = state;
  if (!isObject(Assign) || counter === undefined) return state;
  const kept = Object.entries(Assign).filter(([key]) => key.replace(/\.\$$/, '') !== counter.name);
  return kept.length === 0 ? rest : { ...rest, Assign: Object.fromEntries(kept) };
}

function retarget(state: Fields, from: string, to: string): Fields {
  const swap = (target: unknown) => (target === from ? to : target);
  const rules = (list: unknown) => {
    return (list as Fields[]).map((rule) => ({ ...rule, Next: swap(rule.Next) }));
  };
  return {
    ...state,
    ...(state.Next === undefined ? {} : { Next: swap(state.Next) }),
    ...(state.Default === undefined ? {} : { Default: swap(state.Default) }),
    ...(Array.isArray(state.Choices) ? { Choices: rules(state.Choices) } : {}),
    ...(Array.isArray(state.Catch) ? { Catch: rules(state.Catch) } : {}),
  };
}

/** The Choice state after the last turn: without the way back. */
function afterLoop(
  test: Fields,
  head: string,
  counter: Counter | undefined,
  refuse: (name: string, problem: string) => Error,
  name: string,
): Fields {
  const rules = test.Choices as Fields[];
  const counted = rules.findIndex((rule) => rule.Next !== head && isCount(rule, counter));
  if (counted >= 0 && rules.slice(counted + 1).some(({ Next }) => Next !== head)) {
    throw refuse(name, 'its rule over the counter stands before others that lead on');
  }
  const on = rules.filter(({ Next }) => Next !== head);
  const Choices = on.map((rule) =>
    isCount(rule, counter) ? { Next: rule.Next, Condition: true } : rule,
  );
  const { Default, ...rest } = test;
  return { ...rest, Choices, ...(Default === head || Default === undefined ? {} : { Default }) };
}

/** A loop: a map until the test would lead on, as often as the counter or the timeout of the machine says. */
export function sayLoop(
  one: Arrived,
  body: BodyPlace,
  readBody: (machine: unknown, body: BodyPlace) => BodyDocument,
): Said {
  const { id, state, place, note } = one;
  const { counter, ...loop } = state.Loop as Loop;
  const { reading, jsonata, seconds } = body;
  const title = body.title === '' ? id : `${body.title}/${id}`;
  const began = counter === undefined ? undefined : one.variables[counter.name];
  const turns =
    counter !== undefined && began?.kind === 'constant'
      ? counter.limit - Number(began.value) + (counter.first ? 0 : 1)
      : Number.NaN;
  if (Number.isNaN(turns) && seconds === undefined) {
    const problem = `it leads back to ${loop.head}, and nothing bounds that`;
    const cure = 'use Retry, or count the turns in a variable that the Choice state compares';
    throw refuseAt(
      'unbounded_loop',
      { ...place, path: [...body.place.path, 'States', loop.head] },
      problem,
      cure,
    );
  }
  const loopGuards = Number.isNaN(turns)
    ? { deadlineSeconds: seconds }
    : { maxIters: Math.max(1, turns) };
  note('loop', 'emulated', 'a map until the Choice state at the end of a turn leads on');
  const turn = readBody(loop.turn, {
    ...{ reading, jsonata, title, place: body.place },
    input: THE_INPUT,
  });
  const until = untilOf({ ...loop, counter }, body.place);
  const input = given({ ...one, state: { Type: 'Map' } }, one.input, true);
  const policyRef = one.policy({ loopGuards });
  return {
    nodes: [{ id, type: 'map', ...input, until, body: turn, policyRef }],
    ...leave({ ...one, variables: outside(one, { ...loop, counter }) }, id, outputValue(id)),
  };
}

/** The variables of the way into a loop that no turn changes: the same holds after it. */
function outside({ variables }: Arrived, { turn, test, counter }: Loop): Arrived['variables'] {
  const inTurn = Object.values(turn.States as StatesByName);
  const rules = [...inTurn, test].flatMap((state) => [state, ...rulesIn(state)]);
  const changed = rules.flatMap(({ Assign }) => Object.keys(isObject(Assign) ? Assign : {}));
  const names = [counter?.name, ...changed.map((key) => key.replace(/\.\$$/, ''))];
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));
}

function rulesIn({ Choices, Catch }: Fields): Fields[] {
  return [Choices, Catch].flatMap((rules) => (Array.isArray(rules) ? (rules as Fields[]) : []));
}

/** The guard that ends a loop: the rules of its test, over what a turn gave. */
function untilOf({ head, name, test, counter }: Loop, place: DocumentPlace): string {
  const names: ConditionNames = { input: '$output', of: () => undefined };
  const rules = test.Choices as Fields[];
  const last = test.Default === head ? 'false' : 'true';
  return rules.reduceRight((rest, rule, k) => {
    const leads = rule.Next === head ? 'false' : 'true';
    if (isCount(rule, counter)) return leads === 'false' ? 'false' : rest;
    const parts = splitRule(rule);
    const plain = parts.counted?.[1] === counter?.name ? (parts.rest as Fields) : rule;
    const guard = guardOfRule(plain, inside(place, 'States', name, 'Choices', k), names);
    if (leads === 'true' && rest === 'false') return guard;
    return `(${guard}) ? ${leads} : (${rest})`;
  }, last);
}
