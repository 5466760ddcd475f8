import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measure, metrics, parseLimits } from '../../../src/harness/records/limits.js';
import { makeRecord } from '../fixtures.js';

const names = Object.keys(metrics) as (keyof typeof metrics)[];
const space = fc.constantFrom('', ' ', '  ');

/** Text of a limit with what it means. */
const written = fc
  .record({
    metric: fc.constantFrom(...names),
    side: fc.constantFrom('<' as const, '>' as const),
    sign: fc.constantFrom('', '+', '-'),
    digits: fc.constantFrom('0', '100', '0.2', '.5', '12.75'),
    percent: fc.boolean(),
    spaces: fc.array(space, { minLength: 4, maxLength: 4 }),
  })
  .map(({ metric, side, sign, digits, percent, spaces: [a, b, c, d] }) => {
    const inPercent = percent && sign !== '' && metrics[metric].kind === 'quantity';
    return {
      text: `${a}${metric}${b}${side}${c}${sign}${digits}${inPercent ? '%' : ''}${d}`,
      meaning: {
        metric,
        side,
        base: sign === '' ? 'zero' : inPercent ? 'baseline percent' : 'baseline',
        number: Number(sign + digits),
      },
    };
  });

describe('parseLimits', () => {
  it('reads what a limit says, alone or in a list, with spaces anywhere between its parts', () => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 5 }), (limits) => {
        const parsed = parseLimits(limits.map(({ text }) => text).join(','));
        expect(parsed).toMatchObject(limits.map(({ meaning }) => meaning));
        expect(parsed.map(({ text }) => text)).toEqual(limits.map(({ text }) => text.trim()));
      }),
    );
  });

  it('either reads a text or refuses it with one line that repeats the part it cannot read', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z<>=+%,. 0-9-]{0,20}$/), (text) => {
        try {
          for (const limit of parseLimits(text)) expect(limit.number).not.toBeNaN();
        } catch (error) {
          expect(error).toMatchObject({ name: 'InputError', code: 'bad_limit' });
          expect(text.split(',').map((part) => part.trim())).toContain(
            (error as { value: string }).value,
          );
        }
      }),
    );
  });

  it.each([
    ['', 'write it like success<100'],
    ['success', 'write it like success<100'],
    ['success<100,', 'write it like success<100'],
    ['success=100', 'write it like success<100'],
    ['success<1e2', 'write it like success<100'],
    ['gapp>1', 'use one of the metrics success, optimality, gap'],
    ['toString>1', 'use one of the metrics'],
    ['gap>+1%', 'leave out the percent sign'],
    ['errors>+1%', 'leave out the percent sign'],
    ['makespan>1%', 'leave out the percent sign'],
  ])('refuses %j and says what would be right', (text, hint) => {
    expect(() => parseLimits(text)).toThrow(hint);
  });
});

describe('measure', () => {
  const records = [
    makeRecord({ makespan: 100 }),
    makeRecord({ makespan: 120 }),
    makeRecord({ makespan: null }),
    makeRecord({ makespan: null, status: 'error' }),
  ];

  it('averages percentages and quantities over the records that have them, and adds up counts', () => {
    expect(measure('success', records)).toBe(50);
    expect(measure('gap', records)).toBe(10);
    expect(measure('makespan', records)).toBe(110);
    expect(measure('optimality', records)).toBeCloseTo((100 + 100 / 1.2) / 2);
    expect(measure('geogap', records)).toBeCloseTo(100 * (Math.sqrt(1.2) - 1));
    expect(measure('infeasible', records)).toBe(1);
    expect(measure('errors', records)).toBe(1);
    expect(measure('proven', records)).toBe(0);
    expect(measure('time', records)).toBe(0.5);
  });

  it('is null where no record has a value', () => {
    expect(measure('gap', [makeRecord({ makespan: null })])).toBeNull();
    expect(measure('gap', [makeRecord({ makespan: 5, upper_bound: null })])).toBeNull();
  });
});
