import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CASSETTE_SCHEMA,
  openModel,
  playCassette,
  recordCassette,
  requireModelSpec,
} from '@alas-jssp/agents';
import { openLedger } from 'alas-jssp/llm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'models-'));
afterAll(() => rmSync(directory, { recursive: true }));

const handwritten = (answers: Record<string, unknown[]>) =>
  ({ schema: CASSETTE_SCHEMA, origin: 'handwritten', model: null, answers }) as never;

function written(name: string, content: unknown): string {
  const file = join(directory, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const request = (key: string) => ({ key, messages: [{ role: 'user', content: 'Go' }] as const });

describe('a cassette', () => {
  it('answers each key in order, and repeats its last answer', async () => {
    const file = written('order.json', handwritten({ a: [{ n: 1 }, 'two'], b: [{ n: 3 }] }));
    const model = await openModel(`cassette:${file}`, { environment: {} });
    const texts = [];
    for (const key of ['a', 'b', 'a', 'a', 'b']) texts.push((await model.ask(request(key))).text);
    expect(texts).toEqual(['{"n":1}', '{"n":3}', 'two', 'two', '{"n":3}']);
  });

  it('gives the answer of the occurrence that a resumed run asks for', async () => {
    const model = playCassette(handwritten({ a: ['one', 'two', 'three'] }), 'memory');
    expect((await model.ask({ ...request('a'), occurrence: 2 })).text).toBe('two');
    expect((await model.ask(request('a'))).text).toBe('three');
  });

  it('estimates tokens, and costs nothing if it is handwritten', async () => {
    const model = playCassette(handwritten({ a: [{ word: 'answer' }] }), 'memory');
    const { tokens, usd, stored } = await model.ask(request('a'));
    expect(tokens.estimated).toBe(true);
    expect(tokens.input).toBeGreaterThan(0);
    expect(tokens.output).toBeGreaterThan(0);
    expect({ usd, stored }).toEqual({ usd: 0, stored: true });
  });

  it('names the missing key, the file and the keys that it has', async () => {
    const model = playCassette(handwritten({ a: [1] }), 'some.json');
    await expect(model.ask(request('toString'))).rejects.toMatchObject({
      code: 'MissingAnswer',
      message: expect.stringMatching(/some\.json has no answer to 'toString'.*keys are a/),
    });
  });

  it('keeps to the budget', async () => {
    const ledger = openLedger({ budget: { tokens: 30 } });
    const model = playCassette(handwritten({ a: ['word '.repeat(40)] }), 'memory', { ledger });
    await model.ask(request('a'));
    await expect(model.ask(request('a'))).rejects.toMatchObject({ code: 'BudgetSpent' });
    expect(ledger.spent().answers).toBe(1);
  });

  it('is refused in one line if the file is none', async () => {
    const file = written('bad.json', { schema: CASSETTE_SCHEMA, origin: 'dreamt' });
    const opened = openModel(`cassette:${file}`, { environment: {} });
    await expect(opened).rejects.toThrow(/bad\.json.*origin.*; write one as/);
  });

  it('reproduces a session that it recorded', async () => {
    const file = join(directory, 'recorded.json');
    const original = playCassette(handwritten({ a: ['x', { y: 1 }], b: ['z'] }), 'memory');
    const model = recordCassette(original, file);
    const keys = ['a', 'b', 'a'];
    const said = [];
    for (const key of keys) said.push((await model.ask(request(key))).text);
    await model.ask(request('missing')).catch(() => {});
    const again = await openModel(`cassette:${file}`, { environment: {} });
    for (const [k, key] of keys.entries()) {
      expect((await again.ask(request(key))).text).toBe(said[k]);
    }
    const content = JSON.parse(readFileSync(file, 'utf8'));
    expect(content).toMatchObject({ origin: 'recorded', model: 'cassette:memory' });
    expect(Object.keys(content.answers)).toEqual(['a', 'b']);
  });

  it('records concurrent requests in their order', async () => {
    const file = join(directory, 'concurrent.json');
    const waits = [20, 1];
    const slow = {
      name: 'slow',
      ask: async () => {
        const wait = waits.shift() as number;
        await new Promise((done) => setTimeout(done, wait));
        const tokens = { input: 1, output: 1, estimated: true };
        return { text: `after ${wait}`, finish: 'stop', tokens, model: 'm' } as never;
      },
    };
    const model = recordCassette(slow, file);
    await Promise.all([model.ask(request('a')), model.ask(request('a'))]);
    const content = JSON.parse(readFileSync(file, 'utf8'));
    expect(content.answers.a).toEqual(['after 20', 'after 1']);
  });
});

describe('a model of a provider', () => {
  const received: Record<string, unknown>[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    received.push(JSON.parse(Buffer.concat(chunks).toString()));
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(
      JSON.stringify({
        id: 'answer-1',
        object: 'chat.completion',
        created: 1,
        model: 'small-1',
        choices: [
          {
            index: 0,
            finish_reason: 'stop',
            message: { role: 'assistant', content: '{"ok":true}' },
          },
        ],
        usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
      }),
    );
  });
  let spec = '';
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    spec = `openai-compatible:small@http://127.0.0.1:${port}/v1`;
  });
  afterAll(() => server.close());

  it('is asked with the settings of its specification, and recorded', async () => {
    const record = join(directory, 'provider.json');
    const answers = join(directory, 'answers');
    const set = `${spec}#temperature=0.5,seed=7,max-output=100`;
    const model = await openModel(set, { environment: {}, record, answers });
    const shape = { name: 'verdict', schema: { type: 'object' } };
    const answer = await model.ask({ ...request('a'), shape, maxOutputTokens: 1000 });
    expect(answer).toMatchObject({ text: '{"ok":true}', tokens: { input: 7, output: 3 } });
    expect(received[0]).toMatchObject({ model: 'small', temperature: 0.5, seed: 7 });
    expect(JSON.stringify(received[0])).toMatch(/"max\w*tokens":100\b/);
    expect(JSON.stringify(received[0])).toContain('"name":"verdict"');

    const again = await openModel(`replay:${answers}`, { environment: {} });
    expect((await again.ask({ ...request('a'), shape, maxOutputTokens: 1000 })).text).toBe(
      answer.text,
    );
    await expect(again.ask(request('b'))).rejects.toMatchObject({ code: 'MissingAnswer' });
    const cassette = await openModel(`cassette:${record}`, { environment: {} });
    expect(await cassette.ask(request('a'))).toMatchObject({ text: answer.text, model: 'small-1' });
    expect(received).toHaveLength(1);
  });

  it('gets no schema if its specification says so', async () => {
    const model = await openModel(`${spec}#structured=no`, { environment: {} });
    const shape = { name: 'verdict', schema: { type: 'object' } };
    await model.ask({ ...request('a'), shape });
    expect(JSON.stringify(received.at(-1))).not.toContain('verdict');
  });

  it('stops with the signal of its opener', async () => {
    const control = new AbortController();
    const model = await openModel(spec, { environment: {}, signal: control.signal });
    control.abort(new Error('enough'));
    await expect(model.ask(request('a'))).rejects.toThrow('enough');
  });

  it('with a budget in dollars needs a price', async () => {
    const opened = openModel(spec, { environment: {}, budget: { usd: 1 } });
    await expect(opened).rejects.toMatchObject({ code: 'no_price' });
  });
});

it.each([
  ['gpt-4o', "'gpt-4o' names no model; write openai:MODEL"],
  ['cassette:', 'no cassette is named; write cassette:FILE'],
  ['openai:gpt-4o#topology=crew', "'topology' is a setting of planners of schedules"],
  ['openai:', 'no model is named'],
])('refuses the specification %s with a hint', (spec, words) => {
  expect(() => requireModelSpec(spec)).toThrow(words);
});

it('lacks a key with a hint of where it belongs', async () => {
  const opened = openModel('openai:gpt-4o', { environment: {} });
  await expect(opened).rejects.toThrow(/OPENAI_API_KEY/);
});
