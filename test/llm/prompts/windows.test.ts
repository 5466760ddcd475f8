import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateTaillard } from '../../../src/jssp/generator.js';
import { FORMATS, type PlanFormat } from '../../../src/llm/planner-spec.js';
import { planWindows } from '../../../src/llm/prompts/windows.js';
import { arbitraryInstance } from '../../arbitraries.js';

const format = fc.constantFrom(...FORMATS);
const shop = generateTaillard({ jobs: 20, machines: 15, timeSeed: 1, machineSeed: 2 });

describe('planWindows', () => {
  it('makes one window of what fits at once', () => {
    const limits = { contextTokens: 128_000, outputTokens: 16_000, format: 'entries' } as const;
    expect(planWindows(shop, limits)).toMatchObject([{ jobs: { length: 20 }, takenTokens: 0 }]);
  });

  it('puts every job into one window, in order, each within the limits', () => {
    fc.assert(
      fc.property(
        arbitraryInstance({ maxJobs: 30, releases: true, downtimes: true }),
        fc.integer({ min: 1500, max: 6000 }),
        fc.integer({ min: 300, max: 3000 }),
        fc.nat(2),
        format,
        (instance, contextTokens, outputTokens, answers, format) => {
          const limits = { contextTokens, outputTokens, answers, format };
          let windows: ReturnType<typeof planWindows>;
          try {
            windows = planWindows(instance, limits);
          } catch (error) {
            expect((error as InputError).code).toBe('context_too_small');
            return;
          }
          const jobs = Array.from({ length: instance.jobs }, (_, job) => job);
          expect(windows.flatMap((window) => window.jobs)).toEqual(jobs);
          for (const { promptTokens, answerTokens } of windows) {
            expect(answerTokens).toBeLessThanOrEqual(outputTokens);
            expect(promptTokens + (1 + answers) * answerTokens).toBeLessThanOrEqual(contextTokens);
          }
        },
      ),
    );
  });

  it('makes windows as large as the limits allow', () => {
    const limits = { contextTokens: 8000, outputTokens: 4000, format: 'csv' } as const;
    const windows = planWindows(shop, limits);
    expect(windows.length).toBeGreaterThan(1);
    const [first] = windows;
    const tighter = { ...limits, outputTokens: first.answerTokens - 1 };
    expect(planWindows(shop, tighter)[0].jobs.length).toBe(first.jobs.length - 1);
    expect(planWindows(shop, { ...limits, outputTokens: first.answerTokens })[0]).toEqual(first);
  });

  it('takes a fraction of the tokens for sequences', () => {
    const tokens = (format: PlanFormat) =>
      planWindows(shop, { contextTokens: 1e6, outputTokens: 1e6, format })[0].answerTokens;
    expect(tokens('sequences')).toBeLessThan(tokens('csv') / 3);
    expect(tokens('csv')).toBeLessThan(0.6 * tokens('entries'));
  });

  it('refuses, with the numbers, what does not fit job by job', () => {
    const plan = () =>
      planWindows(shop, { contextTokens: 1024, outputTokens: 200, format: 'entries' });
    expect(plan).toThrow(InputError);
    expect(plan).toThrow(/job 1 alone takes about \d+ tokens of prompt and \d+ of answer/);
  });
});
