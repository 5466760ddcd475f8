import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { openAnswerStore, recordedPlanners } from '../../src/llm/answer-store.js';
import type { Answer, LlmRequest } from '../../src/llm/client.js';
import { requestKey } from '../../src/llm/request-key.js';
import { temporaryDirectory } from '../temporary-directory.js';

const request: LlmRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'Plan ft06.' }],
  maxOutputTokens: 100,
};
const answer: Answer = {
  text: 'Job1 … "so"\ud800',
  finish: 'stop',
  tokens: { input: 3, output: 2, estimated: false },
  model: 'm-1',
  requestId: null,
  seconds: 1.25,
  usd: 0.001,
  stored: false,
};

describe('requestKey', () => {
  it('tells every difference of a request, and no other', () => {
    const key = requestKey(request, 0);
    expect(key).toMatch(/^[\da-f]{64}$/);
    const { model, messages } = request;
    expect(requestKey({ maxOutputTokens: 100, messages, model, seed: undefined }, 0)).toBe(key);
    const others = [
      requestKey(request, 1),
      requestKey({ ...request, model: 'n' }, 0),
      requestKey({ ...request, temperature: 0 }, 0),
      requestKey({ ...request, seed: 0 }, 0),
      requestKey({ ...request, maxOutputTokens: 101 }, 0),
      requestKey({ ...request, shape: { name: 's', schema: {} } }, 0),
      requestKey({ ...request, messages: [{ role: 'system', content: 'Plan ft06.' }] }, 0),
    ];
    expect(new Set([key, ...others]).size).toBe(others.length + 1);
  });
});

describe('openAnswerStore', () => {
  it('gives an answer back as it was, with what it cost then', () => {
    const directory = join(temporaryDirectory(), 'deep', 'answers');
    const store = openAnswerStore(directory, 'openai:m');
    expect(store.find(request, 0)).toBe(null);
    store.keep(request, 0, answer);
    const again = openAnswerStore(directory, 'openai:m#attempts=2');
    expect(again.find(request, 0)).toEqual({ ...answer, stored: true });
    expect(again.find(request, 1)).toBe(null);
  });

  it('names the file that is damaged', () => {
    const directory = temporaryDirectory();
    const store = openAnswerStore(directory, 'openai:m');
    store.keep(request, 0, answer);
    const file = join(directory, `${requestKey(request, 0)}.json`);
    const text = readFileSync(file, 'utf8');
    const message = (content: string) => {
      writeFileSync(file, content);
      try {
        return String(store.find(request, 0));
      } catch (error) {
        return (error as Error).message;
      }
    };
    const hint = 'remove the file, and it is asked again';
    expect(message(text.slice(0, 100))).toMatch(
      new RegExp(`^${file}:3: .* is not JSON here; ${hint}$`),
    );
    expect(message(text.replace('"stop"', '"stopped"'))).toContain(`${file}:$.answer.finish`);
    expect(message(text.replace('ft06', 'ft10'))).toContain('the request in it is another');
    expect(message(text)).toBe('[object Object]');
  });

  it('says what is missing, and what to do', () => {
    const error = openAnswerStore('cassettes', 'openai:m').missing(request, 3);
    expect(error).toMatchObject({ code: 'MissingAnswer', value: requestKey(request, 3) });
    expect(error.message).toContain(requestKey(request, 3));
    expect(error.message).toMatch(/is in cassettes, of 'openai:m' .*replicate 3.*--record/);
  });

  it('lists the planners that were recorded', () => {
    const directory = temporaryDirectory();
    expect(() => recordedPlanners(directory)).toThrow('no answers are recorded here');
    openAnswerStore(directory, 'openai:b').keep(request, 0, answer);
    openAnswerStore(directory, 'openai:a#format=csv').keep(request, 0, answer);
    openAnswerStore(directory, 'openai:silent');
    expect(recordedPlanners(directory)).toEqual(['openai:a#format=csv', 'openai:b']);
  });

  it('takes several writers at once', async () => {
    const directory = temporaryDirectory();
    const code = `
      const { workerData } = require('node:worker_threads');
      import(workerData.module).then(({ openAnswerStore }) => {
        const store = openAnswerStore(workerData.directory, 'openai:m');
        const { request, answer } = workerData;
        for (let i = 0; i < 60; i++) {
          store.keep(request, i % 3, { ...answer, text: 'x'.repeat(20000) });
          if (store.find(request, i % 3).text.length !== 20000) throw new Error('torn');
        }
      });`;
    const module = new URL('../../dist/llm/answer-store.js', import.meta.url).href;
    const ends = Array.from({ length: 3 }, () => {
      const worker = new Worker(code, {
        eval: true,
        workerData: { module, directory, request, answer },
      });
      return new Promise((resolve, reject) => worker.on('exit', resolve).on('error', reject));
    });
    expect(await Promise.all(ends)).toEqual([0, 0, 0]);
    expect(readdirSync(directory)).toHaveLength(4);
  });
});

test('whatever text a model answers is kept', () => {
  const store = openAnswerStore(temporaryDirectory(), 'openai:m');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      store.keep(request, 0, { ...answer, text });
      expect(store.find(request, 0)?.text).toBe(text);
    }),
    { numRuns: 20 },
  );
});
