import {
  agreementValidator,
  boundaryValidator,
  CASSETTE_SCHEMA,
  calibrateValidator,
  combineValidators,
  consistencyValidator,
  constraintValidator,
  dependencyValidator,
  factualValidator,
  type Model,
  type ModelRequest,
  type ModelValidatorOptions,
  plantFaults,
  playCassette,
  type ReadyValidator,
  reasoningValidator,
  semanticValidator,
  syntacticValidator,
  temporalValidator,
  VALIDATOR_KINDS,
} from '@alas-jssp/agents';
import {
  createMemoryStore,
  defineWorkflow,
  type Json,
  type Judged,
  type LogEntry,
  step,
} from '@alas-jssp/workflow';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { shareOf } from '../../src/validators/calibrate.js';

/** The travel plan of SagaLLM's table 3. */
const committed: Record<string, Json> = {
  flight: { arrival: '2025-06-03T09:00', city: 'Berlin', cost: 900 },
  hotel: { city: 'Berlin', from: '2025-06-03', to: '2025-06-07', cost: 600 },
};
const ended = (nodeId: string, version: number) =>
  ({ nodeId, eventType: 'EndNode', version }) as LogEntry;

function judged(value: Json, more: Partial<Judged> = {}): Judged {
  const slice = [ended('flight', 3), ended('hotel', 7)];
  return { nodeId: 'budget', value, input: null, slice, committed, ...more };
}

/** A model that gives one verdict, and keeps its requests. */
function judge(verdict: Json): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const { name, ask } = playCassette(
    {
      schema: CASSETTE_SCHEMA,
      origin: 'handwritten',
      model: null,
      answers: { 'validator/budget': [verdict as never] },
    },
    'judge',
  );
  return {
    name,
    requests,
    ask: (request) => {
      requests.push(request);
      return ask(request);
    },
  };
}

const asked = (verdict: Json, more: Partial<ModelValidatorOptions> = {}) => ({
  name: 'M1',
  model: judge(verdict),
  planners: ['openai:gpt-4o'],
  statement: 'The hotel covers all nights.',
  ...more,
});
const yes = { ok: true, problems: [] };
const no = { ok: false, problems: ['the last night is missing'] };

const schema = { type: 'object', required: ['total'], properties: { total: { type: 'number' } } };
const total: Json = { total: 1500 };

/** A validator of every kind, a value that it accepts, and one with a fault of its kind. */
const KINDS: Readonly<
  Record<keyof typeof VALIDATOR_KINDS, readonly [ReadyValidator[], Judged, Judged, RegExp]>
> = {
  syntactic: [
    [syntacticValidator({ name: 'S', schema })],
    judged(total),
    judged({ total: '1500' }),
    /total/,
  ],
  semantic: [
    [semanticValidator(asked(yes)), semanticValidator(asked(no))],
    judged(total),
    judged(total),
    /last night/,
  ],
  factual: [
    [factualValidator(asked(yes)), factualValidator(asked(no))],
    judged(total),
    judged(total),
    /last night/,
  ],
  reasoning: [
    [reasoningValidator(asked(yes)), reasoningValidator(asked(no))],
    judged(total),
    judged(total),
    /last night/,
  ],
  constraint: [
    [
      constraintValidator({
        name: 'D1',
        holds: '$output.total <= $input.budget',
        text: 'The trip costs at most the budget',
      }),
    ],
    judged(total, { input: { budget: 5000 } }),
    judged(total, { input: { budget: 1000 } }),
    /D1 does not hold: The trip costs at most/,
  ],
  dependency: [
    [dependencyValidator({ name: 'N', after: ['flight'], holds: '$outputs.flight.cost > 0' })],
    judged(total),
    judged(total, { committed: { hotel: {} } }),
    /flight is not committed/,
  ],
  consistency: [
    [
      consistencyValidator({
        name: 'C',
        places: ['flight#/city', 'hotel#/city', '#/city'],
        format: { type: 'string', pattern: '^[A-Z][a-z]+$' },
      }),
    ],
    judged({ city: 'Cologne' }),
    judged({ city: 'CGN' }),
    /#\/city/,
  ],
  temporal: [
    [temporalValidator({ name: 'T', order: ['flight', 'hotel'] })],
    judged(total),
    judged(total, { slice: [ended('hotel', 3), ended('flight', 7)] }),
    /ended after/,
  ],
  agreement: [
    [agreementValidator({ name: 'A', places: ['flight#/city', 'hotel#/city'] })],
    judged(total),
    judged(total, { committed: { ...committed, hotel: { city: 'Bonn' } } }),
    /Bonn/,
  ],
  boundary: [
    [boundaryValidator({ name: 'B', nodes: ['flight', 'hotel'] })],
    judged(total),
    judged(total, { committed: { hotel: {} } }),
    /partial: hotel committed, but not flight/,
  ],
};

