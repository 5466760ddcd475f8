import { isObject } from '../../../core/json-path.js';
import { inside } from './conditions.js';
import {
  type Arrived,
  type BodyDocument,
  type BodyPlace,
  catchOf,
  effectiveInput,
  given,
  leave,
  type Said,
} from './flow.js';
import { MOST_ITEMS, type NodeDocument } from './policies.js';
import { fromExpressions, fromTemplate, valueAtPath } from './templates.js';
import { outputValue, THE_INPUT, unknown, type Value } from './values.js';

type ReadBody = (machine: unknown, body: BodyPlace) => BodyDocument;

/** A Parallel state: its branches go by their places. */
export function sayParallel(one: Arrived, body: BodyPlace, readBody: ReadBody): Said {
  const { id, state, place, note } = one;
  const { value, whole } = effectiveInput(one);
  noRetry(one);
  note('parallel', 'emulated', 'its output holds those of the branches by place, in an object');
  const branches = (state.Branches as unknown[]).map((branch, k): [string, BodyDocument] => {
    const title = `${titleOf(one, body)}/${k}`;
    const at = inside(place, 'Branches', k);
    return [String(k), readBody(branch, inner(one, body, title, at, THE_INPUT))];
  });
  const policy = catchOf(one, false);
  const node: NodeDocument = {
    ...{
      id,
      type: 'parallel',
      branches: Object.fromEntries(branches),
      ...given(one, value, whole),
    },
    ...(policy.catch === undefined ? {} : { policyRef: one.policy(policy) }),
  };
  return { nodes: [node], ...leave(one, id, outputValue(id)) };
}

function titleOf({ id }: Arrived, { title }: BodyPlace): string {
  return title === '' ? id : `${title}/${id}`;
}

function inner(
  { jsonata }: Arrived,
  { reading }: BodyPlace,
  title: string,
  place: BodyPlace['place'],
  input: Value,
): BodyPlace {
  return { reading, place, title, input, jsonata };
}

function noRetry({ state, note }: Arrived): void {
  if (Array.isArray(state.Retry) && state.Retry.length > 0) {
    note('retry', 'unsupported', 'tasks are tried again, and not what holds others');
  }
}

const NOT_SAID = [
  ...['ItemReader', 'ItemBatcher', 'ResultWriter', 'MaxConcurrencyPath'],
  ...['ToleratedFailureCount', 'ToleratedFailurePercentage'],
  ...['ToleratedFailureCountPath', 'ToleratedFailurePercentagePath'],
];

/** A Map state: a map over a list in its input. */
export function sayMap(one: Arrived, body: BodyPlace, readBody: ReadBody): Said {
  const { id, state, place, note } = one;
  noRetry(one);
  for (const key of NOT_SAID.filter((field) => field in state)) {
    note('map', 'unsupported', `a map has nothing like ${key}`);
  }
  const key = 'ItemProcessor' in state ? 'ItemProcessor' : 'Iterator';
  const processor = state[key];
  if (isObject(processor) && isObject(processor.ProcessorConfig)) {
    const { Mode } = processor.ProcessorConfig;
    if (Mode === 'DISTRIBUTED') note('map', 'static-only', 'its items are not runs of their own');
  }
  const title = titleOf(one, body);
  const item = itemOf(one);
  const turn = readBody(processor, inner(one, body, title, inside(place, key), item));
  const most = state.MaxConcurrency;
  if (most !== undefined && typeof most !== 'number') {
    note('concurrency', 'unsupported', 'the number of items at a time is worked out in the run');
  }
  const loopGuards = { maxIters: MOST_ITEMS };
  const node: NodeDocument = {
    ...{ id, type: 'map', body: turn, ...listOf(one) },
    ...(typeof most === 'number' && most > 0 ? { maxConcurrency: most } : {}),
    policyRef: one.policy({ loopGuards, ...catchOf(one, false) }),
  };
  return { nodes: [node], ...leave(one, id, outputValue(id)) };
}

/** The list of a map, and how its node comes to it. */
function listOf(one: Arrived): Pick<NodeDocument, 'input'> & { items: string } {
  const { state, jsonata } = one;
  const read = (input: Value) => {
    if (jsonata)
      return state.Items === undefined ? input : fromExpressions(state.Items, { ...one, input });
    const { InputPath = '$', ItemsPath = '$' } = state;
    const base = valueAtPath(String(InputPath), { ...one, input });
    return valueAtPath(String(ItemsPath), { ...one, input: base });
  };
  const within = read(THE_INPUT);
  const inInput = within.kind === 'reference' ? within.references[0] : undefined;
  if (one.natural && inInput?.startsWith('input')) return { items: inInput };
  const { input } = given(one, read(one.input), false);
  return typeof input === 'string' || Array.isArray(input)
    ? { items: 'input.items', input: { items: input } }
    : { items: 'input' };
}

/** The input of each turn: its item, or what a selector makes of it. */
function itemOf(one: Arrived): Value {
  const { state, jsonata } = one;
  const selector = state.ItemSelector ?? (jsonata ? undefined : state.Parameters);
  if (selector === undefined) return THE_INPUT;
  const input = unknown('a turn of a map sees its item, and nothing of the state around it');
  const scope = { input, variables: {}, item: THE_INPUT };
  return jsonata ? fromExpressions(selector, scope) : fromTemplate(selector, scope);
}
