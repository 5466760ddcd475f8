import { describe, expect, it } from 'vitest';
import {
  costOfTime,
  measureStage,
  NO_EDITS,
  NO_PLAN_REPAIR,
  type RunRecord,
} from '../../../src/harness/records/record.js';
import { summarizeStages } from '../../../src/harness/records/stage-summary.js';
import { renderStages } from '../../../src/report/stage-table.js';
import { makeRecord } from '../fixtures.js';

const asked = (cost: number | null) => ({
  tokens: { input: 100, output: 50, estimated: cost === null },
  cost_usd: cost,
  seconds: 2,
});
const llm: RunRecord['llm'] = {
  models: ['m'],
  topology: 'single',
  format: 'entries',
  prompt_version: 'p',
  prompt_sha256: 'f00d',
  repair_prompt_sha256: null,
  answers: 1,
  answer_files: [],
  requests: null,
  decoding: null,
  self_verdict: null,
  windows: 1,
  agents: [],
};

const { seconds } = makeRecord();

/** A record of a plan, and of what a repair by the model made of it if it was infeasible. */
function recordOf(planned: number | null, replicate: number, cost: number | null = 0.5): RunRecord {
  const record = makeRecord({ makespan: planned ?? 120, replicate, llm, ...asked(cost), seconds });
  const plan = measureStage(planned, record, asked(cost));
  const repair = planned === null ? measureStage(120, record, asked(0.25)) : null;
  return { ...record, stages: { plan, repair, optimize: null } };
}

describe('summarizeStages', () => {
  it('tells what there was after each stage, and what each stage took itself', () => {
    const [plan, repair, ...others] = summarizeStages([recordOf(110, 0), recordOf(null, 1)]);
    expect(others).toEqual([]);
    expect(plan).toMatchObject({ stage: 'plan', records: 2, ran: 2, feasible: 1, gap_percent: 10 });
    expect(plan).toMatchObject({ success_percent: 50, cost_usd: 1, seconds: 4 });
    expect(repair).toMatchObject({ stage: 'repair', ran: 1, feasible: 2, gap_percent: 15 });
    expect(repair).toMatchObject({
      tokens: { input: 100, output: 50 },
      cost_usd: 0.25,
      seconds: 2,
    });
  });

  it('tells how many plans the model repaired, of those it was asked about, and how many the protocol', () => {
    const repaired = (replicate: number, by: 'llm' | 'lcrp', asked: [] | null) => ({
      ...recordOf(null, replicate),
      repair: { phase: 'plan' as const, ...NO_PLAN_REPAIR, ...NO_EDITS, by, asked },
    });
    const records = [recordOf(110, 0), repaired(1, 'llm', []), repaired(2, 'lcrp', [])];
    const rows = summarizeStages([...records, repaired(3, 'lcrp', null)]);
    expect(rows.map(({ repairs }) => repairs)).toEqual([
      null,
      { asked: 2, by_model: 1, by_protocol: 2 },
    ]);
    expect(renderStages(rows, 'md')).toContain('| 1/2 | 2 |');
  });

  it('books what a failed planner took, counts methods once, and knows no sum of unknown prices', () => {
    const spent = { ...asked(1), seconds };
    const failed = makeRecord({ makespan: null, status: 'error', replicate: 2, llm, ...spent });
    const methods = ['none', 'lcrp'].map((method) => ({ ...recordOf(110, 0), method }));
    const [row] = summarizeStages([...methods, failed]);
    expect(row).toMatchObject({ records: 2, ran: 1, feasible: 1, cost_usd: 1.5 });
    const [unknown] = summarizeStages([recordOf(110, 0), recordOf(110, 1, null)]);
    expect(unknown).toMatchObject({ cost_usd: null, tokens: { estimated: true } });
    expect(renderStages([unknown], 'csv')).toContain(',,');
    expect(renderStages([unknown], 'md')).toContain('~200');
  });

  it('does not call infeasible what nobody judged', () => {
    const record = { ...recordOf(110, 0), variant: 'no-validation' };
    const [row] = summarizeStages([{ ...record, stages: { ...record.stages, plan: null } }]);
    expect(row).toMatchObject({ stage: 'plan', ran: 0, feasible: null, success_percent: null });
    expect(renderStages([row], 'md')).toContain('| – |');
  });

  it('has nothing to say of planners that ask no model', () => {
    const plan = measureStage(110, makeRecord(), costOfTime(1));
    const stages = { plan, repair: null, optimize: null };
    expect(summarizeStages([{ ...makeRecord(), stages }])).toEqual([]);
  });
});
