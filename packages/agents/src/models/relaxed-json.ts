import type { Json } from '@alas-jssp/workflow';

/** The result of reading an object from a text. */
export type RelaxedRead =
  | { readonly kind: 'object'; readonly value: Json; readonly end: number }
  /** The text ends inside of the object. */
  | { readonly kind: 'cut off' }
  /** `begun`: at least one key was read, so that this is an object with a fault and not prose. */
  | {
      readonly kind: 'broken';
      readonly begun: boolean;
      readonly at: number;
      readonly expected: string;
    };

/** The nesting limit of answers. */
const MAX_DEPTH = 64;

/** Words for values, also those of Python. */
const WORDS: Readonly<Record<string, Json>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
};

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
};

/** Thrown inside of this file only; `at` is the length of the text if the text is cut off. */
class Fault extends Error {
  constructor(
    readonly at: number,
    readonly expected: string,
  ) {
    super(expected);
  }
}

/**
 * Reads an object that begins at a place of a text. Beyond JSON it accepts commas before a closing bracket, texts in
 * single quotes that hold no other single quote than apostrophes between letters, line breaks in texts, comments, and
 * `True`, `False` and `None`. It never guesses the end of an object or a text.
 *
 * @param start the index of a `{`
 */
export function readRelaxedObject(text: string, start: number): RelaxedRead {
  const reader = new Reader(text, start);
  try {
    const value = reader.value(0);
    return { kind: 'object', value, end: reader.at };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.at >= text.length) return { kind: 'cut off' };
    return { kind: 'broken', begun: reader.begun, at: error.at, expected: error.expected };
  }
}

/** A recursive descent over one text; a class, because every step moves the same position. */
class Reader {
  begun = false;

  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  value(depth: number): Json {
    if (depth > MAX_DEPTH) throw new Fault(this.at, `at most ${MAX_DEPTH} levels`);
    this.space();
    const sign = this.text.charAt(this.at);
    if (sign === '{') return this.object(depth);
    if (sign === '[') return this.list(depth);
    if (sign === '"' || sign === "'") return this.quoted(sign);
    const number = this.match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y);
    if (number !== null) return Number(number);
    const word = this.match(/[A-Za-z]+/y);
    if (word !== null && Object.hasOwn(WORDS, word)) return WORDS[word];
    throw new Fault(this.at - (word?.length ?? 0), 'a value');
  }

  private object(depth: number): Json {
    const members = new Map<string, Json>();
    this.at++;
    for (;;) {
      this.space();
      if (this.take('}')) return Object.fromEntries(members);
      const sign = this.text.charAt(this.at);
      if (sign !== '"' && sign !== "'") throw new Fault(this.at, 'a key in quotes');
      const key = this.quoted(sign);
      this.space();
      if (!this.take(':')) throw new Fault(this.at, `':' after the key ${JSON.stringify(key)}`);
      this.begun = true;
      // Equal keys would hide each other.
      if (members.has(key)) {
        throw new Fault(this.at - 1, `the key ${JSON.stringify(key)} only once`);
      }
      members.set(key, this.value(depth + 1));
      this.space();
      if (this.take(',')) continue;
      if (!this.take('}')) throw new Fault(this.at, "',' or '}'");
      return Object.fromEntries(members);
    }
  }

  private list(depth: number): Json {
    const items: Json[] = [];
    this.at++;
    for (;;) {
      this.space();
      if (this.take(']')) return items;
      items.push(this.value(depth + 1));
      this.space();
      if (this.take(',')) continue;
      if (!this.take(']')) throw new Fault(this.at, "',' or ']'");
      return items;
    }
  }

  private quoted(quote: string): string {
    let result = '';
    for (let k = this.at + 1; k < this.text.length; k++) {
      const sign = this.text.charAt(k);
      if (sign === '\\') {
        const [part, length] = this.escaped(k);
        result += part;
        k += length - 1;
      } else if (sign !== quote || (quote === "'" && this.isApostrophe(k))) {
        result += sign;
      } else {
        this.at = k + 1;
        return result;
      }
    }
    throw new Fault(this.text.length, `the end of a text, ${quote}`);
  }

  /** A quote between two letters, as in `don't`. */
  private isApostrophe(k: number): boolean {
    return /\p{L}/u.test(this.text.charAt(k - 1)) && /\p{L}/u.test(this.text.charAt(k + 1));
  }

  private escaped(k: number): [string, number] {
    const sign = this.text.charAt(k + 1);
    if (sign === '') throw new Fault(this.text.length, 'the end of a text');
    if (sign !== 'u') return [ESCAPES[sign] ?? sign, 2];
    const code = this.text.slice(k + 2, k + 6);
    if (/^[\da-fA-F]{4}$/.test(code)) return [String.fromCharCode(Number.parseInt(code, 16)), 6];
    throw new Fault(k + 2 + code.length >= this.text.length ? this.text.length : k, '\\uXXXX');
  }

  private take(sign: string): boolean {
    if (this.text.charAt(this.at) !== sign) return false;
    this.at++;
    return true;
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    this.at += found?.length ?? 0;
    return found;
  }

  /** Skips white space and comments. */
  private space(): void {
    this.match(/(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y);
  }
}
