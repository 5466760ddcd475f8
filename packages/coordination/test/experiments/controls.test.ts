import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startChatServer } from '../../../../test/llm/servers/chat-completions.js';
import type { CapabilityRow } from '../../src/experiments/capabilities.js';
import type { ContextReport, ContextRow } from '../../src/experiments/context-report.js';
import { createControl } from '../../src/experiments/control.js';
import { bundledProblem } from '../../src/index.js';
import { cli } from '../cli/cli.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'controls-'));
  vi.stubEnv('OPENAI_API_KEY', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

/** The report of an experiment. */
async function run(...words: readonly string[]): Promise<ContextReport> {
  const { stdout } = await cli(['run', ...words, '--json']);
  return JSON.parse(stdout).context;
}

const LOST = ['--experiment', 'lost-constraints', '--problem', 'wedding'];
const SOME = ['--arms', 'everything,recency,restated', '--filler', '4000'];

/** Percent of constraints that are kept, by condition. */
function keptIn({ conditions }: ContextReport): Record<string, number | null> {
  return Object.fromEntries(conditions.map((one: ContextRow) => [one.condition, one.kept.percent]));
}

describe('the experiment on lost constraints', () => {
  it('tells a perfect memory from one that forgets, over HTTP', async () => {
    const problem = bundledProblem('wedding');
    const behave = {
      perfect: createControl(Number.POSITIVE_INFINITY),
      forgets: createControl(1500),
    };
    const server = await startChatServer(({ body: { model, messages } }) => ({
      kind: 'answer',
      text: behave[model as keyof typeof behave]({ problem, past: undefined }, messages),
    }));
    const of = (model: string) =>
      run(
        ...LOST,
        '--problem',
        'wedding',
        '--planner',
        `openai-compatible:${model}@${server.url}/v1#structured=no`,
      );
    const [perfect, forgets] = [keptIn(await of('perfect')), keptIn(await of('forgets'))];
    const { unstated, ...shown } = perfect;
    const { 'recency@4000': lost, ...seen } = shown;
    expect(new Set(Object.values(seen))).toEqual(new Set([100]));
    expect(unstated).toBeLessThan(50);
    expect(lost).toBe(unstated);
    expect(forgets).toMatchObject({ 'everything@250': 100, restated: 100, unstated });
    expect(forgets['everything@4000']).toBe(unstated);
  });

  it('says what was not shown, what was shown and lost, and how sure that is', async () => {
    const report = await run(
      ...LOST,
      ...SOME,
      '--replicates',
      '2',
      '--planner',
      'control:forgets-1500',
    );
    const of = (condition: string) => report.conditions.find((one) => one.condition === condition);
    expect(of('recency@4000')?.stated).toMatchObject({ percent: 0, n: 2 });
    expect(of('recency@4000')?.kept_stated.n).toBe(0);
    expect(of('everything@4000')?.stated.percent).toBe(100);
    expect(of('everything@4000')?.kept_stated.percent).toBeLessThan(50);
    expect(of('restated')?.valid).toMatchObject({ percent: 100, n: 2 });
    expect(of('restated')?.valid.low).toBeCloseTo(34.2, 1);
    const pair = report.pairs.find(
      ({ arms, filler }) => arms.join() === 'everything,restated' && filler === 4000,
    );
    expect(pair).toMatchObject({ n: 2, better: 0, worse: 2, measure: 'kept' });
  });

  it('gives the same report again from recorded answers', async () => {
    const problem = bundledProblem('wedding');
    const control = createControl(1500);
    const server = await startChatServer(({ body: { messages } }) => ({
      kind: 'answer',
      text: control({ problem, past: undefined }, messages),
    }));
    const words = [...LOST, '--arms', 'everything,slices', '--filler', '1000'];
    const answers = join(directory, 'answers');
    const planner = `openai-compatible:small@${server.url}/v1#structured=no`;
    const first = await run(...words, '--planner', planner, '--record', answers);
    const asked = server.requests.length;
    const again = await run(...words, '--planner', `replay:${answers}`);
    expect(server.requests).toHaveLength(asked);
    const plain = ({ conditions }: ContextReport) =>
      conditions.map(({ planner: _, ...row }) => row);
    expect(plain(again)).toEqual(plain(first));
  });
});

describe('the abilities in table 10 of SagaLLM', () => {
  it('are all there for a perfect memory, unless it is not shown what it needs', async () => {
    const { capabilities } = await run(
      ...['--experiment', 'capabilities', '--problem', 'wedding-traffic'],
      ...['--planner', 'control:perfect', '--filler', '1000', '--memory', '600'],
    );
    const percent = (row: CapabilityRow) =>
      [row.everything, row.recency, row.slices, row.slices_repaired].map((one) => one.percent);
    expect(capabilities.map((row) => [row.capability, ...percent(row)])).toEqual([
      ['keeps what has happened', 100, 0, 100, 100],
      ['continues journeys under way', 100, 0, 100, 100],
      ['checks constraints', 100, null, 100, null],
      ['keeps early constraints', 100, expect.any(Number), 100, 100],
      ['plans that a world allows', 100, expect.any(Number), 100, 100],
    ]);
    expect(capabilities[3].recency.percent).toBeLessThan(100);
  });
});

describe('the settings of experiments', () => {
  it.each([
    [
      ['--experiment', 'amnesia', '--arms', 'slice'],
      "amnesia has no arm 'slice'; give --arms with some of conversation, log, recency, slices",
    ],
    [['--filler', '100'], '--arms, --filler and --memory are settings of an experiment'],
    [['--experiment', 'lost-constraints', '--filler', '100,100'], 'the same length is given twice'],
    [
      ['--experiment', 'lost-constraints', '--memory', '50', '--arms', 'slices'],
      'and its context has 50; give',
    ],
  ])('%j are refused in one line', async (words, reason) => {
    const { code, stderr } = await cli([
      ...['run', '--problem', 'wedding', '--planner', 'control:perfect', ...words],
    ]);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain(reason);
  });

  it.each([
    ['control:wise', "there is no control 'wise'; give control:perfect, or control:forgets-N"],
  ])('%s is no control', async (planner, reason) => {
    const { code, stderr } = await cli(['run', '--experiment', 'narrowing', '--planner', planner]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});
