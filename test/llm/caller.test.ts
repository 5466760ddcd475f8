import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../src/core/virtual-clock.js';
import type { Wait } from '../../src/llm/admission/pace.js';
import { openAnswerStore } from '../../src/llm/answer-store.js';
import { createBudget } from '../../src/llm/budget.js';
import { createCaller } from '../../src/llm/caller.js';
import type { Answer, LlmClient, LlmRequest } from '../../src/llm/client.js';
import { createClient } from '../../src/llm/clients/create-client.js';
import { isRetryable, LlmError } from '../../src/llm/errors.js';
import { createLimiter } from '../../src/llm/limiter.js';
import { type ModelSpec, parsePlannerSpec } from '../../src/llm/planner-spec.js';
import { estimateInput } from '../../src/llm/request-key.js';
import { temporaryDirectory } from '../temporary-directory.js';
import { startChatServer } from './servers/chat-completions.js';
import type { Behaviour } from './servers/wire-server.js';

const request = (content: string, model = 'gpt-4o'): LlmRequest => ({
  model,
  messages: [{ role: 'user', content }],
  maxOutputTokens: 100,
});
const fine: Behaviour = { kind: 'answer', text: 'fine' };

/** A server of chat completions and the client that the command line would make for it. */
async function serve(behave: (n: number) => Behaviour, settings = '') {
  const server = await startChatServer((_, n) => behave(n));
  const spec = parsePlannerSpec(`openai-compatible:gpt-4o@${server.url}/v1${settings}`);
  return { server, client: await createClient(spec as ModelSpec, {}) };
}

const INPUT = 11;
const OUTPUT = 7;
const COST = (INPUT * 2.5 + OUTPUT * 10) / 1e6;

