import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../src/core/virtual-clock.js';
import { admitBy } from '../../../src/llm/admission/admission.js';
import {
  type GateOptions,
  type GateState,
  newGateState,
  openGate,
} from '../../../src/llm/admission/gate.js';
import type { RequestOutcome } from '../../../src/llm/admission/pace.js';
import { createBudget } from '../../../src/llm/budget.js';
import { LlmError } from '../../../src/llm/errors.js';
import { createLimiter } from '../../../src/llm/limiter.js';
import type { Usage } from '../../../src/llm/usage.js';

const usage = (input: number, output = 0): Usage => ({
  answers: 1,
  tokens: { input, output, estimated: false },
  usd: (input + output) / 1000,
  seconds: 0,
});

/** A request of a script: what it wants, how long it takes, and its end. */
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
const budgetOf = fc.record({
  tokens: fc.option(fc.nat(1500)),
  usd: fc.option(fc.double({ min: 0.05, max: 2, noNaN: true })),
  seconds: fc.option(fc.integer({ min: 10, max: 400 })),
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

/** Plays a script, and tells when each request was sent, or why it was refused. */
async function play(requests: readonly Scripted[], enter: Enter, clock = virtualClock()) {
  const told = await Promise.all(
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
  return told;
}

describe('a gate', () => {
  it('admits what a limiter and a budget of a process admit, at the same times', async () => {
    await fc.assert(
      fc.asyncProperty(script, limitsOf, budgetOf, async (requests, limits, budgetLimits) => {
        const clock = virtualClock();
        const gate = openGate(newGateState(), { budget: budgetLimits, limits, clock });
        const ofGate = await play(
          requests,
          async ({ provider, least }) => {
            const passage = await gate.enter(provider, usage(least));
            return (outcome, taken) => gate.leave(passage, outcome, taken);
          },
          clock,
        );
        const other = virtualClock();
        const budget = createBudget(budgetLimits, other);
        const admissions = {
          a: admitBy(createLimiter({ ...limits, clock: other }), budget),
          b: admitBy(createLimiter({ ...limits, clock: other }), budget),
        };
        const ofProcess = await play(
          requests,
          ({ provider, least }) =>
            admissions[provider as 'a' | 'b'].enter(usage(least), { key: '' }),
          other,
        );
        expect(ofGate).toEqual(ofProcess);
        expect(gate.spent()).toEqual(budget.spent());
      }),
    );
  });

  it('spends no more than its tokens beyond what answers wrote, and gives back what is not taken', async () => {
    await fc.assert(
      fc.asyncProperty(script, limitsOf, fc.nat(800), async (requests, limits, tokens) => {
        const clock = virtualClock();
        const state = newGateState();
        const gate = openGate(state, { budget: { tokens }, limits, clock });
        await play(
          requests,
          async ({ provider, least }) => {
            const passage = await gate.enter(provider, usage(least));
            const { input, output } = state.spending.taken.tokens;
            expect(input + output + state.spending.reserved.tokens).toBeLessThanOrEqual(
              Math.max(tokens, input + output),
            );
            return (outcome, taken) => gate.leave(passage, outcome, taken);
          },
          clock,
        );
        expect(state.spending.reserved).toMatchObject({ requests: 0, tokens: 0 });
        expect(Object.values(state.paces).every(({ running }) => running === 0)).toBe(true);
      }),
    );
  });

  it('goes on from its state as JSON, with what is under way', async () => {
    const clock = virtualClock();
    const options: GateOptions = {
      budget: { tokens: 100 },
      limits: { concurrency: 2, requestsPerMinute: 3 },
      clock,
    };
    const state = newGateState();
    const before = openGate(state, options);
    const passages = [await before.enter('a', usage(40)), await before.enter('a', usage(30))];
    const carried = JSON.parse(JSON.stringify({ state, passages })) as {
      state: GateState;
      passages: typeof passages;
    };
    const after = openGate(carried.state, options);
    await expect(after.enter('b', usage(40))).rejects.toThrow('2 more are in flight');
    const third = after.enter('a', usage(20));
    after.leave(carried.passages[0], { kind: 'answered', tokens: 45 }, usage(40, 5));
    await third;
    expect(after.spent().tokens).toEqual({ input: 40, output: 5, estimated: false });
    after.leave(carried.passages[1], { kind: 'failed' }, null);
    const controller = new AbortController();
    const waiting = after.enter('a', usage(5), controller.signal);
    const late = expect(waiting).rejects.toThrow('enough');
    controller.abort(new Error('enough'));
    await late;
    await expect(after.enter('a', usage(50))).rejects.toBeInstanceOf(LlmError);
    expect(await after.enter('a', usage(5))).toBeTruthy();
    expect(clock.now()).toBe(60_000);
  });
});
