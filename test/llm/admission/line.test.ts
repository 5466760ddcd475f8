import { virtualClock } from '@alas-jssp/core/virtual-clock';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type LineOptions, openLine } from '../../../src/llm/admission/line.js';
import { newPace, type RequestOutcome, type Wait } from '../../../src/llm/admission/pace.js';

/** A line with a virtual clock, and the requests that it admitted. */
function setUp(options: LineOptions = {}) {
  const clock = virtualClock();
  const waits: Wait[] = [];
  const onWait = (wait: Wait) => waits.push(wait);
  const line = openLine(newPace(options), { ...options, clock, onWait });
  const sent: { at: number; tokens: number; name: number }[] = [];
  let running = 0;
  let busiest = 0;
  /** Sends a request of that duration and outcome; returns the time at which it was sent. */
  const send = async (
    seconds: number,
    outcome: RequestOutcome = ANSWERED,
    tokens = 1,
    name = 0,
  ) => {
    const sending = await line.enter(tokens, {});
    const at = clock.now() / 1000;
    sent.push({ at, tokens, name });
    busiest = Math.max(busiest, ++running);
    await clock.sleep(seconds * 1000);
    running--;
    line.leave(sending, outcome);
    return at;
  };
  return { clock, line, waits, sent, send, busiest: () => busiest };
}

const ANSWERED: RequestOutcome = { kind: 'answered', tokens: 1 };
const limited = (retryAfterSeconds: number | null): RequestOutcome => ({
  kind: 'rate limited',
  retryAfterSeconds,
});
const many = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

