import { describe, expect, it } from 'vitest';
import { createCalendar, listDowntimes } from '../../../src/jssp/calendar.js';
import { instanceFromJobs, MAX_TIME, replaceInstance } from '../../../src/jssp/instance.js';
import { leastTakenTokens, mostTakenTokens, partOf } from '../../../src/llm/prompts/part.js';

const shop = instanceFromJobs('shop', [
  [
    [0, 4],
    [1, 5],
    [0, 3],
  ],
  [[0, 2]],
  [
    [1, 6],
    [0, 1],
  ],
]);
const entry = (job: number, step: number, start: number) => ({
  ...{ job, step, start },
  machine: 7,
  end: 99,
});
const ENOUGH = 1000;

/** The times that are taken, as `machine: from-to`, with a mark for resumable ones. */
function times(instance: typeof shop): string[] {
  return listDowntimes(instance.calendar ?? createCalendar(instance.machines, [])).map(
    ({ machine, from, to, resumable }) => `${machine}: ${from}-${to}${resumable ? '~' : ''}`,
  );
}

describe('partOf', () => {
  it('keeps the operations of its jobs, under their numbers', () => {
    const part = partOf(shop, [0, 2], { entries: [], tokens: ENOUGH });
    expect(Array.from(part.jobOffset)).toEqual([0, 3, 3, 5]);
    expect(Array.from(part.duration)).toEqual([4, 5, 3, 6, 1]);
    expect(part.calendar).toBeNull();
  });

  it('takes the machine times of the others by what the instance says of them', () => {
    const entries = [entry(0, 0, 0), entry(0, 1, 4), entry(0, 2, 9), entry(2, 0, 30)];
    const part = partOf(shop, [1, 2], { entries, tokens: ENOUGH });
    expect(times(part)).toEqual(['0: 0-4', '0: 9-12', '1: 4-9']);
  });

  it('joins what overlaps, and passes over what is nothing', () => {
    const entries = [
      ...[entry(0, 0, 1), entry(1, 0, 4), entry(2, 1, 6)],
      ...[entry(9, 0, 1), entry(0, 9, 1), entry(0, 2, -1), entry(0, 1, 0.5), entry(0, 2, MAX_TIME)],
    ];
    const joined = partOf(shop, [], { entries, tokens: ENOUGH });
    expect(times(joined)).toEqual(['0: 1-7']);
  });

  it('takes the times of frozen operations, planned or not', () => {
    const frozen = Int32Array.of(2, -1, -1, -1, -1, -1);
    const part = partOf(replaceInstance(shop, { frozen }), [1], { entries: [], tokens: ENOUGH });
    expect(times(part)).toEqual(['0: 2-6']);
  });

  it('leaves of downtimes what is not taken', () => {
    const calendar = createCalendar(2, [
      { machine: 0, from: 3, to: 12, resumable: true },
      { machine: 1, from: 0, to: 2, resumable: false },
    ]);
    const down = replaceInstance(shop, { calendar });
    const part = partOf(down, [1, 2], { entries: [entry(0, 0, 0)], tokens: ENOUGH });
    // The first operation is interrupted, and so has the machine until 13.
    expect(times(part)).toEqual(['0: 0-13', '1: 0-2']);
    const other = partOf(down, [0, 1], { entries: [entry(2, 1, 2)], tokens: ENOUGH });
    expect(times(other)).toEqual(['0: 2-3', '0: 3-12~', '1: 0-2']);
  });

  it('closes the smallest gaps if there is no room for all times', () => {
    const entries = [entry(0, 0, 0), entry(0, 2, 5), entry(1, 0, 12), entry(2, 0, 0)];
    const taken = (tokens: number) => times(partOf(shop, [], { entries, tokens }));
    expect(taken(mostTakenTokens(shop, 6))).toEqual(['0: 0-4', '0: 5-8', '0: 12-14', '1: 0-6']);
    expect(taken(mostTakenTokens(shop, 1))).toEqual(['0: 0-8', '0: 12-14', '1: 0-6']);
    expect(taken(leastTakenTokens(shop))).toEqual(['0: 0-14', '1: 0-6']);
    expect(taken(0)).toEqual(['0: 0-14', '1: 0-6']);
  });
});
