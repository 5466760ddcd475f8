import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { generateFlexible } from '../../../src/jssp/flexible-generator.js';
import { writeInstanceJson } from '../../../src/jssp/formats/instance-json.js';
import { parseInstance } from '../../../src/jssp/formats/read-instance.js';

const shop = JSON.parse(
  writeInstanceJson(
    generateFlexible({
      jobs: 2,
      machines: 3,
      seed: 3,
      families: 2,
      operators: 2,
      maxTransport: 4,
      assembly: 0.5,
      maxLag: 5,
    }),
  ),
);

/** The paths of all members of a document. */
function pathsOf(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== 'object') return [[...path]];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [
    [...path],
    ...keys.flatMap((key) => pathsOf((value as Record<string, unknown>)[key], [...path, key])),
  ];
}

it('a shop with any part replaced is read, or refused in a line', () => {
  const other = fc.oneof(
    fc.constantFrom(null, '', 'x', -1, 0, 1, 2, 1.5, 1e9, 2 ** 31, true, [], {}, [0], { a: 1 }),
    fc.jsonValue(),
  );
  const places = pathsOf(shop).filter((path) => path.length > 0);
  fc.assert(
    fc.property(fc.constantFrom(...places), other, (path, value) => {
      const copy = structuredClone(shop);
      const parent = path.slice(0, -1).reduce((at, key) => at[key], copy);
      parent[path[path.length - 1]] = value;
      try {
        parseInstance(JSON.stringify(copy));
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        expect((error as Error).message).not.toContain('\n');
      }
    }),
    { numRuns: 1000 },
  );
});