describe('a caller', () => {
  it('asks, and tells what it cost', async () => {
    const { client } = await serve(() => fine);
    const budget = createBudget();
    const ask = createCaller({ client, budget });
    const answer = await ask(request('a'), { replicate: 0 });
    expect(answer).toMatchObject({ text: 'fine', usd: COST, stored: false });
    expect(await ask(request('a', 'local'), { replicate: 0 })).toMatchObject({ usd: null });
    expect(budget.spent()).toMatchObject({
      answers: 2,
      tokens: { input: 2 * INPUT, output: 2 * OUTPUT, estimated: false },
      usd: null,
    });
  });

  it('asks once for what it can store, and nothing at all a second time', async () => {
    const { client, server } = await serve(() => fine);
    const directory = temporaryDirectory();
    const store = openAnswerStore(directory, 'openai:gpt-4o');
    const ask = createCaller({ client, store });
    const both = await Promise.all([0, 0, 1].map((replicate) => ask(request('a'), { replicate })));
    expect(server.requests).toHaveLength(2);
    expect(both.map(({ stored }) => stored)).toEqual([false, true, false]);

    const budget = createBudget({ tokens: 0, usd: 0, seconds: 0 });
    const replay = createCaller({ client: null, store, budget });
    const again = await replay(request('a'), { replicate: 1 });
    expect(again).toEqual({ ...both[2], stored: true });
    expect(budget.spent().answers).toBe(0);
    await expect(replay(request('b'), { replicate: 0 })).rejects.toMatchObject({
      code: 'MissingAnswer',
    });
  });

  it('asks again for what failed, one after the other', async () => {
    const { client, server } = await serve((n) => (n === 0 ? { kind: 'reset' } : fine));
    const store = openAnswerStore(temporaryDirectory(), 'openai:gpt-4o');
    const ask = createCaller({ client, store });
    const [first, second] = await Promise.allSettled(
      [0, 0].map((replicate) => ask(request('a'), { replicate })),
    );
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'Connection' } });
    expect(second).toMatchObject({ value: { stored: false } });
    expect(server.requests).toHaveLength(2);
  });

  it('makes one attempt, and holds the next one back for as long as the provider asks', async () => {
    const { client, server } = await serve((n) =>
      n === 0 ? { kind: 'error', status: 429, headers: { 'retry-after': '30' } } : fine,
    );
    const waits: Wait[] = [];
    const clock = virtualClock();
    const limiter = createLimiter({ clock, onWait: (wait) => waits.push(wait) });
    const ask = createCaller({ client, limiter });
    const error = await ask(request('a'), { replicate: 0 }).catch((error) => error);
    expect(error).toMatchObject({ code: 'RateLimited', retryAfterSeconds: 30 });
    expect(isRetryable(error)).toBe(true);
    expect(server.requests).toHaveLength(1);
    await createCaller({ client, limiter })(request('b'), { replicate: 0 });
    expect(waits).toEqual([{ reason: 'rate limited', seconds: 30 }]);
    expect(clock.now()).toBe(30_000);
  });

  it('gets everyone through a storm of rate limits, with few at once', async () => {
    const answered = new Set<number>();
    const { client, server } = await serve((n) =>
      n < 24 && n % 3 !== 0 ? { kind: 'error', status: 429 } : fine,
    );
    const ask = createCaller({
      client,
      limiter: createLimiter({ concurrency: 8, clock: virtualClock() }),
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

  it('asks nothing more when the budget is spent', async () => {
    const { client, server } = await serve(() => fine);
    const budget = createBudget({ tokens: 3 * (INPUT + OUTPUT) });
    const ask = createCaller({ client, budget });
    const ends: string[] = [];
    for (let i = 0; i < 6; i++) {
      await ask(request(`question ${i}`), { replicate: 0 }).then(
        () => ends.push('answered'),
        (error) => ends.push(error.code),
      );
    }
    expect(ends.filter((end) => end === 'answered')).toHaveLength(server.requests.length);
    expect(ends.slice(-2)).toEqual(['BudgetSpent', 'BudgetSpent']);
    expect(budget.spent().tokens.input).toBe(server.requests.length * INPUT);
    expect(server.requests.length).toBeGreaterThan(1);
  });

  it('wants a price where the budget is in dollars, before it asks', async () => {
    const { client, server } = await serve(() => fine);
    const ask = createCaller({ client, budget: createBudget({ usd: 1 }) });
    await expect(ask(request('a', 'local'), { replicate: 0 })).rejects.toMatchObject({
      code: 'no_price',
    });
    expect(server.requests).toHaveLength(0);
    expect(await ask(request('a'), { replicate: 0 })).toMatchObject({ usd: COST });
  });

  it('does not wait for a time when the budget is over', async () => {
    const clock = virtualClock();
    const { client } = await serve(() => fine);
    const limiter = createLimiter({ requestsPerMinute: 1, clock });
    const ask = createCaller({ client, limiter, budget: createBudget({ seconds: 30 }, clock) });
    await ask(request('a'), { replicate: 0 });
    await expect(ask(request('b'), { replicate: 0 })).rejects.toMatchObject({
      code: 'BudgetSpent',
    });
    expect(clock.now()).toBe(0);
  });

  it('counts what a provider may charge for although nobody could read it', async () => {
    const behaviours: Behaviour[] = [
      { kind: 'truncated' },
      { kind: 'error', status: 500 },
      { kind: 'hang', after: 'half' },
    ];
    const budget = createBudget();
    const limiter = createLimiter({ clock: virtualClock() });
    const codes: string[] = [];
    for (const behaviour of behaviours) {
      const settings = behaviour.kind === 'hang' ? '#timeout=0.05' : '';
      const { client } = await serve(() => behaviour, settings);
      const ask = createCaller({ client, budget, limiter });
      await ask(request('a'), { replicate: 0 }).catch((error) => codes.push(error.code));
    }
    expect(codes).toEqual(['BadResponse', 'ServerError', 'Timeout']);
    expect(budget.spent()).toMatchObject({
      answers: 2,
      tokens: { input: 2 * estimateInput(request('a')), output: 0, estimated: true },
    });
  });

  it('gives its place in the line back when it is aborted', async () => {
    const never: LlmClient = {
      complete: (_, { signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const limiter = createLimiter({ concurrency: 1 });
    const controller = new AbortController();
    const waiting = createCaller({ client: never, limiter });
    const asking = waiting(request('a'), { replicate: 0, signal: controller.signal });
    const { client } = await serve(() => fine);
    const next: Promise<Answer> = createCaller({ client, limiter })(request('b'), { replicate: 0 });
    controller.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
    await expect(next).resolves.toMatchObject({ text: 'fine' });
  });
});

describe('isRetryable', () => {
  it('tells errors that may pass from those that stay', () => {
    expect(isRetryable(new LlmError('Timeout', 'x'))).toBe(true);
    expect(isRetryable(new LlmError('ContextTooLong', 'x'))).toBe(false);
    expect(isRetryable(new Error('Timeout'))).toBe(false);
  });
});
