import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProcessors } from '../../../src/harness/worker/processors.js';

describe('processors', () => {
  it('are held by so many at once, and by all in the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.boolean(), { maxLength: 12 }),
        async (count, tasks) => {
          const processors = createProcessors(count);
          let held = 0;
          let most = 0;
          const work = async (isUrgent: boolean) => {
            const giveBack = await processors.take(isUrgent);
            most = Math.max(most, ++held);
            await Promise.resolve();
            held--;
            giveBack();
            giveBack();
          };
          await Promise.all(tasks.map(work));
          expect([held, most]).toEqual([0, Math.min(count, tasks.length)]);
        },
      ),
    );
  });

  it('go to those who are urgent before the others, else in turn', async () => {
    const processors = createProcessors(1);
    const giveBack = await processors.take(false);
    const order: string[] = [];
    const wait = async (name: string, isUrgent: boolean) => {
      const back = await processors.take(isUrgent);
      order.push(name);
      back();
    };
    const all = [wait('a', false), wait('b', false), wait('c', true), wait('d', true)];
    giveBack();
    await Promise.all(all);
    expect(order).toEqual(['c', 'd', 'a', 'b']);
  });
});
