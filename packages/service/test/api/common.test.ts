import { EVENT_KINDS } from 'alas-jssp/disruption';
import { expect, test } from 'vitest';
import { eventSchema } from '../../src/api/common.js';

test('the description of an event, which programs and agents read, names every kind', () => {
  const words: readonly string[] = eventSchema.meta()?.description?.match(/[a-z-]+/g) ?? [];
  expect(EVENT_KINDS.filter((kind) => !words.includes(kind))).toEqual([]);
});
