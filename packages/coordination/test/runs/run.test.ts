import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startChatServer } from '../../../../test/llm/servers/chat-completions.js';
import type { WireRequest } from '../../../../test/llm/servers/wire-server.js';
import { bundledPlan, type CoordinationRecord, readCoordinationRecords } from '../../src/index.js';
import { writeAnswer } from '../../src/llm/answer-forms.js';
import { cli } from '../cli/cli.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'models-'));
  vi.stubEnv('OPENAI_API_KEY', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

const textOf = ({ body }: WireRequest): string => body.messages.at(-1).content;
const answer = (text: string) => ({ kind: 'answer', text }) as const;
/** A server of a model that answers as it is told, and its planner. */
async function model(behave: (request: WireRequest, n: number) => string) {
  const server = await startChatServer((request, n) => answer(behave(request, n)));
  const planner = `openai-compatible:small@${server.url}/v1#structured=no,attempts=1`;
  return { server, planner };
}

describe('alas-coordination run', () => {
  it('without a model has the search and the printed plans, and goes on where it was', async () => {
    const out = join(directory, 'run.jsonl');
    const words = ['run', '--problem', 'wedding', '--problem', 'ride-sharing', '--out', out];
    const first = await cli([...words, '--json']);
    expect(first.stderr).toContain(
      'wedding, sagallm-table-6: claimed infeasible; not valid (closed_place); repaired by',
    );
    expect(first.code).toBe(1);
    const [search, papers] = JSON.parse(first.stdout).planners;
    expect(search).toMatchObject({ planner: 'search', records: 2, valid: 2, right_claims: 2 });
    expect(search.gap_percent.mean).toBe(0);
    expect(papers).toMatchObject({
      planner: 'papers',
      records: 1,
      valid: 0,
      claimed: 0,
      repaired: 1,
    });
    const lines = readFileSync(out, 'utf8');
    const again = await cli([...words, '--json']);
    expect(again.stdout).toBe(first.stdout);
    expect(again.stderr).toContain('3 records there already');
    expect(readFileSync(out, 'utf8')).toBe(lines);
  });

  it('asks a model over HTTP, and keeps apart what is claimed, judged and repaired', async () => {
    const { server, planner } = await model(() =>
      writeAnswer(bundledPlan('sagallm-table-6'), 'table'),
    );
    const out = join(directory, 'run.jsonl');
    const record = join(directory, 'answers');
    const words = ['run', '--problem', 'wedding', '--answer', 'table', '--record', record];
    const { code, stderr } = await cli([...words, '--planner', planner, '--out', out, '--json']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('claimed feasible; not valid (closed_place)'),
    ]);
    const asked = textOf(server.requests[0]);
    expect(asked).toContain('- road B – T: 30 min; 30 km');
    expect(asked).toContain('| time | task | people |');
    const [one] = readCoordinationRecords(out);
    expect(one.answer).toMatchObject({ form: 'table', unread: [], finish: 'stop' });
    expect(one.claimed).toEqual({ feasible: true, km: null, finish: null });
    expect(one.judged).toMatchObject({ valid: false, km: 120, gap_percent: null });
    expect(one.repaired).toMatchObject({ cost: 115, gap_percent: 0 });
    expect([one.tokens, one.bound]).toEqual([{ input: 11, output: 7 }, 115]);

    // The answers that were kept give the same record, without a server.
    const replay = join(directory, 'replay.jsonl');
    await cli([...words.slice(0, 5), '--planner', `replay:${record}`, '--out', replay]);
    const [two] = readCoordinationRecords(replay);
    const same = ({ planner: _, seconds: __, ...rest }: CoordinationRecord) => rest;
    expect(same(two)).toEqual(same(one));
    expect(server.requests).toHaveLength(1);
  });

  it('holds the claims of an answer against its plan', async () => {
    const plan = { ...bundledPlan('wedding'), claims: { metres: 1000 } };
    const { planner } = await model(() => writeAnswer(plan, 'json'));
    const { stdout } = await cli(['run', '--problem', 'wedding', '--planner', planner, '--json']);
    const { violations, planners } = JSON.parse(stdout);
    expect(planners).toMatchObject([{ valid: 1, claimed: 1 }]);
    expect(violations.map((one: { code: string }) => one.code)).toContain('false_claim');
  });

  it('records an answer without a plan, and asks again where there was none', async () => {
    const out = join(directory, 'run.jsonl');
    const { planner } = await model(() => 'I would rather not.');
    await cli(['run', '--problem', 'wedding', '--planner', planner, '--out', out]);
    const [one] = readCoordinationRecords(out);
    expect(one).toMatchObject({
      plan: null,
      judged: null,
      repaired: null,
      answer: { form: 'none' },
    });
    expect(one.error).toBe('nothing in the answer is read as a plan');

    const server = await startChatServer(() => ({ kind: 'error', status: 500 }));
    const failing = `openai-compatible:small@${server.url}/v1#attempts=1`;
    await cli(['run', '--problem', 'wedding', '--planner', failing, '--out', out]);
    await cli(['run', '--problem', 'wedding', '--planner', failing, '--out', out]);
    expect(server.requests).toHaveLength(2);
    expect(readCoordinationRecords(out).map(({ error }) => error)).toEqual([
      'nothing in the answer is read as a plan',
      expect.stringMatching(/^ServerError: /),
    ]);
  });

  it('ends when its budget is spent, with what it has', async () => {
    const { planner, server } = await model(() => 'no plan');
    const words = ['run', '--problem', 'wedding', '--planner', planner, '--replicates', '3'];
    const { code, stderr, stdout } = await cli([...words, '--budget-tokens', '18', '--json']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('the budget of 18 tokens is spent'),
    ]);
    expect(JSON.parse(stdout).planners).toMatchObject(
      server.requests.length === 0 ? [] : [{ records: 1 }],
    );
  });

  it.each([
    [['--planner', 'gpt'], /bad_planner|no planner 'gpt'/],
    [['--experiment', 'amnesia'], /an experiment needs a model/],
    [['--experiment', 'narrowing', '--planner', 'search'], /'search' is none/],
    [['--problem', 'weding'], /no problem 'weding'/],
    [['--planner', 'openai:gpt-4.1'], /OPENAI_API_KEY/],
  ])('refuses %j in one line', async (words, reason) => {
    const { code, stderr, stdout } = await cli(['run', ...words]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(reason);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('an experiment', () => {
  it('narrowing puts the constraints near the question, or far from it', async () => {
    const { server, planner } = await model(() => writeAnswer(bundledPlan('wedding'), 'json'));
    const words = [
      'run',
      '--problem',
      'wedding',
      '--planner',
      planner,
      '--experiment',
      'narrowing',
    ];
    const { stdout, code } = await cli([...words, '--json']);
    expect(code).toBe(0);
    const [once, repeated, far, middle] = server.requests.map(textOf);
    const count = (text: string) => text.split('- road B – T: 30 min').length - 1;
    expect([once, repeated, far, middle].map(count)).toEqual([1, 2, 1, 1]);
    expect(far.length).toBeGreaterThan(once.length + 8000);
    expect(middle.length).toBeGreaterThan(once.length + 8000);
    const where = (text: string) => text.indexOf('- road B – T') / text.length;
    expect(where(far)).toBeLessThan(0.1);
    expect([where(middle) > 0.3, where(middle) < 0.6]).toEqual([true, true]);
    expect(JSON.parse(stdout).planners.map((one: { condition: string }) => one.condition)).toEqual([
      'once',
      'repeated',
      'far',
      'middle',
    ]);
  });

  it('self-validation has a model judge plans, and counts where it is wrong', async () => {
    const own = writeAnswer(bundledPlan('sagallm-table-6'), 'json');
    const { planner } = await model((request) =>
      textOf(request).includes('Feasible: yes` or') ? 'Feasible: yes\nAll is well.' : own,
    );
    const words = ['run', '--problem', 'wedding', '--planner', planner];
    const { stdout, code } = await cli([...words, '--experiment', 'self-validation', '--json']);
    expect(code).toBe(1);
    const { agreement } = JSON.parse(stdout);
    expect(agreement).toMatchObject([
      { condition: 'own', both_yes: 0, false_yes: 1 },
      { condition: 'own-thread', both_yes: 0, false_yes: 1 },
      { condition: 'correct', both_yes: 1, false_yes: 0 },
      { condition: 'too-fast', false_yes: 1 },
      { condition: 'left-out', false_yes: 1 },
      { condition: 'correct-narrow', both_yes: 1, false_yes: 0 },
      { condition: 'too-fast-narrow', false_yes: 1 },
      { condition: 'left-out-narrow', false_yes: 1 },
    ]);
  });

  it('self-validation has two validators that see parts of the facts, and one of them can say no', async () => {
    const { server, planner } = await model((request) =>
      textOf(request).includes('- road B – T') ? 'Feasible: no' : 'Feasible: yes',
    );
    const words = ['run', '--problem', 'wedding', '--planner', planner, '--arms', 'correct-narrow'];
    const { stdout } = await cli([...words, '--experiment', 'self-validation', '--json']);
    const [drives, activities] = server.requests.map(textOf);
    expect(server.requests).toHaveLength(2);
    for (const text of [drives, activities])
      expect(text).toContain('| 12:00–12:40 | drive pats-car');
    expect([drives.includes('- activity gift'), activities.includes('- road B')]).toEqual([
      false,
      false,
    ]);
    expect([drives.includes('- road B'), activities.includes('- activity gift')]).toEqual([
      true,
      true,
    ]);
    expect(JSON.parse(stdout).agreement).toMatchObject([{ false_no: 1 }]);
  });

  it('self-validation tells what has happened of a plan that goes on from it', async () => {
    const { server, planner } = await model(() => 'Feasible: yes');
    const words = ['run', '--problem', 'wedding-traffic', '--planner', planner];
    await cli([...words, '--experiment', 'self-validation', '--json']);
    const asked = server.requests.map(textOf).filter((text) => text.includes('Here is a plan'));
    expect(asked.length).toBe(9);
    expect(asked.filter((text) => !text.includes('By the log, at 13:00'))).toEqual([]);
  });

  it('amnesia tells the past again or not, and finds where it is rewritten', async () => {
    const kept = writeAnswer(bundledPlan('wedding'), 'prose');
    const forgotten = writeAnswer(bundledPlan('sagallm-table-9'), 'prose');
    const { server, planner } = await model((request) =>
      /By the log|Earlier operations/.test(textOf(request)) ? kept : forgotten,
    );
    const words = [
      'run',
      '--problem',
      'wedding-traffic',
      '--planner',
      planner,
      '--answer',
      'prose',
    ];
    const { stdout } = await cli([...words, '--experiment', 'amnesia', '--json']);
    expect(server.requests[0].body.messages.map((one: { role: string }) => one.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ]);
    expect(textOf(server.requests[1])).toContain('12:50 – 13:20: pat drives pats-car from B to T');
    expect(JSON.parse(stdout).planners).toMatchObject([
      { condition: 'conversation', with_past: 1, rewritten: 1, repaired: 1 },
      { condition: 'log', with_past: 1, rewritten: 0 },
      { condition: 'recency', with_past: 1, rewritten: 1 },
      { condition: 'slices', with_past: 1, rewritten: 0 },
    ]);
  });
});

describe('alas-coordination report', () => {
  it('prints the tables of several files', async () => {
    const [a, b] = ['a.jsonl', 'b.jsonl'].map((name) => join(directory, name));
    await cli(['run', '--problem', 'wedding', '--planner', 'papers', '--out', a]);
    await cli(['run', '--problem', 'wedding-traffic', '--planner', 'papers', '--out', b]);
    const { code, stdout } = await cli(['report', a, b, '--format', 'md']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\| planner \| records \|/);
    expect(stdout).toContain('| papers | 4 | 4 | 1 | 1 | 25 ');
    expect(stdout).toContain('| papers | too_fast | 2 |');
    expect(stdout).toContain('| claimed, valid |');
    writeFileSync(a, '{"schema": 1}\n');
    const bad = await cli(['report', a]);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('a.jsonl:1:$.')]);
  });
});
