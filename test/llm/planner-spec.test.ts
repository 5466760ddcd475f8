import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  FORMATS,
  formatPlannerSpec,
  isModelSpec,
  type ModelSpec,
  parsePlannerSpec,
  type ReplaySpec,
  TOPOLOGIES,
} from '../../src/llm/planner-spec.js';

const DEFAULTS = {
  topology: 'single',
  format: 'sequences',
  maxOutputTokens: 16_384,
  contextTokens: 128_000,
  structured: true,
  timeoutSeconds: 600,
  attempts: 5,
};

describe('parsePlannerSpec', () => {
  it('reads provider, model, URL and settings', () => {
    expect(parsePlannerSpec('openai:gpt-4o')).toEqual({
      provider: 'openai',
      model: 'gpt-4o',
      settings: DEFAULTS,
    });
    expect(
      parsePlannerSpec(
        'openai-compatible:org/qwen3:8b@q4@http://127.0.0.1:8080/v1/#topology=crew, format=csv,' +
          'temperature=0.2,top-p=0.9,seed=-1,max-output=100,context=2048,structured=no,timeout=0.5,attempts=1,effort=high,prompt=a=b#c.txt',
      ),
    ).toEqual({
      provider: 'openai-compatible',
      model: 'org/qwen3:8b@q4',
      url: 'http://127.0.0.1:8080/v1',
      settings: {
        topology: 'crew',
        format: 'csv',
        temperature: 0.2,
        topP: 0.9,
        seed: -1,
        maxOutputTokens: 100,
        contextTokens: 2048,
        structured: false,
        timeoutSeconds: 0.5,
        attempts: 1,
        effort: 'high',
        prompt: 'a=b#c.txt',
      },
    });
    expect(() => parsePlannerSpec('anthropic:m#effort=none')).toThrow('low, medium, high');
  });

  it('leaves half of a small context to the prompt', () => {
    const { settings } = parsePlannerSpec('openai:m#context=2049') as ModelSpec;
    expect(settings.maxOutputTokens).toBe(1025);
  });

  it('reads replays, of a planner or of whatever was recorded', () => {
    expect(parsePlannerSpec('replay:a/b')).toEqual({
      provider: 'replay',
      directory: 'a/b',
      spec: null,
    });
    expect(parsePlannerSpec('replay:a#anthropic:claude#format=csv')).toEqual({
      provider: 'replay',
      directory: 'a',
      spec: parsePlannerSpec('anthropic:claude#format=csv'),
    });
  });

  it.each([
    ['opnai:gpt-4o', 'did you mean openai'],
    ['openai:', 'no model is named; write openai:MODEL'],
    ['openai:m@http://x/v1', 'openai takes no URL; write openai:MODEL, or openai-compatible'],
    ['openai-compatible:m', 'the model or the URL of the server is missing'],
    ['openai-compatible:m@ftp://x', 'the model or the URL of the server is missing'],
    ['openai-compatible:m@http://:x', "'http://:x' is no URL"],
    ['openai-compatible:m@http://u:secret@h/v1', 'must not hold a user, a password or a query'],
    ['openai-compatible:m@http://h/v1?key=secret', 'must not hold a user, a password or a query'],
    ['openai:m#topolgy=crew', "there is no setting 'topolgy'; did you mean topology?"],
    ['openai:m#', "there is no setting ''"],
    [
      'openai:m#topology=team',
      "'topology=team' is not understood; topology is one of single, group-chat",
    ],
    [
      'openai:m#temperature=hot',
      "'temperature=hot' is not understood; temperature is a number from 0 to 2",
    ],
    ['openai:m#temperature=', 'temperature is a number from 0 to 2'],
    ['openai:m#seed=1.5', 'seed is an integer'],
    ['openai:m#attempts=0', 'attempts is a whole number from 1'],
    ['openai:m#structured=maybe', 'structured is yes or no'],
    ['openai:m#seed=1,seed=2', "'seed' is set twice"],
    [
      'openai:m#context=100,max-output=100',
      'max-output=100 leaves no room for a prompt in context=100',
    ],
    ['replay:', 'no directory is named; write replay:DIR'],
    ['replay:a#replay:b', "'replay:b' is a replay itself"],
  ])('says what is wrong with %s', (spec, message) => {
    let error: unknown;
    try {
      parsePlannerSpec(spec);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toContain(message);
    expect(`${error} ${(error as InputError).value}`).not.toContain('secret');
  });
});

const settings = fc
  .record(
    {
      topology: fc.constantFrom(...TOPOLOGIES),
      format: fc.constantFrom(...FORMATS),
      temperature: fc.double({ min: 0, max: 2, noNaN: true }).map(Math.abs),
      topP: fc.double({ min: 0.01, max: 1, noNaN: true }),
      seed: fc.maxSafeInteger(),
      maxOutputTokens: fc.integer({ min: 1, max: 5000 }),
      contextTokens: fc.integer({ min: 5001, max: 1e6 }),
      structured: fc.boolean(),
      timeoutSeconds: fc.double({ min: 0.001, max: 86400, noNaN: true }),
      attempts: fc.integer({ min: 1, max: 99 }),
    },
    {
      requiredKeys: [
        'topology',
        'format',
        'maxOutputTokens',
        'contextTokens',
        'structured',
        'timeoutSeconds',
        'attempts',
      ],
    },
  )
  .map((found) => ({ ...found, seed: found.seed === 0 ? 0 : found.seed }));
const model = fc.stringMatching(/^[a-z][\w.:/-]{0,20}$/);
const spec = fc.oneof(
  fc.record({ provider: fc.constantFrom('openai', 'anthropic'), model, settings }),
  fc.record({
    provider: fc.constant('openai-compatible'),
    model,
    url: fc.constantFrom('http://127.0.0.1:80/v1', 'https://h.example'),
    settings,
  }),
) as fc.Arbitrary<ModelSpec>;
const replay = fc.record({
  provider: fc.constant('replay'),
  directory: fc.stringMatching(/^[\w./ -]+$/),
  spec: fc.option(spec),
}) as fc.Arbitrary<ReplaySpec>;

test('what is written reads the same again', () => {
  fc.assert(
    fc.property(fc.oneof(spec, replay), (one) => {
      const text = formatPlannerSpec(one);
      expect(isModelSpec(text)).toBe(true);
      expect(parsePlannerSpec(text)).toEqual(one);
    }),
  );
  expect(formatPlannerSpec(parsePlannerSpec('openai:m#attempts=5,context=2048'))).toBe(
    'openai:m#context=2048',
  );
  expect(isModelSpec('dispatch:mwkr')).toBe(false);
});
