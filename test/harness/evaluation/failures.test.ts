import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failuresOf, plansOf } from '../../../src/harness/evaluation/failures.js';
import { planOutcome } from '../../../src/harness/evaluation/plan-outcome.js';
import { NO_EDITS, NO_PLAN_REPAIR, type RunRecord } from '../../../src/harness/records/record.js';
import { failureTables } from '../../../src/report/failure-tables.js';
import { makeRecord } from '../fixtures.js';

type Llm = NonNullable<RunRecord['llm']>;

function askedBy(changes: Partial<Llm> = {}): Llm {
  return {
    ...{ models: ['m-1'], topology: 'single', format: 'sequences', prompt_version: '1' },
    ...{ prompt_sha256: '', repair_prompt_sha256: null, answers: 1, windows: 1, agents: [] },
    ...{ answer_files: ['answers/a.json'], requests: null, decoding: null, self_verdict: null },
    ...changes,
  };
}

const requests = { sent: 1, rate_limited: 0, timed_out: 0, failed: 0, cut_off: 0, refused: 0 };
const decoding = {
  ...{ operations: 60, expected: 100, ignored: {} },
  ...{ answers_cut_off: 0, answers_refused: 0 },
};
const incomplete = { makespan: null, violations: { missing_operation: 40 } } as const;

const failed = (error: string): RunRecord =>
  makeRecord({ makespan: null, status: 'error', violations: null, root_causes: null, error });

/** Records of any outcome, with what they tell of a model and without. */
const arbitraryRecord = fc
  .record({
    planner: fc.constantFrom('a', 'b'),
    variant: fc.constantFrom('full', 'no-repair'),
    method: fc.constantFrom(null, 'lcrp'),
    replicate: fc.nat(3),
    instance: fc.constantFrom('abz5', 'la01'),
    claimed_makespan: fc.option(fc.nat(200)),
    violations: fc.option(
      fc.dictionary(fc.constantFrom('missing_operation', 'machine_overlap'), fc.nat(3)),
    ),
    status: fc.constantFrom('ok', 'infeasible', 'error'),
    error: fc.option(
      fc.constantFrom(
        'late by 3 s',
        'f: there are 0 answers for abz5, not 1; ask for other instances',
      ),
    ),
    llm: fc.option(
      fc.record({
        topology: fc.constantFrom('single', 'crew'),
        decoding: fc.option(fc.constantFrom(decoding, { ...decoding, answers_cut_off: 1 })),
        requests: fc.option(fc.constantFrom(requests, { ...requests, cut_off: 1, refused: 1 })),
      }),
    ),
  })
  .map(({ llm, ...changes }) =>
    makeRecord({ makespan: 100, ...changes, llm: llm && askedBy(llm) } as Parameters<
      typeof makeRecord
    >[0]),
  );

