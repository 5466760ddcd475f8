// biome-ignore-all lint/style/useTemplate: QuickJS builds templates with String.prototype.concat, which the code may replace.

/** The answer of an evaluation: a text whose first letter says what follows it. */
type GuestAnswer =
  /** `J` and JSON, `B` and what is wrong with the output, `E` and the error that the code threw. */
  string;

/** The functions that the code never sees. */
export interface GuestHarness {
  run(code: unknown, input: string): GuestAnswer;
  describe(error: unknown): string;
}

/**
 * Prepares a new context, and returns what runs the code in it. Its text is evaluated in the sandbox before the code
 * is, so it must not refer to anything outside of itself. It keeps the functions that it needs, because the code may
 * replace all of them; for the same reason it reads own data properties only, sets none, and joins texts with +.
 */
export function prepareGuest(seed: number | null, longest: number): GuestHarness {
  const { parse, stringify } = JSON;
  const { apply, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const { isArray } = Array;
  const { hasOwn } = Object;
  const objects = Object.prototype;
  const lists = Array.prototype;
  const DEEPEST = 100;
  const LONGEST_ERROR = 300;

  removeAmbient();

  return {
    run: (code, input) => {
      if (typeof code !== 'function') return 'Eno function is exported';
      let fault = '';
      try {
        const output = apply(code, undefined, [parse(input)]);
        let length = 0;
        const refuse = (path: string, problem: string): string => {
          if (fault === '') fault = path + ' is ' + problem;
          return '';
        };
        const add = (text: string): string => {
          length += text.length;
          if (length > longest) refuse('the output', 'longer than ' + longest + ' characters');
          return text;
        };
        const write = (value: unknown, path: string, depth: number): string => {
          if (fault !== '') return '';
          if (value === null) return add('null');
          if (value === true) return add('true');
          if (value === false) return add('false');
          if (typeof value === 'string') {
            if (value.length > longest) return refuse('the output', 'too long');
            return add(stringify(value));
          }
          if (typeof value === 'number') {
            if (value - value !== 0) return refuse(path, '' + value + ', which JSON cannot hold');
            return add('' + value);
          }
          if (typeof value !== 'object') return refuse(path, typeof value);
          if (depth > DEEPEST) return refuse(path, 'nested too deeply, or circular');
          return isArray(value) ? writeList(value, path, depth) : writeObject(value, path, depth);
        };
        const writeList = (list: unknown[], path: string, depth: number): string => {
          if (getPrototypeOf(list) !== lists) return refuse(path, 'a list of a class of its own');
          const { length: size } = list;
          if (size > longest) return refuse(path, 'a list that is too long');
          if (ownKeys(list).length !== size + 1) {
            return refuse(path, 'a list with holes, or with keys that are no positions');
          }
          let text = add('[');
          for (let i = 0; i < size && fault === ''; i++) {
            const item = getOwnPropertyDescriptor(list, i) as PropertyDescriptor;
            if (!hasOwn(item, 'value')) return refuse(path + '[' + i + ']', 'a getter');
            if (i > 0) text += add(',');
            text += write(item.value, path + '[' + i + ']', depth + 1);
          }
          return text + add(']');
        };
        const writeObject = (object: object, path: string, depth: number): string => {
          const prototype = getPrototypeOf(object);
          if (prototype !== objects && prototype !== null) {
            return refuse(path, 'an object of a class, not a plain object');
          }
          const keys = ownKeys(object);
          let text = add('{');
          let first = true;
          for (let i = 0; i < keys.length && fault === ''; i++) {
            const key = keys[i];
            if (typeof key !== 'string') return refuse(path, 'an object with a symbol as a key');
            const place = path + '.' + key;
            if (key === '__proto__') return refuse(place, 'a key that JSON readers misuse');
            const member = getOwnPropertyDescriptor(object, key) as PropertyDescriptor;
            if (!hasOwn(member, 'value')) return refuse(place, 'a getter');
            if (member.value === undefined) continue;
            if (!first) text += add(',');
            first = false;
            text += add(stringify(key)) + add(':') + write(member.value, place, depth + 1);
          }
          return text + add('}');
        };
        const text = write(output, '$', 0);
        return fault === '' ? 'J' + text : 'B' + fault;
      } catch (error) {
        return 'E' + describe(error);
      }
    },
    describe,
  };

  /** The name and the message of an error, and the line of the code, without calling anything that the code defined. */
  function describe(error: unknown): string {
    if (typeof error === 'string') return clip(error);
    // QuickJS throws null where it has no memory left for an error.
    if (error === null) return 'InternalError: out of memory, or null was thrown';
    if (typeof error !== 'object') return typeof error + ' was thrown';
    const name = textOf(error, 'name');
    const message = textOf(error, 'message');
    const line = lineIn(textOf(error, 'stack'));
    return clip((name === '' ? 'error' : name) + ': ' + message) + line;
  }

  function textOf(error: object, key: string): string {
    let owner: object | null = error;
    for (let i = 0; i < 10 && owner !== null; i++) {
      const found = getOwnPropertyDescriptor(owner, key);
      if (found !== undefined) {
        return hasOwn(found, 'value') && typeof found.value === 'string' ? found.value : '';
      }
      owner = getPrototypeOf(owner);
    }
    return '';
  }

  /** A text that is cut by its letters, because all its methods may have been replaced. */
  function clip(text: string): string {
    if (text.length <= LONGEST_ERROR) return text;
    let start = '';
    for (let i = 0; i < LONGEST_ERROR; i++) start += text[i];
    return start + '…';
  }

  function lineIn(stack: string): string {
    const FILE = 'agent.js:';
    for (let i = 0; i < stack.length && i < 2000; i++) {
      let k = 0;
      while (k < FILE.length && stack[i + k] === FILE[k]) k++;
      if (k < FILE.length) continue;
      let digits = '';
      for (let j = i + k; digits.length < 6; j++) {
        const digit = stack[j];
        if (digit === undefined || digit < '0' || digit > '9') break;
        digits += digit;
      }
      return digits === '' ? '' : ' (line ' + digits + ')';
    }
    return '';
  }

  /** Removes chance, clocks, shared memory, weak references and the evaluation of texts. */
  function removeAmbient(): void {
    const world = globalThis as unknown as Record<string, unknown>;
    const gone = [
      'eval',
      'Date',
      'performance',
      'SharedArrayBuffer',
      'Atomics',
      'WeakRef',
      'FinalizationRegistry',
      'Proxy',
      'InternalError',
    ];
    for (const name of gone) delete world[name];
    const math = Math as unknown as Record<string, unknown>;
    if (seed === null) delete math.random;
    else {
      let state = seed;
      // Mulberry32: chance that the host's seed repeats.
      math.random = () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
      };
    }
    const refuse = () => {
      throw new TypeError('code cannot be made of texts');
    };
    const makers = [() => {}, function* () {}, async () => {}, async function* () {}];
    for (const maker of makers) {
      const prototype = getPrototypeOf(maker) as object;
      Object.defineProperty(prototype, 'constructor', { value: refuse });
    }
    Object.defineProperty(refuse, 'prototype', { value: getPrototypeOf(makers[0]) });
    world.Function = refuse;
  }
}
