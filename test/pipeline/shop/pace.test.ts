import { expect, test } from 'vitest';
import type { DisruptionEvent } from '../../../src/disruption/index.js';
import { fromNowOn } from '../../../src/pipeline/shop/pace.js';

const lasting: readonly DisruptionEvent[] = [
  { kind: 'breakdown', at: 10, machine: 0, from: 10, to: 20, resumable: true },
  { kind: 'capacity', at: 10, resource: 0, from: 10, to: 20, amount: 0 },
];

test('a machine and a resource that have been missing for a moment are missing from now on', () => {
  for (const event of lasting) {
    expect(fromNowOn(event, 12)).toEqual({ ...event, at: 12, from: 12 });
    expect(fromNowOn({ ...event, to: undefined } as DisruptionEvent, 12)).toMatchObject({
      from: 12,
    });
    expect(fromNowOn(event, 5)).toEqual(event);
    expect(fromNowOn(event, 20)).toEqual(event);
  }
});