describe.each(Object.entries(KINDS))(
  'the %s validator',
  (kind, [validators, sound, faulty, words]) => {
    const [accepts, rejects = accepts] = validators;

    it('accepts a sound value', async () => {
      expect(await accepts.judge(sound)).toEqual({ outcome: 'pass' });
    });

    it('rejects a fault of its kind, and says which', async () => {
      expect(await rejects.judge(faulty)).toEqual({
        outcome: 'reject',
        errors: expect.arrayContaining([
          expect.objectContaining({
            check: VALIDATOR_KINDS[kind as 'syntactic'].check,
            message: expect.stringMatching(words),
          }),
        ]),
      });
    });
  },
);

describe('conditions', () => {
  it('do not hold if a value is missing or they cannot be evaluated', async () => {
    const missing = constraintValidator({ name: 'D1', holds: '$output.nothing <= 5' });
    expect((await missing.judge(judged(total))).outcome).toBe('reject');
    const broken = constraintValidator({ name: 'D1', holds: '$output.total + 1 < 5' });
    expect((await broken.judge(judged({ total: 'x' }))).outcome).toBe('reject');
  });

  it('that are none are refused when the validator is made', () => {
    expect(() => constraintValidator({ name: 'D1', holds: '$output.total <=' })).toThrow();
    expect(() => constraintValidator({ name: 'D1', holds: '$now() > 5' })).toThrow();
    expect(() => agreementValidator({ name: 'A', places: ['#/a'] })).toThrow(
      'A has 1 places; give 2',
    );
    expect(() => syntacticValidator({ name: 'S', schema: { type: 'nope' } })).toThrow();
  });
});

describe('a validator that asks a model', () => {
  it('is never the model that planned, whatever its settings', () => {
    const model = (name: string) => ({ name, ask: judge(yes).ask });
    const make = (name: string, planner: string) =>
      semanticValidator(asked(yes, { model: model(name), planners: ['cassette:x', planner] }));
    expect(() => make('openai:gpt-4o', 'openai:gpt-4o#temperature=0')).toThrow(
      /M1 would ask openai:gpt-4o, which made what it judges; give another model/,
    );
    expect(() => make('cassette:a', 'cassette:a')).toThrow(/which made/);
    expect(() => make('openai:gpt-4o-mini', 'openai:gpt-4o')).not.toThrow();
  });

  it('sends less than 1,000 tokens, or rejects without asking', async () => {
    const model = judge(yes);
    const long = semanticValidator(asked(yes, { model }));
    const value = { text: 'word '.repeat(1000), note: 'short' };
    expect(await long.judge(judged(value))).toMatchObject({
      outcome: 'reject',
      errors: [{ message: expect.stringMatching(/about \d+ tokens, not less than 1000/) }],
    });
    expect(model.requests).toHaveLength(0);
    const short = semanticValidator(asked(yes, { model, reads: ['#/note', 'hotel#/city'] }));
    expect((await short.judge(judged(value))).outcome).toBe('pass');
    const [{ messages }] = model.requests;
    expect(messages.map(({ content }) => content).join()).not.toContain('word');
    expect(messages[1].content).toContain('"hotel#/city":"Berlin"');
  });

  it('rejects without a usable verdict', async () => {
    for (const verdict of ['Looks fine!', { ok: 'yes' }, { ok: true, problems: ['but'] }]) {
      const { outcome } = await semanticValidator(asked(verdict as Json)).judge(judged(total));
      expect(outcome).toBe('reject');
    }
    const unsure = await semanticValidator(asked({ ok: false, problems: [] })).judge(judged(total));
    expect(unsure.outcome).toBe('reject');
  });
});

