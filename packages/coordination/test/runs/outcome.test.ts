import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bundledPlan, bundledProblem, judge, readPlan } from '../../src/index.js';
import { decodeAnswer } from '../../src/llm/decode/decode.js';
import { repairAnswer } from '../../src/runs/outcome.js';

describe('repair of an answer', () => {
  const cases = [
    ['wedding', 'sagallm-table-6', undefined],
    ['wedding-traffic', 'sagallm-table-8', ['sagallm-table-6', 780]],
    ['ride-sharing', 'ride-sharing', undefined],
  ] as const;

  it('ends in a plan that the judge accepts, or in one line, whatever is wrong with the answer', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.array(
          fc.tuple(
            fc.nat(20),
            fc.constantFrom('drop', 'later', 'nobody', 'place', 'backwards', 'twice'),
          ),
          { maxLength: 4 },
        ),
        ([name, from, before], faults) => {
          const problem = bundledProblem(name);
          const past = before && { plan: bundledPlan(before[0]), now: before[1] };
          let actions = [...bundledPlan(from).actions];
          for (const [at, fault] of faults) {
            actions = actions.flatMap((one, i) => {
              if (i !== at % actions.length) return [one];
              if (fault === 'drop') return [];
              if (fault === 'later') return [{ ...one, start: one.start + 25, end: one.end + 25 }];
              if (fault === 'backwards') return [{ ...one, start: one.end + 5 }];
              if (fault === 'twice') return [one, one];
              if (one.do === 'drive')
                return [{ ...one, ...(fault === 'place' ? { to: 'nowhere' } : { who: 'nobody' }) }];
              return [{ ...one, ...(fault === 'place' ? { at: 'nowhere' } : { who: ['nobody'] }) }];
            });
          }
          const { repaired, error } = repairAnswer(
            problem,
            { problem: name, actions, claims: { metres: 5 } },
            past,
            1,
          );
          expect(repaired === null).toBe(error !== null);
          if (repaired === null) return;
          expect(judge(problem, readPlan(repaired.plan), past).valid).toBe(true);
          expect(repaired.edit_radius).toBeLessThanOrEqual(1);
        },
      ),
      {
        numRuns: 8,
        // An action that is listed twice, of which the repair removes one.
        examples: [
          [
            cases[2],
            [
              [5, 'twice'],
              [3, 'drop'],
              [15, 'drop'],
            ],
          ],
        ],
      },
    );
  });

  it('keeps the past as it was where an answer tells another one', () => {
    const problem = bundledProblem('wedding-traffic');
    const past = { plan: bundledPlan('wedding'), now: 780 };
    const { plan } = decodeAnswer(problem, '13:00 – 13:15: chris drives chris-car from W to T');
    if (plan === null) throw new Error('nothing was read');
    const { repaired, error } = repairAnswer(problem, plan, past, null);
    expect(error).toBeNull();
    const begun = past.plan.actions.filter(({ start }) => start < past.now);
    expect(repaired?.plan.actions.length).toBeGreaterThanOrEqual(begun.length);
    expect(repaired?.gap_percent).toBeNull();
  });
});
