import fc from 'fast-check';
import { expect, test } from 'vitest';
import { semiActive } from '../../src/jssp/timing.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { orderByTime, sequencesOf } from '../../src/search/evolution/solution.js';
import { startsInOrder } from '../../src/search/timed-order.js';
import { arbitraryExecution } from './arbitrary-execution.js';

test('a topological order timed in one pass is the semi-active schedule of its machine orders', () => {
  fc.assert(
    fc.property(arbitraryExecution({ downtimes: true }), fc.nat(), (instance, seed) => {
      const order = orderByTime(dispatch(instance, { rule: 'random', seed }).start);
      const expected = semiActive(instance, sequencesOf(instance, order)).start;
      expect(startsInOrder(instance, order)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('an order that is not topological is timed by the machine orders that it implies, too', () => {
  fc.assert(
    fc.property(arbitraryExecution({ downtimes: true }), fc.nat(), (instance, seed) => {
      const order = orderByTime(dispatch(instance, { rule: 'random', seed }).start);
      // By machine, not by time: jobs go back and forth.
      const byMachine = sequencesOf(instance, order);
      const expected = semiActive(instance, sequencesOf(instance, byMachine)).start;
      expect(startsInOrder(instance, byMachine)).toEqual(expected);
    }),
  );
});
