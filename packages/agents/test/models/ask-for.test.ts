import { askFor, CASSETTE_SCHEMA, type ModelRequest, playCassette } from '@alas-jssp/agents';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { answerSchema, answerShape } from '../../src/models/answer-schema.js';

const schema = z.strictObject({
  ok: z.boolean(),
  note: z.string().min(3).optional(),
  items: z.array(z.union([z.strictObject({ by: z.literal('a') }), z.string()])).default([]),
});

it('sends a schema with every property required and none additional', async () => {
  const asked: ModelRequest[] = [];
  const model = {
    name: 'test',
    ask: async (request: ModelRequest) => {
      asked.push(request);
      const text = '{"ok": true, "note": null, "items": null}';
      return { text, finish: 'stop', tokens: { input: 1, output: 1, estimated: true } } as never;
    },
  };
  const said = await askFor(model, { key: 'a/b', system: 'Judge.', prompt: 'This.', schema });
  expect(said).toMatchObject({ ok: true, value: { ok: true, items: [] } });
  const [{ shape, messages }] = asked;
  expect(shape?.name).toBe('a_b');
  expect(shape?.schema).toMatchObject({
    required: ['ok', 'note', 'items'],
    additionalProperties: false,
    properties: { note: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
  });
  expect(JSON.stringify(shape)).not.toMatch(/minLength|default|oneOf/);
  expect(messages[0].content).toContain('"minLength":3');
});

it('sends plain text if the schema has objects with any keys', () => {
  const open = z.strictObject({ values: z.record(z.string(), z.string()) });
  expect(answerShape(answerSchema(open).json, 'open')).toBeNull();
  expect(answerShape(answerSchema(z.strictObject({ any: z.json() })).json, 'any')).toBeNull();
});

it('refuses answers that are cut off, and repeats the problem with the earlier answer', async () => {
  const answer = (finish: string) => ({
    name: 'test',
    ask: async () =>
      ({ text: '{"ok":true}', finish, tokens: { input: 1, output: 9, estimated: true } }) as never,
  });
  const question = { key: 'a', system: '', prompt: 'This.', schema };
  expect(await askFor(answer('length'), question)).toMatchObject({
    ok: false,
    problem: expect.stringContaining('cut off after 9 tokens'),
  });
  expect(await askFor(answer('refusal'), question)).toMatchObject({ ok: false });
});

it('gives the problem of an earlier answer to the model', async () => {
  let sent: readonly { content: string }[] = [];
  const cassette = playCassette(
    { schema: CASSETTE_SCHEMA, origin: 'handwritten', model: null, answers: { a: [{ ok: true }] } },
    'memory',
  );
  const model = {
    name: 'test',
    ask: (request: ModelRequest) => {
      sent = request.messages;
      return cassette.ask(request);
    },
  };
  const previous = { text: '{"ok":1}', problem: '$.ok: give true or false' };
  await askFor(model, { key: 'a', system: '', prompt: 'This.', schema, previous });
  expect(sent.map(({ content }) => content).slice(1)).toEqual([
    'This.',
    '{"ok":1}',
    expect.stringContaining('$.ok: give true or false'),
  ]);
});
