import { isObject } from '../../../core/json-path.js';
import type { FeatureNote } from '../../report.js';
import type { DocumentPlace } from './conditions.js';
import type { Fields } from './form.js';
import {
  codesOf,
  type EdgeDocument,
  type NodeDocument,
  type Note,
  type PolicyDocument,
} from './policies.js';
import {
  fromExpressions,
  fromTemplate,
  keysOf,
  type StateScope,
  valueAtPath,
} from './templates.js';
import {
  CAUGHT,
  constant,
  inputFrom,
  outputValue,
  sameValue,
  unknown,
  type Value,
  valueIn,
  withAt,
} from './values.js';

/** A machine while it is read: what all its bodies share. */
export interface Reading {
  readonly notes: FeatureNote[];
  readonly ids: NodeIds;
  policy(policy: PolicyDocument): string;
}

/** Ids of nodes, each given out once: names of states with the signs that ids may have. */
export class NodeIds {
  readonly #taken = new Set<string>();

  of(name: string): string {
    const clean = name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^[^A-Za-z]+|-+$/g, '');
    const base = clean === '' ? 'state' : clean;
    let id = base;
    for (let k = 2; this.#taken.has(id); k++) id = `${base}-${k}`;
    this.#taken.add(id);
    return id;
  }
}

/** Where a body stands, and what comes into it. */
export interface BodyPlace {
  readonly reading: Reading;
  readonly place: DocumentPlace;
  /** The path of the body; empty for that of the workflow. */
  readonly title: string;
  /** The input of its first state. */
  readonly input: Value;
  readonly execution?: Value;
  readonly jsonata: boolean;
  /** The timeout of the machine, which bounds its loops. */
  readonly seconds?: number;
}

/** A body, as it is written. */
export interface BodyDocument {
  readonly nodes: NodeDocument[];
  readonly edges: EdgeDocument[];
  readonly output?: string | string[];
}

/** A way from a node to a state. */
export interface Way {
  /** The node; none for the way into the body. */
  readonly from: string | undefined;
  readonly to: string;
  readonly kind: 'sequence' | 'branch' | 'default' | 'catch';
  readonly guard?: string;
  /** The value that comes along. */
  readonly value: Value;
  /** Whether the node at its end is given that value if it does not say what it wants. */
  readonly natural: boolean;
  readonly variables: StateScope['variables'];
}

/** A state that is to be said as nodes. */
export interface Arrived extends StateScope {
  readonly name: string;
  /** The id of its node. */
  readonly id: string;
  readonly state: Fields;
  readonly place: DocumentPlace;
  readonly jsonata: boolean;
  readonly natural: boolean;
  readonly note: Note;
  /** The id of the node of a state. */
  idOf(name: string): string;
  /** The name of a policy. */
  policy(policy: PolicyDocument): string;
  /** Whether only steps without a decision lead here. */
  readonly afterSteps: boolean;
}

/** The nodes of a state, the ways on from it, and what it gives if it is the last one. */
export interface Said {
  readonly nodes: readonly NodeDocument[];
  /** Edges among these nodes. */
  readonly edges?: readonly { from: string; to: string }[];
  readonly ways: readonly Way[];
  readonly end?: { readonly id: string; readonly value: Value; readonly natural: boolean };
}

/** The input of a state after `InputPath` and its template, and whether that is what it got. */
export function effectiveInput(one: Arrived): { readonly value: Value; readonly whole: boolean } {
  const { state, jsonata } = one;
  const template = jsonata ? state.Arguments : (state.Parameters ?? undefined);
  const path = jsonata ? undefined : state.InputPath;
  let value = one.input;
  if (path === null) value = constant({});
  else if (typeof path === 'string' && path !== '$') value = valueAtPath(path, one);
  if (template !== undefined) {
    const scope = { ...one, input: value };
    value = jsonata ? fromExpressions(template, scope) : fromTemplate(template, scope);
  }
  return { value, whole: template === undefined && (path === undefined || path === '$') };
}