describe('a line', () => {
  it('admits at most `concurrency` requests at once, first come, first served', async () => {
    const { send, sent, busiest, waits } = setUp({ concurrency: 3 });
    await many(10, (i) => send(10 - i, ANSWERED, 1, i));
    expect(busiest()).toBe(3);
    expect(sent.map(({ name }) => name)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(waits).toEqual([]);
  });

  it('keeps the requests per minute, and reports the wait', async () => {
    const { send, sent, waits } = setUp({ requestsPerMinute: 2 });
    await many(5, () => send(1));
    expect(sent.map(({ at }) => at)).toEqual([0, 0, 60, 60, 120]);
    expect(waits).toEqual([
      { reason: 'requests per minute', seconds: 60 },
      { reason: 'requests per minute', seconds: 60 },
    ]);
  });

  it('keeps the tokens per minute, by the final usage of answers', async () => {
    const { send, waits } = setUp({ concurrency: 1, tokensPerMinute: 100 });
    expect(await send(1, { kind: 'answered', tokens: 95 }, 10)).toBe(0);
    expect(await send(1, { kind: 'answered', tokens: 10 }, 10)).toBe(60);
    expect(await send(1, ANSWERED, 90)).toBe(61);
    // It exceeds the limit by itself, so it is sent alone.
    expect(await send(1, ANSWERED, 500)).toBe(121);
    expect(waits.map(({ reason }) => reason)).toEqual(['tokens per minute', 'tokens per minute']);
  });

  it('holds all requests back for as long as the provider asks, and halves the concurrency', async () => {
    const { send, sent, waits, busiest } = setUp({ concurrency: 8 });
    await many(8, () => send(1, limited(30)));
    expect(busiest()).toBe(8);
    await many(8, () => send(5));
    const later = sent.slice(8).map(({ at }) => at);
    // Eight concurrent refusals count as one: the concurrency drops to four, and grows again.
    expect(later.slice(0, 5)).toEqual([31, 31, 31, 31, 36]);
    expect(waits).toEqual([{ reason: 'rate limited', seconds: 30 }]);
  });

  it('doubles the pause with each refusal until an answer arrives', async () => {
    const { send } = setUp({ concurrency: 1 });
    const times = [];
    for (const outcome of [limited(null), limited(null), limited(null), ANSWERED]) {
      times.push(await send(0, outcome));
    }
    times.push(await send(0, limited(null)), await send(0));
    expect(times).toEqual([0, 1, 3, 7, 7, 8]);
  });

  it('only pauses after a server error', async () => {
    const { send, sent, waits } = setUp({ concurrency: 4 });
    await many(4, () => send(1, { kind: 'server error', retryAfterSeconds: null }));
    await many(4, () => send(1));
    expect(sent.slice(4).map(({ at }) => at)).toEqual([2, 2, 2, 2]);
    expect(waits).toEqual([{ reason: 'server error', seconds: 1 }]);
  });

  it('never waits longer than an hour, even if a provider asks for it', async () => {
    const { send } = setUp();
    await send(0, limited(1e12));
    expect(await send(0)).toBe(3600);
  });

  it('raises the concurrency by about one for every batch of answers', async () => {
    const { send, sent } = setUp({ concurrency: 16 });
    await many(16, () => send(1, limited(1)));
    await many(200, () => send(1));
    const batches = Array.from({ length: 12 }, (_, i) => sent.filter(({ at }) => at === 2 + i));
    const sizes = batches.map((batch) => batch.length);
    expect(sizes).toEqual([8, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 16]);
  });

  it('skips requests that are aborted while they wait', async () => {
    const { send, line, clock } = setUp({ concurrency: 1 });
    const first = send(10);
    const controller = new AbortController();
    const second = line.enter(1, { signal: controller.signal });
    const third = send(5);
    const fourth = line.enter(1, { signal: controller.signal });
    const fifth = send(0);
    await clock.sleep(1000);
    controller.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    await expect(fourth).rejects.toThrow('enough');
    await first;
    expect(await third).toBe(10);
    expect(await fifth).toBe(15);
  });

  it('uses the longest of the requested waits', async () => {
    const { send, waits } = setUp();
    await Promise.all([send(1, limited(30)), send(2, limited(5))]);
    expect(await send(0)).toBe(31);
    expect(waits).toHaveLength(1);
  });

  it('asks the caller before it waits', async () => {
    const { send, line } = setUp();
    await send(0, limited(100));
    const beforeWait = (seconds: number) => {
      if (seconds > 60) throw new Error('too long');
    };
    await expect(line.enter(1, { beforeWait })).rejects.toThrow('too long');
    expect(await send(0)).toBe(100);
  });

  it('does not count a request that was not sent', async () => {
    const { send } = setUp({ requestsPerMinute: 1 });
    await send(0, { kind: 'not sent' });
    expect(await send(0)).toBe(0);
  });
});

test('no limit is exceeded, and every request is sent', async () => {
  const outcome = fc.oneof(
    fc.record({ kind: fc.constant('answered' as const), tokens: fc.nat(40) }),
    fc.record({
      kind: fc.constantFrom('rate limited' as const, 'server error' as const),
      retryAfterSeconds: fc.option(fc.nat(90)),
    }),
    fc.constant({ kind: 'failed' as const }),
  );
  const request = fc.record({ start: fc.nat(50), seconds: fc.nat(20), outcome });
  const limits = fc.record({
    concurrency: fc.integer({ min: 1, max: 5 }),
    requestsPerMinute: fc.integer({ min: 1, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 25 }), limits, async (requests, options) => {
      const { clock, send, sent, busiest } = setUp(options);
      await Promise.all(
        requests.map(async ({ start, seconds, outcome }) => {
          await clock.sleep(start * 1000);
          await send(seconds, outcome);
        }),
      );
      expect(sent).toHaveLength(requests.length);
      expect(busiest()).toBeLessThanOrEqual(options.concurrency);
      for (const { at } of sent) {
        const minute = sent.filter((one) => one.at >= at && one.at < at + 60);
        expect(minute.length).toBeLessThanOrEqual(options.requestsPerMinute);
      }
    }),
    { numRuns: 60 },
  );
});