describe('failures', () => {
  it('have one outcome for each plan: the shares add up to the answers', () => {
    fc.assert(
      fc.property(fc.array(arbitraryRecord), (records) => {
        const { planners, answers } = failuresOf(records);
        const plans = plansOf(records);
        let [all, bad] = [0, 0];
        for (const row of planners) {
          const outcomes = Object.values(row.outcomes).reduce((sum, count) => sum + count, 0);
          expect(outcomes).toBe(row.answers);
          all += row.answers + row.missing;
          bad += row.answers - row.outcomes.feasible;
          for (const { answers, root_answers } of row.violations) {
            expect(answers).toBeLessThanOrEqual(row.answers);
            expect(root_answers ?? 0).toBeLessThanOrEqual(row.answers);
          }
          expect(row.claims.stated).toBeLessThanOrEqual(row.answers);
        }
        expect(all).toBe(plans.length);
        expect(answers).toHaveLength(bad);
        failureTables({ planners, answers }, 'md');
      }),
      { numRuns: 200 },
    );
  });

  it.each<[string, Partial<RunRecord>]>([
    ['feasible', { makespan: 100, violations: {} }],
    // An answer to a repair broke off, and not that which makes the plan.
    [
      'incomplete',
      { ...incomplete, llm: askedBy({ decoding, requests: { ...requests, cut_off: 1 } }) },
    ],
    ['wrong', { makespan: null, violations: { machine_overlap: 2 } }],
    ['incomplete', incomplete],
    ['incomplete', { ...incomplete, llm: askedBy({ decoding }) }],
    ['unreadable', { ...incomplete, llm: askedBy({ decoding: { ...decoding, operations: 0 } }) }],
    ['cut_off', { ...incomplete, llm: askedBy({ decoding: { ...decoding, answers_cut_off: 1 } }) }],
    [
      'cut_off',
      { ...incomplete, llm: askedBy({ decoding: { ...decoding, ignored: { cut_off: 1 } } }) },
    ],
    ['refused', { ...incomplete, llm: askedBy({ decoding: { ...decoding, answers_refused: 1 } }) }],
    // What it says is complete all the same.
    ['wrong', { makespan: null, llm: askedBy({ decoding: { ...decoding, answers_cut_off: 1 } }) }],
    ['unjudged', { makespan: 100, violations: null, variant: 'no-validation' }],
    ['failed', failed('the planner threw: no')],
    ['missing', failed('a.jsonl: there are 0 answers for abz5, not 1; ask for other instances')],
  ])('are %s', (outcome, changes) => {
    expect(planOutcome(makeRecord({ makespan: null, ...changes }))).toBe(outcome);
  });

  it('put root causes first, and errors that differ in numbers together', () => {
    const { planners } = failuresOf([
      makeRecord({
        makespan: null,
        violations: { missing_operation: 9, below_lower_bound: 1 },
        root_causes: { missing_operation: 1 },
      }),
      makeRecord({
        makespan: null,
        instance: 'abz6',
        violations: { below_lower_bound: 1, wrong_duration: 2 },
        root_causes: { wrong_duration: 2 },
      }),
      ...[1, 2].map((replicate) => ({
        ...failed(`abz5: stopped after ${replicate}.5 s by gpt-4o`),
        replicate,
      })),
    ]);
    expect(planners).toHaveLength(1);
    const [{ violations, errors, outcomes }] = planners;
    expect(
      violations.map(({ code, answers, root_answers }) => [code, answers, root_answers]),
    ).toEqual([
      ['missing_operation', 1, 1],
      ['wrong_duration', 1, 1],
      ['below_lower_bound', 2, 0],
    ]);
    const example = 'abz5: stopped after 1.5 s by gpt-4o';
    expect(errors).toEqual([
      { reason: 'INSTANCE: stopped after # s by gpt-4o', answers: 2, example },
    ]);
    expect(outcomes).toMatchObject({ failed: 2, incomplete: 1, wrong: 1 });
  });

  it('set claims beside the makespan of the plan, or of what it was repaired to', () => {
    const stage = makeRecord({ makespan: 100 }).stages.plan;
    const repaired = (by: 'llm' | 'lcrp', asked: boolean, replicate: number) =>
      makeRecord({
        makespan: 100,
        replicate,
        claimed_makespan: 50,
        violations: { wrong_makespan: 1 },
        root_causes: { wrong_makespan: 1 },
        stages: {
          plan: stage && { ...stage, feasible: false, makespan: null },
          repair: stage,
          optimize: null,
        },
        repair: { phase: 'plan', ...NO_PLAN_REPAIR, ...NO_EDITS, by, asked: asked ? [] : null },
      });
    const right = makeRecord({ makespan: 100, claimed_makespan: 100, replicate: 9 });
    const records = [
      right,
      repaired('llm', true, 0),
      repaired('lcrp', true, 1),
      repaired('lcrp', false, 2),
    ];
    const [{ claims, repairs, refused }] = failuresOf(records).planners;
    expect(claims).toEqual({
      stated: 4,
      right: 1,
      impossible: 3,
      contradicted: 3,
      compared: 4,
      median_percent: -50,
    });
    expect([refused, repairs]).toEqual([3, { asked: 2, by_model: 1, by_protocol: 2 }]);
  });

  it('give an answer that did not come to the topology of its planner', () => {
    const answered = makeRecord({ makespan: 100, llm: askedBy({ topology: 'crew', requests }) });
    const late = { ...failed('late'), replicate: 1 };
    const { planners, answers } = failuresOf([answered, late]);
    expect(planners.map(({ topology, answers }) => [topology, answers])).toEqual([['crew', 2]]);
    expect(planners[0]).toMatchObject({ models: ['m-1'], requests });
    expect(answers.map(({ topology, files }) => [topology, files])).toEqual([['crew', []]]);
  });
});