/** The fields of a node that give it a value. */
export function given(
  one: Pick<Arrived, 'note' | 'state' | 'natural'>,
  value: Value,
  whole: boolean,
): Pick<NodeDocument, 'input' | 'params'> {
  if (whole && one.natural) return {};
  const { input, params, problem } = inputFrom(value);
  if (problem !== undefined) {
    one.note('references', 'unsupported', problem);
    return {};
  }
  const isTask =
    one.state.Type !== 'Parallel' && one.state.Type !== 'Map' && one.state.Type !== 'Choice';
  if (Object.keys(params).length === 0) return input === undefined ? {} : { input };
  if (isTask) one.note('params', 'emulated', 'constants of its input are parameters');
  else one.note('references', 'unsupported', 'references say no constants');
  return { ...(input === undefined ? {} : { input }), ...(isTask ? { params } : {}) };
}

/** The output of a state, from its result and its input. */
export function outputFrom(one: Arrived, result: Value): Value {
  const { state, jsonata, input } = one;
  if (jsonata)
    return state.Output === undefined ? result : fromExpressions(state.Output, { ...one, result });
  const { ResultSelector, ResultPath, OutputPath } = state;
  const selected =
    ResultSelector === undefined ? result : fromTemplate(ResultSelector, { ...one, input: result });
  const placed = putAt(ResultPath, input, selected);
  if (OutputPath === null) return constant({});
  return typeof OutputPath === 'string'
    ? valueAtPath(OutputPath, { ...one, input: placed })
    : placed;
}

function putAt(path: unknown, input: Value, result: Value): Value {
  if (path === undefined || path === '$') return result;
  if (path === null) return input;
  const keys = keysOf(String(path).slice(1));
  return keys === undefined
    ? unknown(`${path} is more than a path of keys`)
    : withAt(input, keys, result);
}

/** The variables after a state. */
export function assigned(one: Arrived, rule: Fields, result: Value): StateScope['variables'] {
  const { Assign } = rule;
  if (!isObject(Assign)) return one.variables;
  const value = one.jsonata
    ? fromExpressions(Assign, { ...one, result })
    : fromTemplate(Assign, { ...one, input: result });
  const names = Object.keys(Assign).map((key) => key.replace(/\.\$$/, ''));
  const made = names.map((name) => [name, valueIn(value, [name])] as const);
  return { ...one.variables, ...Object.fromEntries(made) };
}

/** Where a state leads after it gave a result, and when it failed. */
export function leave(one: Arrived, id: string, result: Value): Pick<Said, 'ways' | 'end'> {
  const { state } = one;
  const value = outputFrom(one, result);
  const natural = sameValue(value, outputValue(id));
  const variables = assigned(one, state, result);
  const caught = catchWays(one, id);
  if (state.End === true) return { ways: caught, end: { id, value, natural } };
  const to = String(state.Next);
  return { ways: [{ from: id, to, kind: 'sequence', value, natural, variables }, ...caught] };
}

export function catchWays(one: Arrived, id: string): Way[] {
  return rulesOf(one.state).map((rule) => {
    const from = { from: id, to: String(rule.Next), kind: 'catch' } as const;
    const variables = assigned(one, rule, CAUGHT);
    if (!one.jsonata && rule.ResultPath === null) {
      return { ...from, value: one.input, natural: false, variables };
    }
    const value = one.jsonata ? CAUGHT : putAt(rule.ResultPath, one.input, CAUGHT);
    const how = 'its handler is given { error, input }, error being { code, message, nodeId }';
    one.note('catch', 'emulated', how);
    return { ...from, value, natural: true, variables };
  });
}

function rulesOf({ Catch }: Fields): Fields[] {
  return Array.isArray(Catch) ? Catch : [];
}

/** The rules of a policy that catch failures of a state. */
export function catchOf(one: Arrived, timed: boolean): PolicyDocument {
  const rules = rulesOf(one.state);
  if (rules.length === 0) return {};
  return {
    catch: rules.map(({ ErrorEquals, Next }) => {
      return {
        errors: codesOf(ErrorEquals, timed, 'catch', one.note),
        handler: one.idOf(String(Next)),
      };
    }),
  };
}
