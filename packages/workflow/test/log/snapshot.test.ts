import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryStore,
  diffJson,
  diffVersions,
  type Fold,
  type Json,
  lastSnapshot,
  stateAt,
  writeSnapshot,
} from '../../src/index.js';
import { entry } from './entries.js';

const sum: Fold<number> = {
  initial: 0,
  reducer: (total, { payload }) => total + (payload as number),
};
const ts = '2026-01-02T03:04:05Z';

describe('a restore point', () => {
  it('gives the same state as all entries before it', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 9 }))), (steps) => {
        const store = createMemoryStore();
        let state = 0;
        steps.forEach((step, version) => {
          if (step === null) writeSnapshot(store, { runId: 'r', ts, state });
          else store.append([entry('r', 'EndNode', step)]);
          state += step ?? 0;
          expect(stateAt(store, 'r', version, sum)).toBe(state);
          expect(stateAt(store, 'r', version, { ...sum, restore: false })).toBe(state);
        });
        const last = steps.lastIndexOf(null);
        expect(lastSnapshot(store, 'r')?.version ?? -1).toBe(last);
      }),
      { numRuns: 50 },
    );
  });

  it('is where the folding begins', () => {
    const store = createMemoryStore();
    store.append([entry('r', 'EndNode', 1)]);
    writeSnapshot(store, { runId: 'r', ts, state: 100 });
    store.append([entry('r', 'EndNode', 2)]);
    expect(stateAt(store, 'r', 0, sum)).toBe(1);
    expect(stateAt(store, 'r', 2, sum)).toBe(102);
  });
});

/** Applies differences to a copy of a value; those of lists from the end, as removals need it. */
function apply(before: Json, differences: ReturnType<typeof diffJson>): Json {
  const root = { '': structuredClone(before) } as unknown as Record<string, never>;
  const removals = differences.filter(({ op }) => op === 'remove').reverse();
  for (const difference of [...differences.filter(({ op }) => op !== 'remove'), ...removals]) {
    const keys = difference.path
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() as string;
    const place = keys.reduce<Record<string, unknown>>((value, key) => value[key] as never, root);
    if (difference.op !== 'remove') place[last] = difference.value;
    else if (Array.isArray(place)) place.splice(Number(last), 1);
    else delete place[last];
  }
  return root[''];
}

describe('differences', () => {
  it('turn one value into the other, and are none between equal ones', () => {
    const value = fc
      .jsonValue({ maxDepth: 3 })
      .map((json) => JSON.parse(JSON.stringify(json)) as Json);
    const noProto = value.filter((json) => !JSON.stringify(json).includes('__proto__'));
    fc.assert(
      fc.property(noProto, noProto, (before, after) => {
        expect(apply(before, diffJson(before, after))).toEqual(after);
        expect(diffJson(before, structuredClone(before))).toEqual([]);
      }),
    );
  });

  it('between two versions are those of the outputs', () => {
    const store = createMemoryStore();
    store.append([
      entry('r', 'EndNode', { output: { makespan: 60, 'a/b': 1 } }, 'plan'),
      entry('r', 'EndNode', { output: [1] }, 'book'),
      entry('r', 'EndNode', { output: { makespan: 55, jobs: [] } }, 'plan'),
      entry('r', 'Compensated', {}, 'book'),
    ]);
    expect(diffVersions(store, 'r', 1, 3)).toEqual([
      { op: 'remove', path: '/plan/a~1b', was: 1 },
      { op: 'replace', path: '/plan/makespan', was: 60, value: 55 },
      { op: 'add', path: '/plan/jobs', value: [] },
      { op: 'remove', path: '/book', was: [1] },
    ]);
    expect(diffVersions(store, 'r', 0, 0)).toEqual([]);
  });
});
