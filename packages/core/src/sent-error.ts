import { AlasError, CycleError, errorLine, InputError } from './errors.js';

/** An error in transit between threads or processes, as JSON. The value of an `AlasError` is not transferred. */
export interface SentError {
  /** The name of its class, followed by those of its base classes. */
  readonly classes: readonly string[];
  readonly message: string;
  /** Its own properties, such as code and facts. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Only of internal errors. */
  readonly stack?: string | undefined;
}

type ErrorClass = abstract new (...args: never[]) => Error;

const restored = new Map<string, ErrorClass>();

/** Makes `unpackError` restore errors of these classes; others become errors of their nearest base class. */
export function restoreErrorsOf(...classes: readonly ErrorClass[]): void {
  for (const one of classes) restored.set(one.name, one);
}

restoreErrorsOf(Error, RangeError, SyntaxError, TypeError, AlasError, InputError, CycleError);

/** Packs an error, or any thrown value, for another thread. */
export function packError(thrown: unknown): SentError {
  const error = thrown instanceof Error ? thrown : new Error(errorLine(thrown));
  const classes: string[] = [];
  for (let at = error.constructor; isClass(at); at = Object.getPrototypeOf(at)) {
    classes.push(at.name);
  }
  const { message, stack, name } = error;
  if (error instanceof AlasError) {
    const { value: _, ...fields } = error;
    return { classes, message, fields };
  }
  const { code } = error as { code?: unknown };
  const fields = typeof code === 'string' ? { name, code } : { name };
  return { classes, message, fields, stack };
}

/** Whether a value is a class, not the end of a chain of base classes. */
function isClass(value: unknown): value is ErrorClass {
  return typeof value === 'function' && value !== Function.prototype;
}

/** Restores an error from another thread. */
export function unpackError({ classes, message, fields, stack }: SentError): Error {
  const error = new Error(message);
  const found = classes.find((name) => restored.has(name)) ?? '';
  Object.setPrototypeOf(error, restored.get(found)?.prototype ?? Error.prototype);
  const { name, ...others } = fields;
  if (name !== error.name) error.name = String(name);
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, others);
}
