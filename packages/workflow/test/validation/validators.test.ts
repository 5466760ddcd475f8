import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Judged } from '../../src/interpreter/registry.js';
import type { Json, LogEntry } from '../../src/log/entry.js';
import type { Constraint } from '../../src/validation/findings.js';
import { inputValidator, stepValidator } from '../../src/validation/validators.js';

/** What a validator is shown of a trip that is being booked. */
function judged(value: Json, given: Partial<Judged> = {}): Judged {
  return { nodeId: 'hotel', value, slice: [], committed: {}, ...given };
}

/** A slice in which nodes ended in the order given. */
function ended(...nodes: string[]): LogEntry[] {
  return nodes.map((nodeId, version) => ({
    runId: 'trip',
    ts: '2025-06-01T00:00:00.000Z',
    nodeId,
    eventType: 'EndNode',
    payload: {},
    correlationId: nodeId,
    version,
    hash: '',
  }));
}

const hotel = {
  type: 'object',
  required: ['city', 'cost'],
  properties: { city: { type: 'string' }, cost: { $ref: '#/schemas/money' } },
};
const schemas = { money: { type: 'number', minimum: 0 } };
const costOf = ({ value }: Judged) => (value as { cost: number }).cost;
const within: Constraint = {
  name: 'budget',
  check: 'constraint',
  test: (seen) => (costOf(seen) > 500 ? `${costOf(seen)} is more than 500` : undefined),
};
const whole: Constraint = {
  name: 'whole',
  check: 'semantics',
  test: (seen) => (Number.isInteger(costOf(seen)) ? undefined : 'cents'),
  correct: (seen) => ({ ...(seen.value as object), cost: Math.round(costOf(seen)) }),
};

describe('a validator of outputs', () => {
  const validate = stepValidator({ schema: hotel, schemas, constraints: [within, whole] });

  it('passes what is right and says nothing more', () => {
    expect(validate(judged({ city: 'Berlin', cost: 400 }))).toEqual({ outcome: 'pass' });
  });

  it('rejects what has not the right shape, and says where', () => {
    expect(validate(judged({ city: 7, cost: -1 }))).toMatchObject({
      outcome: 'reject',
      errors: [
        { check: 'syntax', message: '/city must be string' },
        { check: 'syntax', message: '/cost must be >= 0' },
      ],
    });
  });

  it('rejects what breaks a constraint, with its sentence', () => {
    const errors = [
      { check: 'constraint', name: 'budget', message: '600 is more than 500', otherwise: 'reject' },
    ];
    expect(validate(judged({ city: 'Berlin', cost: 600 }))).toEqual({ outcome: 'reject', errors });
  });

  it('delivers a correctable value with the corrections attached', () => {
    expect(validate(judged({ city: 'Berlin', cost: 99.5 }))).toEqual({
      outcome: 'augment',
      value: { city: 'Berlin', cost: 100 },
      corrections: [
        {
          check: 'semantics',
          name: 'whole',
          message: 'cents',
          changes: [{ op: 'replace', path: '/cost', was: 99.5, value: 100 }],
        },
      ],
    });
  });

  it('inspects the corrected value: a correction that breaks another constraint is refused', () => {
    expect(validate(judged({ city: 'Berlin', cost: 500.6 })).outcome).toBe('reject');
    const broken = { ...whole, correct: () => 'nothing of the kind' };
    const correcting = stepValidator({ schema: hotel, schemas, constraints: [broken] });
    expect(() => correcting(judged({ city: 'Berlin', cost: 0.5 }))).not.toThrow();
    expect(correcting(judged({ city: 'Berlin', cost: 0.5 })).outcome).toBe('reject');
  });

  it('asks for another attempt where that is what violations lead to, unless one rejects', () => {
    const lenient = { ...within, otherwise: 'feedback' as const };
    const asking = stepValidator({ constraints: [lenient] });
    expect(asking(judged({ cost: 600 }))).toMatchObject({
      outcome: 'feedback',
      feedback: [{ name: 'budget' }],
    });
    const strict: Constraint = { name: 'never', check: 'facts', test: () => 'no' };
    const both = stepValidator({ constraints: [lenient, strict] });
    expect(both(judged({ cost: 600 }))).toMatchObject({
      outcome: 'reject',
      errors: [{ name: 'budget' }, { name: 'never' }],
    });
  });

  it('holds outputs against what is committed', () => {
    const agreements = [{ name: 'city', places: ['#/city', 'flight#/to/city'] }];
    const consistent = stepValidator({ agreements });
    const committed = { flight: { to: { city: 'Berlin' } } };
    expect(consistent(judged({ city: 'Berlin' }, { committed })).outcome).toBe('pass');
    expect(consistent(judged({ city: 'Bonn' }, { committed }))).toMatchObject({
      outcome: 'reject',
      errors: [{ check: 'consistency', message: '#/city is "Bonn", flight#/to/city is "Berlin"' }],
    });
    expect(consistent(judged({ city: 'Berlin' }))).toMatchObject({
      errors: [{ message: 'there is nothing at flight#/to/city' }],
    });
  });
});

