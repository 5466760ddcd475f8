import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/llm/admission/ledger.js';
import type { Wait } from '../../src/llm/admission/pace.js';
import { openAnswerStore } from '../../src/llm/answer-store.js';
import { type AskWait, createAsk, createAttempt } from '../../src/llm/ask.js';
import type { Answer, Ask, LlmClient, LlmRequest } from '../../src/llm/client.js';
import { createClient } from '../../src/llm/clients/create-client.js';
import { isRetryable, LlmError } from '../../src/llm/errors.js';
import { type ModelSpec, parsePlannerSpec } from '../../src/llm/planner-spec.js';
import { estimateInput } from '../../src/llm/request-key.js';
import { temporaryDirectory } from '../temporary-directory.js';
import { answer } from './scripted-models.js';
import { startChatServer } from './servers/chat-completions.js';
import type { Behaviour } from './servers/wire-server.js';

const request = (content: string, model = 'gpt-4o'): LlmRequest => ({
  model,
  messages: [{ role: 'user', content }],
  maxOutputTokens: 100,
});
const fine: Behaviour = { kind: 'answer', text: 'fine' };

/** A server of chat completions, and its client as the command line makes it. */
async function serve(behave: (n: number) => Behaviour, settings = '') {
  const server = await startChatServer((_, n) => behave(n));
  const spec = parsePlannerSpec(`openai-compatible:gpt-4o@${server.url}/v1${settings}`);
  return { server, client: await createClient(spec as ModelSpec, {}) };
}

const INPUT = 11;
const OUTPUT = 7;
const COST = (INPUT * 2.5 + OUTPUT * 10) / 1e6;