describe('several validators', () => {
  it('ask models only if the code has no objection, and list all objections', async () => {
    const model = judge(no);
    const all = combineValidators([
      semanticValidator(asked(no, { model })),
      constraintValidator({ name: 'D1', holds: '$output.total < 100', otherwise: 'feedback' }),
      constraintValidator({ name: 'D2', holds: '$output.total < 10' }),
    ]);
    const verdict = await all(judged(total));
    expect(verdict).toMatchObject({ outcome: 'reject', errors: [{ name: 'D2' }, { name: 'D1' }] });
    expect(model.requests).toHaveLength(0);
    expect(await all(judged({ total: 1 }))).toMatchObject({
      outcome: 'reject',
      errors: [{ name: 'M1' }],
    });
    const mild = combineValidators([
      constraintValidator({ name: 'D1', holds: '$output.total < 100', otherwise: 'feedback' }),
    ]);
    expect((await mild(judged(total))).outcome).toBe('feedback');
  });

  it('judge the steps of a run', async () => {
    const add = step('add', {
      input: z.object({ budget: z.number() }),
      output: z.object({ total: z.number() }),
      run: () => ({ total: 1500 }),
      validate: (_, seen) =>
        combineValidators([
          constraintValidator({ name: 'D1', holds: '$output.total <= $input.budget' }),
        ])(seen),
    });
    const flow = defineWorkflow('trip', { input: z.object({ budget: z.number() }) }, (f, input) =>
      f.step(add, input),
    );
    const store = createMemoryStore();
    expect((await flow.run({ budget: 5000 }, { store })).status).toBe('COMPLETED');
    expect((await flow.run({ budget: 100 }, { store })).error).toMatchObject({
      code: 'Rejected',
      message: expect.stringContaining('D1 does not hold'),
    });
  });
});

describe('calibration', () => {
  const cases = plantFaults(
    [judged({ total: 1500, nights: 4 }), judged({ total: 100, nights: 2 })],
    [
      { name: 'too dear', plant: (value) => ({ ...(value as object), total: 9000 }) },
      { name: 'no nights', plant: (value) => ({ ...(value as object), nights: 0 }) },
      { name: 'impossible', plant: () => undefined },
    ],
  );

  it('counts false passes and false rejections of planted faults', async () => {
    const { judge: tooStrict } = constraintValidator({ name: 'D1', holds: '$output.total < 1000' });
    const result = await calibrateValidator(tooStrict, cases);
    expect(cases).toHaveLength(6);
    expect(result.falsePasses).toMatchObject({ count: 1, of: 4, share: 0.25 });
    expect(result.falseRejections).toMatchObject({ count: 1, of: 2, share: 0.5 });
    expect(result.accuracy).toMatchObject({ count: 4, of: 6 });
    expect(result.mistakes.map(({ name, kind }) => `${name}, ${kind}`)).toEqual([
      '0: sound, false rejection',
      '1: no nights, false pass',
    ]);
  });

  it('gives no credit to a validator that fails', async () => {
    const result = await calibrateValidator(() => {
      throw new Error('down');
    }, cases);
    expect(result.accuracy.count).toBe(0);
    expect(result.falseRejections).toMatchObject({ count: 2, of: 2 });
    expect(result.mistakes[0]).toMatchObject({ kind: 'error', reason: 'down' });
  });

  it('has Wilson intervals', () => {
    // Wilson (1927); values as in Newcombe (1998), table I: 81 of 263, and 0 of 20.
    expect(shareOf(81, 263).low).toBeCloseTo(0.2553, 4);
    expect(shareOf(81, 263).high).toBeCloseTo(0.3662, 4);
    expect(shareOf(0, 20)).toMatchObject({ low: 0, high: expect.closeTo(0.1611, 4) });
    expect(shareOf(0, 0)).toMatchObject({ share: null, low: 0, high: 1 });
  });
});
