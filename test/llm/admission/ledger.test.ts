import { virtualClock } from '@alas-jssp/core/virtual-clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type LedgerOptions,
  type LedgerState,
  newLedgerState,
  openLedger,
} from '../../../src/llm/admission/ledger.js';
import type { RequestOutcome } from '../../../src/llm/admission/pace.js';
import { LlmError } from '../../../src/llm/errors.js';
import type { Usage } from '../../../src/llm/usage.js';

const usage = (input: number, output = 0): Usage => ({
  answers: 1,
  tokens: { input, output, estimated: false },
  usd: (input + output) / 1000,
  seconds: 0,
});

/** A request of a script. */
interface Scripted {
  readonly after: number;
  readonly provider: string;
  readonly least: number;
  readonly takes: number;
  readonly writes: number;
  readonly outcome: 'answered' | 'rate limited' | 'server error' | 'failed';
}

const script = fc.array(
  fc.record({
    after: fc.nat(20_000),
    provider: fc.constantFrom('a', 'b'),
    least: fc.nat(60),
    takes: fc.nat(30_000),
    writes: fc.nat(60),
    outcome: fc.constantFrom(
      ...(['answered', 'answered', 'answered', 'rate limited', 'server error', 'failed'] as const),
    ),
  }),
  { maxLength: 25 },
);

const limitsOf = fc.record({
  concurrency: fc.integer({ min: 1, max: 5 }),
  requestsPerMinute: fc.option(fc.integer({ min: 1, max: 10 })),
  tokensPerMinute: fc.option(fc.integer({ min: 50, max: 400 })),
});

const outcomeOf = ({ outcome, least, writes }: Scripted): RequestOutcome =>
  outcome === 'answered'
    ? { kind: outcome, tokens: least + writes }
    : outcome === 'failed'
      ? { kind: outcome }
      : { kind: outcome, retryAfterSeconds: null };
const takenBy = ({ outcome, least, writes }: Scripted): Usage | null =>
  outcome === 'answered' ? usage(least, writes) : null;

type Enter = (
  one: Scripted,
) => Promise<(outcome: RequestOutcome, taken: Usage | null) => void | Promise<void>>;

/** Plays a script; returns when each request was sent, or the reason why it was refused. */
async function play(requests: readonly Scripted[], enter: Enter, clock = virtualClock()) {
  return Promise.all(
    requests.map(async (one) => {
      await clock.sleep(one.after);
      try {
        const leave = await enter(one);
        const at = clock.now();
        await clock.sleep(one.takes);
        await leave(outcomeOf(one), takenBy(one));
        return at;
      } catch (error) {
        return (error as LlmError).message;
      }
    }),
  );
}

describe('a ledger', () => {
  it('exceeds its tokens only by the output of answers, and returns unused reservations', async () => {
    await fc.assert(
      fc.asyncProperty(script, limitsOf, fc.nat(800), async (requests, limits, tokens) => {
        const clock = virtualClock();
        const state = newLedgerState();
        const ledger = openLedger({ budget: { tokens }, limits, clock }, state);
        await play(
          requests,
          async ({ provider, least }) => {
            const reservation = await ledger.reserve(provider, usage(least));
            const { input, output } = state.spending.taken.tokens;
            expect(input + output + state.spending.reserved.tokens).toBeLessThanOrEqual(
              Math.max(tokens, input + output),
            );
            return (outcome, taken) => ledger.settle(reservation, outcome, taken);
          },
          clock,
        );
        expect(state.spending.reserved).toMatchObject({ requests: 0, tokens: 0 });
        expect(Object.values(state.paces).every(({ running }) => running === 0)).toBe(true);
      }),
    );
  });

  it('resumes from its state as JSON, with requests in flight', async () => {
    const clock = virtualClock();
    const options: LedgerOptions = {
      budget: { tokens: 100 },
      limits: { concurrency: 2, requestsPerMinute: 3 },
      clock,
    };
    const state = newLedgerState();
    const before = openLedger(options, state);
    const reservations = [
      await before.reserve('a', usage(40)),
      await before.reserve('a', usage(30)),
    ];
    const carried = JSON.parse(JSON.stringify({ state, reservations })) as {
      state: LedgerState;
      reservations: typeof reservations;
    };
    const after = openLedger(options, carried.state);
    await expect(after.reserve('b', usage(40))).rejects.toThrow('2 more are in flight');
    const third = after.reserve('a', usage(20));
    after.settle(carried.reservations[0], { kind: 'answered', tokens: 45 }, usage(40, 5));
    await third;
    expect(after.spent().tokens).toEqual({ input: 40, output: 5, estimated: false });
    after.settle(carried.reservations[1], { kind: 'failed' }, null);
    const controller = new AbortController();
    const waiting = after.reserve('a', usage(5), controller.signal);
    const late = expect(waiting).rejects.toThrow('enough');
    controller.abort(new Error('enough'));
    await late;
    await expect(after.reserve('a', usage(50))).rejects.toBeInstanceOf(LlmError);
    expect(await after.reserve('a', usage(5))).toBeTruthy();
    expect(clock.now()).toBe(60_000);
  });
});