describe('a validator of inputs', () => {
  const committed = { flight: { day: 3 }, 'book[0]/hotel': { day: 3 } };

  it('blocks what does not keep the contract of its receiver', () => {
    const validate = inputValidator({ schema: hotel, schemas });
    expect(validate(judged({ city: 'Berlin' }))).toMatchObject({
      outcome: 'reject',
      errors: [{ check: 'contract', message: "the value must have required property 'cost'" }],
    });
  });

  it('blocks what builds on something that is not committed', () => {
    const validate = inputValidator({ after: ['flight', 'train'] });
    expect(validate(judged({}, { committed }))).toMatchObject({
      outcome: 'reject',
      errors: [{ check: 'dependency', name: 'train' }],
    });
  });

  it('blocks what was done in another order than it must be', () => {
    const validate = inputValidator({ after: ['flight', 'book[0]/hotel'] });
    const right = ended('flight', 'book[0]/hotel');
    expect(validate(judged({}, { committed, slice: right })).outcome).toBe('pass');
    const wrong = ended('book[0]/hotel', 'flight');
    expect(validate(judged({}, { committed, slice: wrong }))).toMatchObject({
      outcome: 'reject',
      errors: [{ check: 'order', name: 'book[0]/hotel', message: 'flight ended after it' }],
    });
    // What the slice no longer shows came first.
    expect(validate(judged({}, { committed, slice: wrong.slice(0, 1) })).outcome).toBe('pass');
    expect(validate(judged({}, { committed, slice: wrong.slice(1) })).outcome).toBe('reject');
  });

  it('blocks what sender and receiver do not agree on', () => {
    const agreements = [{ name: 'day', places: ['#/day', 'flight#/day', 'book[0]~1hotel#/day'] }];
    const places = ['#/day', 'flight#/day', 'book[0]/hotel#/day'];
    const validate = inputValidator({ agreements: [{ name: 'day', places }] });
    expect(validate(judged({ day: 3 }, { committed })).outcome).toBe('pass');
    expect(validate(judged({ day: 4 }, { committed }))).toMatchObject({
      errors: [{ check: 'agreement', name: 'day' }],
    });
    expect(inputValidator({ agreements })(judged({ day: 3 }, { committed })).outcome).toBe(
      'reject',
    );
  });
});

it('judges a value the same way however often it is asked, and does not touch it', () => {
  const validate = stepValidator({ schema: hotel, schemas, constraints: [within, whole] });
  fc.assert(
    fc.property(
      fc.record({ city: fc.string(), cost: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
      (value) => {
        const seen = judged(value as Json);
        const copy = structuredClone(seen);
        const first = validate(seen);
        expect(validate(seen)).toEqual(first);
        expect(seen).toEqual(copy);
        // What is delivered after a correction needs no further correction.
        if (first.outcome === 'augment') {
          expect(validate(judged(first.value))).toEqual({ outcome: 'pass' });
        }
      },
    ),
  );
});
