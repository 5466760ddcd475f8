/** A piece of code that means harm, and how it must end: with a code of an error, or with a harmless output. */
export interface HostileSnippet {
  readonly title: string;
  readonly source: string;
  readonly ends: 'SandboxLimit' | 'SandboxError' | 'BadOutput' | { readonly output: unknown };
}

const body = (title: string, statements: string, ends: HostileSnippet['ends']): HostileSnippet => ({
  title,
  source: `export default (input) => { ${statements} };`,
  ends,
});

const L = 'SandboxLimit';
const E = 'SandboxError';
const B = 'BadOutput';

/** Stopped by the limits of steps, memory and stack, or refused by the interpreter. */
export const HOSTILE_SNIPPETS: readonly HostileSnippet[] = [
  // Work without end.
  body('an endless loop', 'for (;;);', L),
  body(
    'an endless loop in a try',
    'for (;;) { try { for (;;); } catch {} finally { continue; } }',
    L,
  ),
  { title: 'an endless loop while loading', source: 'for (;;); export default () => 1;', ends: L },
  body(
    'a generator without end',
    'const g = (function* () { for (;;) yield 1; })(); for (const x of g);',
    L,
  ),
  body('a generator that is spread', 'return [...(function* () { for (;;) yield 1; })()];', L),
  body(
    'an iterator without end',
    'for (const x of { [Symbol.iterator]: () => ({ next: () => ({}) }) });',
    L,
  ),
  body('a sort whose order never ends', '[2, 1].sort(() => { for (;;); });', L),
  body('a replacement that never ends', '"a".replace(/a/, () => { for (;;); });', L),
  body('backtracking of a regular expression', 'return /(a+)+$/.test("a".repeat(60) + "b");', L),
  body(
    'backtracking of alternatives',
    'return /^(([a-z])+.)+[A-Z]([a-z])+$/.test("a".repeat(80));',
    L,
  ),
  body(
    'backtracking with back references',
    'return /^(a|aa|aaa)*\\1+$/.test("a".repeat(60) + "b");',
    L,
  ),
  body('a getter that never ends', 'return { get a() { for (;;); } };', B),
  body('a value whose conversion never ends', 'return "" + { toString() { for (;;); } };', L),
  body(
    'a primitive whose conversion never ends',
    'return +{ [Symbol.toPrimitive]() { for (;;); } };',
    L,
  ),
  body('a class whose setup never ends', 'class A { static { for (;;); } }', L),
  body('an error that never ends in its message', 'throw { get message() { for (;;); } };', E),
  body('labels and continues', 'a: for (;;) { b: for (;;) continue a; }', L),
  body('do while', 'do {} while (true);', L),
  body('a long count', 'let n = 0; while (n < 1e15) n++; return n;', L),
  body(
    'the tower of Ackermann',
    'const a = (m, n) => m === 0 ? n + 1 : n === 0 ? a(m - 1, 1) : a(m - 1, a(m, n - 1)); return a(4, 2);',
    L,
  ),
  body('a deep recursion', 'const f = () => f() + 1; return f();', L),
  body('mutual recursion', 'const f = () => g(), g = () => f(); f();', L),
  body('recursion through a getter', 'const o = { get a() { return this.a; } }; o.a;', L),
  body(
    'recursion through a conversion',
    'const o = { toString() { return "" + o; } }; return "" + o;',
    L,
  ),
  body('a deep flattening', 'const a = []; a[0] = a; return a.flat(Infinity);', L),
  body('recursion through apply', 'const f = () => Reflect.apply(f, null, []); f();', L),
  body(
    'recursion through the constructor of a class',
    'class A { constructor() { new A(); } } new A();',
    L,
  ),
  body(
    'recursion through instanceof',
    'class A { static [Symbol.hasInstance]() { return {} instanceof A; } } return {} instanceof A;',
    L,
  ),

  // Memory.
  body('doubling of a text', 'let s = "a"; for (;;) s += s;', E),
  body(
    'texts that are kept',
    'const a = []; for (let i = 0; ; i++) a.push("x".repeat(1000) + i);',
    L,
  ),
  body('a list without end', 'const a = []; for (;;) a.push(a.length);', L),
  body('a list of lists', 'let a = []; for (;;) a = [a, a];', L),
  body('objects without end', 'const o = {}; for (let i = 0; ; i++) o["k" + i] = i;', L),
  body('a map without end', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, i);', L),
  body('a set without end', 'const m = new Set(); for (let i = 0; ; i++) m.add(i);', L),
  body('a large buffer', 'return new ArrayBuffer(2 ** 30).byteLength;', L),
  body('a large typed list', 'return new Float64Array(2 ** 28).length;', E),
  body(
    'a buffer that grows',
    'const b = new ArrayBuffer(1, { maxByteLength: 2 ** 30 }); b.resize(2 ** 30);',
    L,
  ),
  body('a repeated text', 'return "ab".repeat(2 ** 30);', E),
  body('a padded text', 'return "a".padEnd(2 ** 29).length;', L),
  body('replaced texts', 'let q = "a".repeat(5000); for (;;) q = q.replaceAll("a", q);', L),
  body('a filled object', 'Array.prototype.fill.call({ length: 2 ** 40 }, 1);', L),
  body('a list from a length', 'Array.from({ length: 2 ** 32 - 1 });', L),
  body('spread arguments', 'Math.max(...new Array(2 ** 27));', L),
  body('closures without end', 'const a = []; for (;;) a.push(() => a);', L),
  body('a number of a million digits', 'let x = 3n; for (;;) x *= x;', E),
  body('a power of powers', 'return String(2n ** (2n ** 40n));', E),
  body(
    'symbols without end',
    'const a = []; for (let i = 0; ; i++) a.push(Symbol.for("s" + i));',
    L,
  ),
  body('promises without end', 'const a = []; for (;;) a.push(Promise.resolve(a));', L),
  body('the JSON of a large list', 'return JSON.stringify(new Array(2 ** 31));', L),
  body('nested JSON', 'return JSON.parse("[".repeat(1e6));', E),
  body('a nested pattern', 'new RegExp("(".repeat(1e6));', E),
  {
    title: 'nested parentheses',
    source: `export default () => ${'('.repeat(20_000)}1${')'.repeat(20_000)};`,
    ends: E,
  },
  {
    title: 'nested lists in the code',
    source: `export default () => ${'['.repeat(20_000)}${']'.repeat(20_000)};`,
    ends: E,
  },
  {
    title: 'code that is too long',
    source: `export default () => 1;//${'x'.repeat(300_000)}`,
    ends: L,
  },

  // Ways out.
  body(
    'the constructor of a constructor',
    'return input.constructor.constructor("return process")().pid;',
    E,
  ),
  body('the constructor of a function', 'return (() => {}).constructor("return this")();', E),
  body(
    'the constructor of a generator',
    'return (function* () {}).constructor("yield 1")().next();',
    E,
  ),
  body(
    'the constructor of an async function',
    'return (async () => {}).constructor("return 1")();',
    E,
  ),
  body('the function Function', 'return new Function("return 1")();', E),
  body('eval', 'return eval("1");', E),
  body('indirect eval', 'return (0, globalThis.eval)("1");', E),
  body('process', 'return process.env;', E),
  body('require', 'return require("node:fs").readFileSync("/etc/passwd", "utf8");', E),
  body('a dynamic import', 'return import("node:fs");', B),
  body(
    'a dynamic import that is awaited by a callback',
    'let read = 0; import("node:fs").then(() => { read = 1; }, () => { read = 2; }); return read;',
    { output: 0 },
  ),
  {
    title: 'a static import',
    source: 'import fs from "node:fs"; export default () => fs.readdirSync("/");',
    ends: E,
  },
  { title: 'an export from elsewhere', source: 'export { default } from "node:os";', ends: E },
  {
    title: 'the data of the module',
    source: 'export default () => Object.keys(import.meta);',
    ends: { output: [] },
  },
  body('fetch', 'return fetch("http://localhost");', E),
  body('XMLHttpRequest', 'return new XMLHttpRequest();', E),
  body('a socket', 'return new WebSocket("ws://localhost");', E),
  body('WebAssembly', 'return new WebAssembly.Memory({ initial: 65536 });', E),
  body('shared memory', 'return new SharedArrayBuffer(8);', E),
  body('waiting on shared memory', 'Atomics.wait(new Int32Array(8), 0, 0);', E),
  body('a timer', 'setTimeout(() => {}, 1e9);', E),
  body('a microtask', 'queueMicrotask(() => {});', E),
  body('a worker', 'new Worker("x");', E),
  body('the console', 'console.log("x");', E),
  body(
    'the helpers of QuickJS',
    'return [typeof std, typeof os, typeof print, typeof scriptArgs, typeof bjson];',
    { output: Array(5).fill('undefined') },
  ),
  body('the callers', 'return (function f() { return f.caller; })();', E),
  body(
    'the arguments of callers',
    '"use strict"; return (function () { return arguments.callee; })();',
    E,
  ),
  body(
    'the functions of the host, by the stack',
    'Error.prepareStackTrace = (_, sites) => sites.map((s) => s.getFunction()); return typeof new Error().stack;',
    { output: 'string' },
  ),
  body(
    'the stack of the host',
    'const { stack } = new Error("x"); return /node:|worker|sandbox\\.ts|\\/tmp|file:/.test(stack);',
    { output: false },
  ),
  body('this', 'return (function () { return typeof this; })();', { output: 'undefined' }),
  body(
    'the names of the world',
    'return Object.getOwnPropertyNames(globalThis).filter((name) => /process|require|module|eval$|Date|Atomics|Shared|Weak(Ref)|Proxy|perf|timer|fetch/i.test(name));',
    { output: [] },
  ),

  // Clocks, chance, and what only the collector of garbage decides.
  body('the clock', 'return Date.now();', E),
  body('a new date', 'return String(new Date());', E),
  body('chance', 'return Math.random();', E),
  body('a timer of performance', 'return performance.now();', E),
  body('a weak reference', 'return new WeakRef({});', E),
  body('a registry of finalization', 'return new FinalizationRegistry(() => {});', E),
  body('the local language', 'return new Intl.DateTimeFormat().resolvedOptions().timeZone;', E),

  // Tricks with the output.
  body('no output', '', B),
  body('a function', 'return () => 1;', B),
  body('a symbol', 'return Symbol("a");', B),
  body('a large integer', 'return 1n;', B),
  body('no number', 'return { a: [0, NaN] };', B),
  body('infinity', 'return -1 / 0;', B),
  body('a circle', 'const a = {}; a.a = { a }; return a;', B),
  body('a circle of lists', 'const a = []; a.push([a]); return a;', B),
  body('deep nesting', 'let a = 1; for (let i = 0; i < 1e5; i++) a = [a]; return a;', B),
  body(
    'a bush of shared lists',
    'let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; return a;',
    B,
  ),
  body('a large text', 'return "a".repeat(2_000_000);', B),
  body('a large list', 'return new Array(60_000).fill(1);', B),
  body('a list with holes', 'return [1, , 2];', B),
  body('a list of four billion holes', 'return new Array(2 ** 32 - 1);', B),
  body('a list with a key', 'return Object.assign([1], { a: 1 });', B),
  body('a getter', 'let n = 0; return { get a() { return n++; } };', B),
  body(
    'a getter in a list',
    'return Object.defineProperty([1], 0, { get: () => 1, enumerable: true });',
    B,
  ),
  body(
    'a hidden getter',
    'return Object.defineProperty({}, "a", { get: () => 1, enumerable: false });',
    B,
  ),
  body('a date in disguise', 'return new (class { toJSON() { return 1; } })();', B),
  body('an own toJSON', 'return { toJSON: () => ({ admin: true }) };', B),
  body('a toJSON of all objects', 'Object.prototype.toJSON = () => "stolen"; return { a: 1 };', {
    output: { a: 1 },
  }),
  body('a map', 'return new Map([[1, 2]]);', B),
  body('an error as the output', 'return new Error("x");', B),
  body('a regular expression', 'return /a/;', B),
  body('a typed list', 'return new Uint8Array(3);', B),
  body('a boxed text', 'return new String("a");', B),
  body('a list of a class', 'return new (class extends Array {})();', B),
  body('a promise', 'return Promise.resolve(1);', B),
  body('a thenable', 'return { then(resolve) { resolve(1); } };', B),
  { title: 'an async function', source: 'export default async () => 1;', ends: B },
  {
    title: 'an async loop',
    source: 'export default async () => { for (;;) await null; };',
    ends: B,
  },
  { title: 'a generator', source: 'export default function* () { for (;;) yield 1; }', ends: B },
  {
    title: 'an async generator',
    source: 'export default async function* () { for (;;) yield 1; }',
    ends: B,
  },
  body('promises that make promises', 'const f = () => Promise.resolve().then(f); f(); return 1;', {
    output: 1,
  }),
  body('a key that sets a prototype', 'return JSON.parse(\'{"__proto__": {"admin": true}}\');', B),
  body('a symbol as a key', 'return { [Symbol("a")]: 1 };', B),
  body('a proxy', 'return new Proxy({}, { ownKeys: () => { for (;;); } });', E),
  body('half of a sign', 'return "\\ud800";', { output: '\ud800' }),
  body('signs that end lines', 'return "\\u2028\\u2029\\u0000\\n";', {
    output: '\u2028\u2029\u0000\n',
  }),
  body('minus nothing', 'return { a: -0 };', { output: { a: 0 } }),

  // The interpreter's own functions, replaced.
  body('another JSON.stringify', 'JSON.stringify = () => "{\\"admin\\":true}"; return { a: 1 };', {
    output: { a: 1 },
  }),
  body('another JSON.parse', 'JSON.parse = () => { for (;;); }; return input;', {
    output: { n: 1 },
  }),
  body(
    'another Reflect',
    'for (const k of Reflect.ownKeys(Reflect)) delete Reflect[k]; return { a: [1] };',
    { output: { a: [1] } },
  ),
  body(
    'setters on lists',
    'Object.defineProperty(Array.prototype, 0, { set() { throw 1; }, get: () => 2 }); return { a: [1] };',
    { output: { a: [1] } },
  ),
  body(
    'a value of all descriptors',
    'Object.prototype.value = 7; return { get a() { return 1; } };',
    B,
  ),
  body('a getter of all descriptors', 'Object.prototype.get = () => 7; return { a: 1 };', {
    output: { a: 1 },
  }),
  body(
    'another concat, which builds templates',
    'String.prototype.concat = () => \'{"admin":true}\'; return { a: [1.5, "b"] };',
    { output: { a: [1.5, 'b'] } },
  ),
  body(
    'other methods of texts',
    'for (const k of Object.getOwnPropertyNames(String.prototype)) if (k !== "length") String.prototype[k] = null; return "a";',
    { output: 'a' },
  ),
  body(
    'deleted globals',
    'for (const k of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[k]; } catch {} return { a: "b" };',
    { output: { a: 'b' } },
  ),
  body(
    'a frozen world',
    'Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(globalThis); return [{ a: 1 }];',
    { output: [{ a: 1 }] },
  ),
  body(
    'another prototype for functions',
    'Object.setPrototypeOf(Function.prototype, null); return 1;',
    { output: 1 },
  ),
  body(
    'other iterators',
    'Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1; }; return [1];',
    { output: [1] },
  ),
  body('another prototype for all objects', 'Object.prototype.__proto__ = { a: 1 }; return {};', E),
  body(
    'a polluted prototype',
    'Object.prototype.polluted = 1; ({}).__proto__.polluted = 1; input.__proto__.polluted = 1; return {};',
    { output: {} },
  ),
  body(
    'a species',
    'Object.defineProperty(Array, Symbol.species, { get: () => { for (;;); } }); return [1].map((a) => a);',
    L,
  ),

  // Tricks with errors.
  body('a thrown nothing', 'throw undefined;', E),
  body('a thrown function', 'throw () => {};', E),
  body('a thrown null', 'throw null;', L),
  body('a thrown circle', 'const a = {}; a.message = a; throw a;', E),
  body(
    'a message of many lines',
    'throw new Error("a\\nb\\u2028c\\u001b[31m\\u202e".repeat(1000));',
    E,
  ),
  body('a message of many megabytes', 'throw "x".repeat(500_000);', E),
  body('a message that looks like an answer', 'throw "J{\\"admin\\":true}";', E),
  body(
    'an error in disguise',
    'const e = new Error(); e.name = "SandboxLimit"; e.code = "SandboxLimit"; throw e;',
    E,
  ),
  body(
    'an error with a getter',
    'const e = new Error(); Object.defineProperty(e, "message", { get() { for (;;); } }); throw e;',
    E,
  ),
  body(
    'an error of Error.captureStackTrace',
    'const o = {}; Error.captureStackTrace(o); Error.stackTraceLimit = 1e9; throw Object.assign(new Error("x"), o);',
    E,
  ),
  body(
    'an aggregate of errors',
    'throw new AggregateError(Array(9999).fill(new Error("x")), "many");',
    E,
  ),
  { title: 'no code', source: '', ends: E },
  { title: 'code that does not parse', source: 'export default (', ends: E },
  { title: 'a script', source: 'module.exports = () => 1;', ends: E },
  { title: 'an export that is no function', source: 'export default 42;', ends: E },
  {
    title: 'an object that can be called',
    source: 'export default { call: () => 1, apply: () => 1 };',
    ends: E,
  },
  { title: 'a class', source: 'export default class { }', ends: E },
  {
    title: 'a wait while loading',
    source: 'await new Promise(() => {}); export default () => 1;',
    ends: E,
  },
  {
    title: 'an error while loading',
    source: 'throw new Error("x"); export default () => 1;',
    ends: E,
  },
  { title: 'a sign that ends texts', source: 'export default () => 1;\u0000for (;;);', ends: E },
  { title: 'an end of the prelude', source: '})(); for (;;);', ends: E },
];

/** Work inside of built-in functions, and errors that are made of deep stacks: hardly any steps, so only the time ends them. */
export const SLOW_SNIPPETS: readonly HostileSnippet[] = [
  body('a loop of recursion', 'const f = () => { for (;;) try { f(); } catch {} }; f();', L),
  body('doubling recursion', 'const f = () => { try { f(); } finally { f(); } }; f();', L),
  body(
    'memory that is caught again and again',
    'const a = []; for (;;) try { for (;;) a.push("x".repeat(9999) + a.length); } catch {}',
    L,
  ),
  body(
    'a search in an endless list',
    'return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);',
    L,
  ),
  body('the joining of an endless list', 'return new Array(2 ** 32 - 1).join("");', L),
  body('the reversal of an endless list', 'Array.prototype.reverse.call({ length: 2 ** 52 });', L),
  body('the sorting of an endless list', 'Array.prototype.sort.call({ length: 2 ** 40 });', L),
  body(
    'a search for a long text',
    'const s = "a".repeat(2e6); return s.indexOf("a".repeat(1e6) + "b");',
    L,
  ),
];
