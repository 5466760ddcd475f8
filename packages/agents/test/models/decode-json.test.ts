import { decodeJson } from '@alas-jssp/agents';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const verdict = z.strictObject({ ok: z.boolean(), reason: z.string().optional() });

const GOOD: Readonly<Record<string, string>> = {
  'plain JSON': '{"ok": true, "reason": "fine"}',
  'a code fence': 'Here it is:\n```json\n{"ok": true, "reason": "fine"}\n```\nThat is all.',
  'prose with braces around it': 'I use {braces} and {}.\n{"ok": true, "reason": "fine"} Done {x}.',
  'trailing commas': '{"ok": true, "reason": "fine",}',
  'single quotes': "{'ok': True, 'reason': 'fine'}",
  comments: '{"ok": true, // because\n "reason": "fine" /* yes */}',
  'thoughts before it': '<think>{"ok": false}</think>{"ok": true, "reason": "fine"}',
  'the same object twice': '{"ok": true, "reason": "fine"}\n{"reason": "fine", "ok": true}',
  'an example of another form before it': 'Like {"a": 1}: {"ok": true, "reason": "fine"}',
};

it.each(Object.entries(GOOD))('reads %s', (_, text) => {
  expect(decodeJson(text, verdict)).toEqual({ ok: true, value: { ok: true, reason: 'fine' } });
});

const BAD: Readonly<Record<string, readonly [string, RegExp]>> = {
  'a cut-off object': ['{"ok": true, "reason": "fi', /cut off/],
  'a cut-off object with a complete one inside': ['{"verdict": {"ok": true}, "more": [', /cut off/],
  'a broken object with a good one inside': ['{"x": {"ok": true} "y": 1}', /',' or '}' is missing/],
  prose: ['I cannot do that.', /no JSON object/],
  nothing: ['', /no JSON object/],
  'two different objects': ['{"ok": true} or {"ok": false}', /2 different objects/],
  'another form': ['{"ok": "yes", "note": 1}', /\$\.ok.*note/],
  'a key twice': ['{"ok": true, "ok": false}', /"ok" only once/],
  'an ambiguous single quote': ["{'ok': true, 'reason': 'the dogs' bones'}", /is missing/],
};

it.each(Object.entries(BAD))('refuses %s in one line', (_, [text, problem]) => {
  const decoded = decodeJson(text, verdict);
  expect(decoded).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  expect((decoded as { problem: string }).problem).not.toContain('\n');
});

it('keeps apostrophes in single quotes', () => {
  const decoded = decodeJson("{'ok': true, 'reason': 'it doesn't fit'}", verdict);
  expect(decoded).toEqual({ ok: true, value: { ok: true, reason: "it doesn't fit" } });
});

it('reads null as absent where the schema allows absence only', () => {
  expect(decodeJson('{"ok": true, "reason": null}', verdict)).toEqual({
    ok: true,
    value: { ok: true },
  });
});

describe('with a JSON Schema', () => {
  const schema = {
    type: 'object',
    properties: { amount: { type: 'number' }, note: { type: 'string' } },
    required: ['amount'],
    additionalProperties: false,
  };
  it('checks the value', () => {
    expect(decodeJson('{"amount": 3, "note": null}', schema)).toEqual({
      ok: true,
      value: { amount: 3 },
    });
    expect(decodeJson('{"amount": "3"}', schema)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/amount/),
    });
  });
});

describe('any JSON object', () => {
  const anything = z.record(z.string(), z.json());
  const object = fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
    .filter(
      (value) => !Object.hasOwn(value, '__proto__') && !JSON.stringify(value).includes('__proto__'),
    );
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(object, (value) => {
        const text = `Sure!\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
        expect(decodeJson(text, anything)).toEqual({
          ok: true,
          value: JSON.parse(JSON.stringify(value)),
        });
      }),
    );
  });
  it('is refused wherever it is cut off', () => {
    fc.assert(
      fc.property(object, fc.double({ min: 0, max: 1, noNaN: true }), (value, share) => {
        const text = JSON.stringify(value);
        const cut = text.slice(0, Math.floor(share * (text.length - 1)));
        expect(decodeJson(cut, anything).ok).toBe(false);
      }),
    );
  });
});

it('takes linear time for a long run of braces', () => {
  expect(decodeJson('{'.repeat(20_000), verdict).ok).toBe(false);
  expect(decodeJson('{"a":'.repeat(20_000), verdict).ok).toBe(false);
});
