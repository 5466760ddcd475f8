import { createContext, runInContext } from 'node:vm';
import { sha256 } from '@alas-jssp/core/sha256';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { createMemoryStore, type LogEntry, type NewEntry } from '../../src/index.js';
import type * as interpreter from '../../src/interpreter/index.js';
import { chain, effect, flow, plain, runIn, SAGA } from './world.js';

/** The module that must run anywhere: what `@alas-jssp/workflow/interpreter` is. */
const ENTRY = 'packages/workflow/src/interpreter/index.ts';

/** One script of a module and all that it imports, for no platform in particular. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'neutral',
    conditions: ['alas-source'],
    mainFields: ['module', 'main'],
    format: 'iife',
    globalName: 'bundled',
    target: 'es2022',
    logLevel: 'silent',
  });
  return outputFiles[0].text;
}

/** Runs a script where there is JavaScript and nothing else, and no code is made of strings. */
function runAnywhere(script: string): typeof interpreter {
  const codeGeneration = { strings: false, wasm: false };
  const context = createContext({}, { codeGeneration });
  runInContext(script, context);
  return context.bundled;
}

/** A saga of every type of node but one that waits; its last step fails. */
const workflow = flow({
  nodes: [
    effect('a'),
    { id: 'which', type: 'choice' },
    { id: 'each', type: 'map', until: '$output > 4', policyRef: 'loop', body: body('x') },
    { id: 'both', type: 'parallel', branches: { left: body('y'), right: body('z') } },
    plain('never'),
    { ...plain('end', { fail: 'Broken' }) },
  ],
  edges: [
    ...chain('a', 'which'),
    { from: 'which', to: 'each', kind: 'branch', guard: '$input = 1' },
    { from: 'which', to: 'never', kind: 'default' },
    ...chain('each', 'both', 'end'),
  ],
  policies: { saga: { ...SAGA, timeout: { seconds: 5 } }, loop: { loopGuards: { maxIters: 9 } } },
});

function body(id: string) {
  return { nodes: [effect(id)], edges: [] };
}

/** Log of a run by an interpreter that knows nothing but this host, which calls and logs. */
async function interpretAnywhere(at: typeof interpreter): Promise<LogEntry[]> {
  const log: LogEntry[] = [];
  const state = at.emptyState('run');
  const append = (entries: readonly NewEntry[]) => {
    const written = entries.map((entry, k) => ({ ...entry, version: log.length + k, hash: '' }));
    log.push(...written);
    return written;
  };
  const host: interpreter.Host = {
    runId: 'run',
    now: () => 0,
    at: (_, ring) => {
      const timer = setImmediate(ring);
      return () => clearImmediate(timer);
    },
    digest: sha256,
    append,
    call: (call) => {
      const answer = async (): Promise<interpreter.CallAnswer> => {
        if (call.kind === 'compensator') return { status: 'value', value: at.decodeLogged(null) };
        if (call.kind !== 'handler') throw new Error(call.kind);
        const { fail, add = 1 } = call.task.params ?? {};
        if (fail === undefined) {
          const value = at.decodeLogged((call.input.json() as number) + Number(add));
          return { status: 'value', value, externalRef: () => 'ref' };
        }
        return { status: 'error', error: Object.assign(new Error('as requested'), { code: fail }) };
      };
      return { answer: answer(), abort: () => {} };
    },
    handlerOf: () => ({ pure: false, outputValidator: false, inputValidator: false }),
    decode: (_, __, json) => at.decodeLogged(json),
    encodeInput: (_, input) => input.json(),
    claimOf: () => undefined,
    messages: () => [],
    post: () => {},
    alert: () => {},
  };
  const begin = { workflow, input: 0, seed: 0, software: 'none' } as unknown as NewEntry['payload'];
  const first = { runId: 'run', ts: new Date(0).toISOString(), nodeId: '', correlationId: 'run' };
  for (const entry of append([{ ...first, eventType: 'StartRun', payload: begin }])) {
    at.applyEntry(state, entry);
  }
  await at.interpret(at.openRun(host, state));
  return log;
}

test('the interpreter runs without Node and without code made of strings, and does the same', async () => {
  const anywhere = await interpretAnywhere(runAnywhere(await bundle(ENTRY)));
  const { entries, result } = await runIn(workflow, 0, {
    log: createMemoryStore(),
    clock: virtualClock(),
  });
  expect(result.status).toBe('COMPENSATED');
  const lines = (all: readonly LogEntry[]) =>
    all.map(({ eventType, nodeId }) => `${eventType} ${nodeId}`).sort();
  expect(lines(anywhere)).toEqual(lines(entries));
  expect(anywhere.at(-1)?.payload).toMatchObject({ status: 'COMPENSATED', remaining: [] });
});

test('modules of Node cannot be bundled, and code from strings is refused: both would be noticed', async () => {
  await expect(bundle('packages/core/src/sha256.ts')).rejects.toThrow(
    'Could not resolve "node:crypto"',
  );
  expect(() => runAnywhere('var bundled = new Function("return 1")();')).toThrow(
    'Code generation from strings disallowed',
  );
});