describe('an attempt', () => {
  it('sends the request, and prices the answer', async () => {
    const { client } = await serve(() => fine);
    const ledger = openLedger();
    const ask = createAttempt({ client, admission: ledger.admissionOf('a') });
    const answer = await ask(request('a'), { replicate: 0 });
    expect(answer).toMatchObject({ text: 'fine', usd: COST, stored: false });
    expect(await ask(request('a', 'local'), { replicate: 0 })).toMatchObject({ usd: null });
    expect(ledger.spent()).toMatchObject({
      answers: 2,
      tokens: { input: 2 * INPUT, output: 2 * OUTPUT, estimated: false },
      usd: null,
    });
  });

  it('sends a request once if it can store the answer, and never again', async () => {
    const { client, server } = await serve(() => fine);
    const directory = temporaryDirectory();
    const store = openAnswerStore(directory, 'openai:gpt-4o');
    const ask = createAttempt({ client, store });
    const both = await Promise.all([0, 0, 1].map((replicate) => ask(request('a'), { replicate })));
    expect(server.requests).toHaveLength(2);
    expect(both.map(({ stored }) => stored)).toEqual([false, true, false]);

    const ledger = openLedger({ budget: { tokens: 0, usd: 0, seconds: 0 } });
    const replay = createAttempt({ client: null, store, admission: ledger.admissionOf('a') });
    const again = await replay(request('a'), { replicate: 1 });
    expect(again).toEqual({ ...both[2], stored: true });
    expect(ledger.spent().answers).toBe(0);
    await expect(replay(request('b'), { replicate: 0 })).rejects.toMatchObject({
      code: 'MissingAnswer',
    });
  });

  it('sends an equal request again if the first one fails', async () => {
    const { client, server } = await serve((n) => (n === 0 ? { kind: 'reset' } : fine));
    const store = openAnswerStore(temporaryDirectory(), 'openai:gpt-4o');
    const ask = createAttempt({ client, store });
    const [first, second] = await Promise.allSettled(
      [0, 0].map((replicate) => ask(request('a'), { replicate })),
    );
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'Connection' } });
    expect(second).toMatchObject({ value: { stored: false } });
    expect(server.requests).toHaveLength(2);
  });

  it('is single, and the next one waits for as long as the provider asks', async () => {
    const { client, server } = await serve((n) =>
      n === 0 ? { kind: 'error', status: 429, headers: { 'retry-after': '30' } } : fine,
    );
    const waits: Wait[] = [];
    const clock = virtualClock();
    const ledger = openLedger({ clock, onWait: (_, wait) => waits.push(wait) });
    const admission = ledger.admissionOf('a');
    const ask = createAttempt({ client, admission });
    const error = await ask(request('a'), { replicate: 0 }).catch((error) => error);
    expect(error).toMatchObject({ code: 'RateLimited', retryAfterSeconds: 30 });
    expect(isRetryable(error)).toBe(true);
    expect(server.requests).toHaveLength(1);
    await createAttempt({ client, admission })(request('b'), { replicate: 0 });
    expect(waits).toEqual([{ reason: 'rate limited', seconds: 30 }]);
    expect(clock.now()).toBe(30_000);
  });

  it('is made for every request in a storm of rate limits, few at once', async () => {
    const answered = new Set<number>();
    const { client, server } = await serve((n) =>
      n < 24 && n % 3 !== 0 ? { kind: 'error', status: 429 } : fine,
    );
    const ask = createAttempt({
      client,
      admission: openLedger({
        limits: { concurrency: 8 },
        clock: virtualClock(),
      }).admissionOf('a'),
    });
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        while (!answered.has(i)) {
          await ask(request(`${i}`), { replicate: 0 }).then(
            () => answered.add(i),
            (error) => expect(error.code).toBe('RateLimited'),
          );
        }
      }),
    );
    expect(answered.size).toBe(20);
    expect(server.requests).toHaveLength(20 + 16);
    expect(server.busiest).toBeLessThanOrEqual(8);
  });

  it('is refused once the budget is spent', async () => {
    const { client, server } = await serve(() => fine);
    const ledger = openLedger({ budget: { tokens: 3 * (INPUT + OUTPUT) } });
    const ask = createAttempt({ client, admission: ledger.admissionOf('a') });
    const ends: string[] = [];
    for (let i = 0; i < 6; i++) {
      await ask(request(`question ${i}`), { replicate: 0 }).then(
        () => ends.push('answered'),
        (error) => ends.push(error.code),
      );
    }
    expect(ends.filter((end) => end === 'answered')).toHaveLength(server.requests.length);
    expect(ends.slice(-2)).toEqual(['BudgetSpent', 'BudgetSpent']);
    expect(ledger.spent().tokens.input).toBe(server.requests.length * INPUT);
    expect(server.requests.length).toBeGreaterThan(1);
  });

  it('needs a price if the budget is in dollars', async () => {
    const { client, server } = await serve(() => fine);
    const ask = createAttempt({
      client,
      admission: openLedger({ budget: { usd: 1 } }).admissionOf('a'),
    });
    await expect(ask(request('a', 'local'), { replicate: 0 })).rejects.toMatchObject({
      code: 'no_price',
    });
    expect(server.requests).toHaveLength(0);
    expect(await ask(request('a'), { replicate: 0 })).toMatchObject({ usd: COST });
  });

  it('does not wait past the deadline of the budget', async () => {
    const clock = virtualClock();
    const { client } = await serve(() => fine);
    const limits = { requestsPerMinute: 1 };
    const ledger = openLedger({ budget: { seconds: 30 }, limits, clock });
    const ask = createAttempt({ client, admission: ledger.admissionOf('a') });
    await ask(request('a'), { replicate: 0 });
    await expect(ask(request('b'), { replicate: 0 })).rejects.toMatchObject({
      code: 'BudgetSpent',
    });
    expect(clock.now()).toBe(0);
  });

  it('counts unreadable answers that the provider may charge', async () => {
    const behaviours: Behaviour[] = [
      { kind: 'truncated' },
      { kind: 'error', status: 500 },
      { kind: 'hang', after: 'half' },
    ];
    const ledger = openLedger({ clock: virtualClock() });
    const codes: string[] = [];
    for (const behaviour of behaviours) {
      const settings = behaviour.kind === 'hang' ? '#timeout=0.05' : '';
      const { client } = await serve(() => behaviour, settings);
      const ask = createAttempt({ client, admission: ledger.admissionOf('a') });
      await ask(request('a'), { replicate: 0 }).catch((error) => codes.push(error.code));
    }
    expect(codes).toEqual(['BadResponse', 'ServerError', 'Timeout']);
    expect(ledger.spent()).toMatchObject({
      answers: 2,
      tokens: { input: 2 * estimateInput(request('a')), output: 0, estimated: true },
    });
  });

  it('releases its place in the line when it is aborted', async () => {
    const never: LlmClient = {
      complete: (_, { signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const admission = openLedger({ limits: { concurrency: 1 } }).admissionOf('a');
    const controller = new AbortController();
    const waiting = createAttempt({ client: never, admission });
    const asking = waiting(request('a'), { replicate: 0, signal: controller.signal });
    const { client } = await serve(() => fine);
    const next: Promise<Answer> = createAttempt({ client, admission })(request('b'), {
      replicate: 0,
    });
    controller.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
    await expect(next).resolves.toMatchObject({ text: 'fine' });
  });
});

/** Fails with these errors, one after the other, and then answers. */
function failing(...errors: Error[]): { attempt: Ask; calls: () => number } {
  let calls = 0;
  const attempt: Ask = async (asked) => {
    const error = errors[calls++];
    if (error !== undefined) throw error;
    return answer('done', asked);
  };
  return { attempt, calls: () => calls };
}

const limited = () => new LlmError('RateLimited', 'too fast', undefined, 7);

describe('a request', () => {
  const context = { replicate: 0 };

  it('is retried with growing waits, and its log holds all attempts', async () => {
    const clock = virtualClock();
    const waits: AskWait[] = [];
    const entries: [string, object][] = [];
    const { attempt, calls } = failing(limited(), new LlmError('ServerError', 'down'), limited());
    const ask = createAsk(attempt, {
      log: (event, payload) => entries.push([event, payload]),
      onWait: (wait) => waits.push(wait),
      clock,
    });
    expect(await ask(request('plan'), context)).toMatchObject({ text: 'done' });
    expect(calls()).toBe(4);
    expect(waits.map(({ reason }) => reason.split(':')[0])).toEqual([
      'RateLimited',
      'ServerError',
      'RateLimited',
    ]);
    const seconds = waits.map((wait) => wait.seconds);
    expect(clock.now()).toBeCloseTo(1000 * seconds.reduce((sum, each) => sum + each, 0), 0);
    seconds.forEach((each, i) => {
      expect(each).toBeGreaterThanOrEqual(0.25 * 2 ** i);
      expect(each).toBeLessThanOrEqual(0.5 * 2 ** i);
    });
    expect(entries.map(([event]) => event)).toEqual(['Request', ...Array(4).fill('Response')]);
    expect(entries[0][1]).toMatchObject({ request: 1, replicate: 0, ...request('plan') });
    expect(entries[1][1]).toMatchObject({ attempt: 1, error: { code: 'RateLimited' } });
    expect(entries[4][1]).toMatchObject({ attempt: 4, answer: { text: 'done' } });
  });

  it('fails with the error of its last attempt', async () => {
    const clock = virtualClock();
    const last = limited();
    const { attempt, calls } = failing(limited(), last);
    const asked = createAsk(attempt, { attempts: 2, clock })(request('a'), context);
    await expect(asked).rejects.toBe(last);
    expect(calls()).toBe(2);
    const final = new LlmError('Unauthorized', 'no');
    const refused = failing(final);
    await expect(createAsk(refused.attempt, { clock })(request('a'), context)).rejects.toBe(final);
    expect(refused.calls()).toBe(1);
  });

  it('ends with the reason of its signal, in an attempt or in a wait', async () => {
    const hanging: Ask = () => new Promise(() => {});
    for (const attempt of [hanging, failing(limited()).attempt]) {
      const controller = new AbortController();
      const { signal } = controller;
      const asked = createAsk(attempt)(request('a'), { ...context, signal });
      setImmediate(() => controller.abort(new Error('enough')));
      await expect(asked).rejects.toThrow('enough');
    }
  });
});

describe('isRetryable', () => {
  it('distinguishes transient errors from permanent ones', () => {
    expect(isRetryable(new LlmError('Timeout', 'x'))).toBe(true);
    expect(isRetryable(new LlmError('ContextTooLong', 'x'))).toBe(false);
    expect(isRetryable(new Error('Timeout'))).toBe(false);
  });
});
