import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { deriveSeed } from '../../../src/core/seed.js';
import { sha256 } from '../../../src/core/sha256.js';

/** The module that must run anywhere. */
const ENTRY = 'test/workflow/interpreter/neutral-entry.ts';

/** One script of a module and all that it imports, for no platform in particular. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'iife',
    globalName: 'bundled',
    target: 'es2022',
    logLevel: 'silent',
  });
  return outputFiles[0].text;
}

/** Runs a script where there is JavaScript and nothing else, and no code is made of strings. */
function runAnywhere(script: string): Record<string, unknown> {
  const codeGeneration = { strings: false, wasm: false };
  const context = createContext({}, { codeGeneration });
  runInContext(script, context);
  return context.bundled;
}

test('the interpreter runs without Node and without code made of strings', async () => {
  const { probe } = runAnywhere(await bundle(ENTRY)) as {
    probe(digest: (text: string) => string): Promise<unknown>;
  };
  expect(JSON.parse(JSON.stringify(await probe(sha256)))).toEqual({
    holds: true,
    failure: 'the guard $input.n failed: it is {"a":1}, not a boolean',
    seed: deriveSeed('backoff', 'r1', 'pay', 2),
  });
});

test('modules of Node cannot be bundled, and code from strings is refused: both would be noticed', async () => {
  await expect(bundle('src/core/sha256.ts')).rejects.toThrow('Could not resolve "node:crypto"');
  expect(() => runAnywhere('var bundled = new Function("return 1")();')).toThrow(
    'Code generation from strings disallowed',
  );
});
