import { canonicalJson } from '@alas-jssp/core/canonical-json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore, isWithin, sliceLog } from '../../src/index.js';
import { entry } from './entries.js';

const nodes = ['plan', 'planner', 'repair', 'repair[2]/propose', 'plan/inner'];

describe('a slice of a log', () => {
  it('is the latest that fits, in order and without gaps', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...nodes), fc.nat(60)), { maxLength: 30 }),
        fc.record({ entries: fc.nat(12), bytes: fc.nat(4000), upTo: fc.nat(35) }),
        fc.option(fc.subarray(nodes), { nil: undefined }),
        (made, limits, nodeIds) => {
          const store = createMemoryStore();
          for (const [node, size] of made) {
            store.append([entry('r', 'EndNode', 'x'.repeat(size), node)]);
          }
          const admitted = [...store.read({ runId: 'r', to: limits.upTo })].filter(
            ({ nodeId }) => nodeIds?.some((node) => isWithin(nodeId, node)) ?? true,
          );
          const slice = sliceLog(store, 'r', { ...limits, nodeIds });
          const bytes = (list: readonly unknown[]) =>
            list.reduce<number>((sum, item) => sum + Buffer.byteLength(canonicalJson(item)), 0);
          expect(slice).toEqual(admitted.slice(admitted.length - slice.length));
          expect(slice.length).toBeLessThanOrEqual(limits.entries);
          expect(bytes(slice)).toBeLessThanOrEqual(limits.bytes);
          const more = admitted.slice(-slice.length - 1);
          if (slice.length < Math.min(limits.entries, admitted.length)) {
            expect(bytes(more)).toBeGreaterThan(limits.bytes);
          }
        },
      ),
    );
  });

  it('is bounded where nothing is said', () => {
    const store = createMemoryStore();
    store.append(Array.from({ length: 200 }, () => entry('r')));
    expect(sliceLog(store, 'r').map(({ version }) => version)).toEqual(
      Array.from({ length: 64 }, (_, i) => 136 + i),
    );
  });
});
