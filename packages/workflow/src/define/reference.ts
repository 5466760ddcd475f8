import { InputError } from '@alas-jssp/core/errors';

/** The type of the referenced value; the key does not exist at run time. */
declare const VALUE: unique symbol;

/** The key under which a reference keeps the source of its value. */
const SOURCE = Symbol('source');

/**
 * A value of a future run: the output of a step, the input of a body, or a part of one. Its keys
 * are references to the parts of the value, so that a misspelt key does not compile.
 */
export type Ref<T> = { readonly [VALUE]: T } & PartsOf<T>;

type PartsOf<T> =
  NonNullable<T> extends readonly unknown[]
    ? unknown
    : NonNullable<T> extends object
      ? { readonly [K in keyof NonNullable<T>]-?: Ref<NonNullable<T>[K] | Extract<T, undefined>> }
      : unknown;

/** A reference, or an object of references by key, that describes a value. */
export type Given<T> =
  | { readonly [VALUE]: T }
  | (T extends readonly unknown[]
      ? never
      : T extends object
        ? { readonly [K in keyof T]: { readonly [VALUE]: T[K] } }
        : never);

/** References of any types: one, or several by key. */
export type AnyGiven = AnyRef | { readonly [key: string]: AnyRef };

/** A reference of any type. */
export interface AnyRef {
  readonly [VALUE]: unknown;
}

/** A reference to a value of a type, or of a narrower one. */
export interface RefTo<T> {
  readonly [VALUE]: T;
}

/** The type of the value that references stand for. */
export type ValueOf<G> = G extends { readonly [VALUE]: infer T }
  ? T
  : { -readonly [K in keyof G]: ValueOf<G[K]> };

/** The source of a value: references of the IR; the first one that has a value counts. */
interface Source {
  /** The body in which the references are valid. */
  readonly body: object;
  readonly paths: readonly string[];
}

/** Makes a reference to a value; references to its parts are made when they are read. */
export function makeRef<T>(body: object, paths: readonly string[]): Ref<T> {
  const source: Source = { body, paths };
  return new Proxy(Object.freeze({ [SOURCE]: source }), {
    get(_target, key) {
      if (key === SOURCE) return source;
      if (typeof key === 'symbol') return undefined;
      if (key.includes('.')) {
        throw new InputError('bad_reference', `the key ${key} has a dot in it`, 'rename the key');
      }
      return makeRef(
        body,
        paths.map((path) => `${path}.${key}`),
      );
    },
  }) as never;
}

/**
 * The value of the first of these references whose step has run. All belong to one body.
 *
 * @throws InputError `bad_reference` if one belongs to another body, or if there is none
 */
export function firstAvailable<R extends readonly AnyRef[], L extends AnyRef>(
  ...refs: readonly [...R, L]
): Ref<Exclude<ValueOf<R[number]>, undefined> | ValueOf<L>> {
  const body = refs.find(isRef)?.[SOURCE].body ?? {};
  return makeRef(
    body,
    refs.flatMap((ref) => pathsOf(body, ref)),
  );
}

/** The references of the IR for what a node of a body is given. */
export function referencesOf(
  body: object,
  given: AnyGiven,
): string | string[] | Record<string, string | string[]> {
  if (isRef(given)) return pathsOf(body, given);
  const fields = Object.entries(given).map(([key, ref]) => [key, pathsOf(body, ref)] as const);
  return Object.fromEntries(fields);
}

/** The IR reference, or several; the first one with a value counts. */
export function pathsOf(body: object, ref: AnyRef): string | string[] {
  if (!isRef(ref)) {
    const hint = 'give the result of a step, or the input of the body';
    throw new InputError('bad_reference', 'this is not a reference to a value of the run', hint);
  }
  const source = ref[SOURCE];
  if (source.body !== body) {
    const hint = 'pass it as the input of the branch or as an item';
    const message = `${source.paths.join(', ')} belongs to another body of the workflow`;
    throw new InputError('bad_reference', message, hint);
  }
  if (source.paths.length === 0) {
    const hint = 'let one of its branches return what a step gives';
    throw new InputError('bad_reference', 'no branch of the choice gives a value', hint);
  }
  return source.paths.length === 1 ? source.paths[0] : [...source.paths];
}

function isRef(value: unknown): value is AnyRef & { readonly [SOURCE]: Source } {
  return typeof value === 'object' && value !== null && SOURCE in value;
}
