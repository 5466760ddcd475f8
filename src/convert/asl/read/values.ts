import type { Node } from '../../../workflow/ir/workflow.js';

/** A value that is the same in every run. */
export type ConstantValue = NonNullable<Node['params']>[string];

/**
 * A value on its way through a machine, as far as the document tells: where it comes from, in the
 * terms of references of workflows.
 */
export type Value =
  /** The first of these references that is there. */
  | { readonly kind: 'reference'; readonly references: readonly string[] }
  /** An object with these keys, over those of another value if there is one. */
  | {
      readonly kind: 'object';
      readonly keys: Readonly<Record<string, Value>>;
      readonly base?: Value;
    }
  | { readonly kind: 'constant'; readonly value: ConstantValue }
  /** A value that references cannot say, and why. */
  | { readonly kind: 'unknown'; readonly why: string };

export const THE_INPUT: Value = { kind: 'reference', references: ['input'] };

/** The error that was caught, as a handler is given it; no reference leads there. */
export const CAUGHT: Value = {
  kind: 'unknown',
  why: 'no reference leads into an error that was caught',
};

export function outputValue(id: string): Value {
  return { kind: 'reference', references: [`outputs.${id}`] };
}

export function unknown(why: string): Value {
  return { kind: 'unknown', why };
}

export function constant(value: ConstantValue): Value {
  return { kind: 'constant', value };
}

export function objectValue(keys: Readonly<Record<string, Value>>, base?: Value): Value {
  return base === undefined ? { kind: 'object', keys } : { kind: 'object', keys, base };
}

/** The value at keys inside of another. */
export function valueIn(value: Value, keys: readonly string[]): Value {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  switch (value.kind) {
    case 'unknown':
      return value;
    case 'reference': {
      if (/[.[\]]/.test(key) || key === '') return unknown(`no reference has the key ${key}`);
      const references = value.references.map((one) => `${one}.${key}`);
      return valueIn({ kind: 'reference', references }, rest);
    }
    case 'constant': {
      const inner = (value.value as Record<string, ConstantValue> | null)?.[key];
      return inner === undefined ? unknown(`there is no ${key}`) : valueIn(constant(inner), rest);
    }
    case 'object': {
      if (Object.hasOwn(value.keys, key)) return valueIn(value.keys[key], rest);
      if (value.base === undefined) return unknown(`there is no ${key}`);
      return valueIn(value.base, keys);
    }
  }
}

/** A value with another one put at keys inside of it. */
export function withAt(value: Value, keys: readonly string[], inner: Value): Value {
  const [key, ...rest] = keys;
  if (key === undefined) return inner;
  const put = withAt(rest.length === 0 ? constant(null) : valueIn(value, [key]), rest, inner);
  if (value.kind !== 'object') return objectValue({ [key]: put }, value);
  return objectValue({ ...value.keys, [key]: put }, value.base);
}

export function sameValue(a: Value, b: Value): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The input of a node, with the constants that references cannot say as parameters. */
export interface NodeInput {
  readonly input?: string | string[] | Record<string, string | string[]>;
  readonly params: Readonly<Record<string, ConstantValue>>;
  /** Why it cannot be said. */
  readonly problem?: string;
}

/** How a node is given a value. */
export function inputFrom(value: Value): NodeInput {
  switch (value.kind) {
    case 'unknown':
      return { params: {}, problem: value.why };
    case 'reference':
      return { input: referenceOf(value.references), params: {} };
    case 'constant':
      return { input: {}, params: paramsOf(value.value) };
    case 'object':
      return inputFromObject(value);
  }
}

function inputFromObject({ keys, base }: Extract<Value, { kind: 'object' }>): NodeInput {
  const problem = 'a workflow cannot put an object together with another';
  if (base !== undefined && base.kind !== 'constant') return { params: {}, problem };
  const input: Record<string, string | string[]> = {};
  const params: Record<string, ConstantValue> = base === undefined ? {} : paramsOf(base.value);
  for (const [key, value] of Object.entries(keys)) {
    const fixed = constantOf(value);
    if (value.kind === 'reference') input[key] = referenceOf(value.references);
    else if (fixed !== undefined) params[key] = fixed;
    else if (value.kind === 'unknown') return { params, problem: value.why };
    else return { params, problem: `references stand at the first level only, not within ${key}` };
  }
  return { input, params };
}

function constantOf(value: Value): ConstantValue | undefined {
  if (value.kind === 'constant') return value.value;
  if (value.kind !== 'object' || value.base !== undefined) return undefined;
  const inner = Object.entries(value.keys).map(([key, one]) => [key, constantOf(one)] as const);
  if (inner.some(([, one]) => one === undefined)) return undefined;
  return Object.fromEntries(inner) as ConstantValue;
}

function paramsOf(value: ConstantValue): Record<string, ConstantValue> {
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isPlain ? { ...(value as Record<string, ConstantValue>) } : { value };
}

function referenceOf(references: readonly string[]): string | string[] {
  return references.length === 1 ? references[0] : [...references];
}

/** A value that comes along one of several ways, and the node on which that way builds. */
export interface IncomingValue {
  readonly from: string | undefined;
  readonly value: Value;
}

/** In which order the nodes of a body run. */
export interface NodeOrder {
  rank(id: string): number;
  /** Whether a node may have run when another one does. */
  isBefore(earlier: string, later: string): boolean;
}

/** The value that comes along whichever way is taken. */
export function merge(arrivals: readonly IncomingValue[], order: NodeOrder): Value {
  const [{ value: first }, ...others] = arrivals;
  if (others.every(({ value }) => sameValue(value, first))) return first;
  const differ = unknown('the ways that meet here bring different things');
  if (arrivals.every(({ value }) => value.kind === 'reference')) {
    return mergeReferences(arrivals, order) ?? differ;
  }
  if (first.kind !== 'object' || first.base !== undefined) return differ;
  const names = Object.keys(first.keys);
  const alike = others.every(({ value }) => {
    return value.kind === 'object' && value.base === undefined && sameNames(names, value.keys);
  });
  if (!alike) return differ;
  const keys = names.map((name) => {
    const inner = arrivals.map(({ from, value }) => ({ from, value: valueIn(value, [name]) }));
    return [name, merge(inner, order)] as const;
  });
  return objectValue(Object.fromEntries(keys));
}

function sameNames(names: readonly string[], keys: object): boolean {
  return (
    names.length === Object.keys(keys).length && names.every((name) => Object.hasOwn(keys, name))
  );
}

/**
 * The references of several ways as one list. The first that is there has to be that of the way that
 * was taken: so what a later way refers to comes first, and must not be there on an earlier one.
 */
function mergeReferences(
  arrivals: readonly IncomingValue[],
  { rank, isBefore }: NodeOrder,
): Value | undefined {
  const lists = arrivals.map(({ from, value }) => ({
    from,
    references: value.kind === 'reference' ? value.references : [],
  }));
  const place = (reference: string) => {
    const node = nodeOf(reference);
    return node === undefined ? -1 : rank(node);
  };
  const all = [...new Set(lists.flatMap(({ references }) => references))];
  const order = all.sort((a, b) => place(b) - place(a));
  const right = lists.every(({ from, references }) => {
    const own = order.findIndex((reference) => references.includes(reference));
    return order.slice(0, own).every((reference) => {
      const node = nodeOf(reference);
      return node !== undefined && from !== undefined && node !== from && !isBefore(node, from);
    });
  });
  return right ? { kind: 'reference', references: order } : undefined;
}

function nodeOf(reference: string): string | undefined {
  return reference.startsWith('outputs.') ? reference.split('.')[1] : undefined;
}
