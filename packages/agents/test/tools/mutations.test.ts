import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import type { Json } from '@alas-jssp/workflow';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import {
  createTrialSystem,
  readCatalogue,
  type ToolCatalogue,
  toCatalogue,
} from '../../src/index.js';
import { sampleValue } from '../../src/tools/trial/sample-value.js';
import { callWith, shopDocument } from './catalogues.js';
import { shopApi } from './shop-api.js';

const directory = mkdtempSync(join(tmpdir(), 'mutations-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The paths of all values in a document. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]));
  return [path, ...inner];
}

const replacements: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    0,
    -1,
    1.5,
    '',
    'input.',
    'output.x.y',
    'key',
    [],
    {},
  ),
  fc.constantFrom<unknown>('#/tools', { $ref: '#' }, { $ref: '#/none' }, { type: 'nothing' }, [
    null,
  ]),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A document with some of its values replaced or removed. */
function mutated(document: object): fc.Arbitrary<unknown> {
  const paths = pathsOf(document).filter((path) => path.length > 0);
  const change = fc.record({ path: fc.constantFrom(...paths), value: replacements });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const copy = structuredClone(document) as Record<string, unknown>;
    for (const { path, value } of changes) {
      const last = path[path.length - 1];
      const parent = path
        .slice(0, -1)
        .reduce<unknown>((item, key) => (Object(item) as Record<string, unknown>)[key], copy);
      if (typeof parent !== 'object' || parent === null) continue;
      if (value === undefined) delete (parent as Record<string, unknown>)[last];
      else (parent as Record<string, unknown>)[last] = structuredClone(value);
    }
    return copy;
  });
}

/** Expects a refusal in one line with a hint. */
function expectRefusal(error: unknown): void {
  expect(error).toBeInstanceOf(InputError);
  const { message, hint } = error as InputError;
  expect(hint).not.toBe('');
  expect(message).not.toMatch(/\n|undefined|\[object|Cannot read|is not a function/);
}

/** Calls all tools of a catalogue with inputs that their schemas may allow. */
async function tryAll(catalogue: ToolCatalogue, seed: number): Promise<void> {
  const trial = createTrialSystem(catalogue, { seed });
  const random = createRandom(seed);
  for (const { name, input } of catalogue.tools) {
    const value = sampleValue(input, random) as Record<string, Json>;
    const before = trial.snapshot();
    const error: unknown = await trial.call(name, value, callWith()).catch((one) => one);
    if (!(error instanceof Error)) continue;
    expect(error).toBeInstanceOf(AlasError);
    expect(trial.snapshot()).toBe(before);
    expect((error as AlasError).code).toMatch(
      /^(NotFound|AlreadyExists|KeyReused|NoSample|BadToolInput|BadToolOutput)$/,
    );
  }
}

it('a catalogue with random mistakes is refused in one line, or can be tried', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(mutated(shopDocument()), fc.integer(), async (document, seed) => {
      let catalogue: ToolCatalogue;
      try {
        catalogue = toCatalogue(document);
      } catch (error) {
        expectRefusal(error);
        refused++;
        return;
      }
      await tryAll(catalogue, seed);
    }),
    { numRuns: 150 },
  );
  expect(refused).toBeGreaterThan(10);
});

it('an OpenAPI document with random mistakes is refused in one line, or gives tools', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(mutated(shopApi()), async (document) => {
      writeFileSync(join(directory, 'api.json'), JSON.stringify(document));
      const reading = readCatalogue('openapi:api.json@https://shop.example', directory);
      const error: unknown = await reading.catch((one) => one);
      if (!(error instanceof Error)) return;
      expectRefusal(error);
      refused++;
    }),
    { numRuns: 150 },
  );
  expect(refused).toBeGreaterThan(10);
});
