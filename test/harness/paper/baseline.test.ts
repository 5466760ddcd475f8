import { describe, expect, it } from 'vitest';
import { parseBaseline } from '../../../src/harness/paper/baseline.js';
import { makeRecord } from '../fixtures.js';

const MODEL = 'openai-compatible:m@http://localhost:1';
const records = [
  makeRecord({ makespan: 110, planner: 'insertion', variant: 'no-repair' }),
  makeRecord({ makespan: 110, planner: 'insertion' }),
  makeRecord({ makespan: 110, planner: MODEL, variant: 'no-repair' }),
];

describe('parseBaseline', () => {
  it.each([
    ['insertion', 'insertion', 'full'],
    ['insertion@no-repair', 'insertion', 'no-repair'],
    [MODEL, MODEL, 'no-repair'],
    [`${MODEL}@no-repair`, MODEL, 'no-repair'],
  ])('reads %s', (text, planner, variant) => {
    expect(parseBaseline(text, records)).toEqual({ planner, variant });
  });

  it('names what there is where there is no such thing', () => {
    expect(() => parseBaseline('insert', records)).toThrow(
      /no records of the planner insert; .*insertion/,
    );
    expect(() => parseBaseline('insertion@half', records)).toThrow(
      /insertion has no records of a variant half; use one of no-repair, full/,
    );
  });
});
