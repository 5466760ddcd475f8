/** The numbers and names of an error, as JSON values; translations are built from its code and these. */
export type ErrorFacts = Readonly<Record<string, unknown>>;

/** The reason for a refusal in a log or an error. */
export interface RefusalReason {
  readonly code?: string | undefined;
  readonly facts?: ErrorFacts | undefined;
  /** In English. */
  readonly reason: string;
}

/**
 * Base of every error that this package throws on purpose. `code` is stable and meant for programs, `message` is one
 * line meant for people of at most 2000 characters, `value` is the offending value.
 */
export class AlasError extends Error {
  readonly code: string;
  readonly value: unknown;
  readonly facts: ErrorFacts | undefined;

  constructor(code: string, message: string, value?: unknown, facts?: ErrorFacts) {
    super(shortened(printableLine(message)));
    this.name = new.target.name;
    this.code = code;
    this.value = value;
    this.facts = facts;
  }
}

/** The longest message, in characters: an input may contain names of any length. */
const LONGEST_MESSAGE = 2000;
/** The characters that are kept at the end of a longer message, where the hint is. */
const KEPT_END = 500;

/** A message without its middle, if it is too long for a line of a report. */
function shortened(message: string): string {
  const { length } = message;
  if (length <= LONGEST_MESSAGE) return message;
  const begin = message.slice(0, LONGEST_MESSAGE - KEPT_END);
  const end = message.slice(length - KEPT_END);
  // A cut may split a pair of surrogates.
  return `${begin.replace(/[\ud800-\udbff]$/, '')} … ${end.replace(/^[\udc00-\udfff]/, '')}`;
}

/** The position of a problem in an input. */
export interface InputLocation {
  /** File name as the user gave it. */
  file?: string | undefined;
  /** Line, from 1. */
  line?: number | undefined;
  /** Path inside a JSON document, such as `$.jobs[3].operations[0]`. */
  path?: string | undefined;
}

/**
 * Invalid input: where the problem is, what is wrong and a hint. The command line prints the message as one line and
 * exits with 2.
 */
export class InputError extends AlasError {
  readonly location: InputLocation;
  readonly problem: string;
  readonly hint: string;

  constructor(
    code: string,
    problem: string,
    hint: string,
    location: InputLocation = {},
    value?: unknown,
    facts?: ErrorFacts,
  ) {
    super(code, `${formatLocation(location)}${problem}; ${hint}`, value, facts);
    this.location = location;
    this.problem = shortened(problem);
    this.hint = hint;
  }
}

/** Machine orders that no schedule can follow: they form a cycle with the job orders. */
export class CycleError extends AlasError {
  /** Operation ids along the cycle, each before the next and the last before the first. */
  readonly cycle: readonly number[];

  constructor(message: string, cycle: readonly number[]) {
    super('cycle', message, cycle);
    this.cycle = cycle;
  }
}

/**
 * A text as one line that is safe to show in a terminal: line breaks, control characters and characters that change the
 * reading direction are escaped as in JSON.
 */
export function printableLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (sign) => {
    const json = JSON.stringify(sign).slice(1, -1);
    return json === sign ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}` : json;
  });
}

function formatLocation({ file, line, path }: InputLocation): string {
  const place = [file, line, path].filter((part) => part !== undefined).join(':');
  return place === '' ? '' : `${place}: `;
}

/** Any thrown value, an error or not, as one line of text. */
export function errorLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : error;
  const words = typeof text === 'string' && text !== '' ? text : `${showThrown(text)} was thrown`;
  return printableLine(words.trim().replaceAll(/\s*\n\s*/g, ' '));
}

/** The depth of nested objects that are shown. */
const SHOWN_DEPTH = 2;

/** A value as `inspect` of Node shows it, for runtimes without Node: plain objects, lists, scalars. */
function showThrown(value: unknown, depth = 0): string {
  if (typeof value === 'string') {
    const quote = ["'", '"', '`'].find((sign) => !value.includes(sign)) ?? "'";
    return quote + value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function')
    return value.name === '' ? '[Function (anonymous)]' : `[Function: ${value.name}]`;
  if (typeof value !== 'object' || value === null)
    return Object.is(value, -0) ? '-0' : String(value);
  if (value instanceof Error) return `[${value.name}: ${value.message}]`;
  if (Array.isArray(value)) {
    if (depth > SHOWN_DEPTH) return '[Array]';
    return enclose(
      value.map((item) => showThrown(item, depth + 1)),
      '[',
      ']',
    );
  }
  const prototype = Object.getPrototypeOf(value);
  const type: string = prototype?.constructor?.name ?? 'Object: null prototype';
  if (depth > SHOWN_DEPTH) return `[${type}]`;
  const pairs = Object.entries(value).map(([key, item]) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : showThrown(key);
    return `${name}: ${showThrown(item, depth + 1)}`;
  });
  const prefix = prototype === null ? `[${type}] ` : type === 'Object' ? '' : `${type} `;
  return prefix + enclose(pairs, '{', '}');
}

function enclose(items: readonly string[], open: string, close: string): string {
  return items.length === 0 ? `${open}${close}` : `${open} ${items.join(', ')} ${close}`;
}
