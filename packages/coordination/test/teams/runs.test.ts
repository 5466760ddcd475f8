import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundledPlan, readCoordinationRecords, TEAM_TOPOLOGIES } from '../../src/index.js';
import { writeAnswer } from '../../src/llm/answer-forms.js';
import { cli } from '../cli/cli.js';
import { startTeamServer } from './team-server.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'teams-'));
  vi.stubEnv('OPENAI_API_KEY', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

const [wrong, right] = [bundledPlan('sagallm-table-6'), bundledPlan('wedding')];
const WEDDING = ['run', '--problem', 'wedding'];

describe('alas-coordination run with a team', () => {
  it.each(TEAM_TOPOLOGIES)(
    'of topology %s ends with the plan that the judge accepts',
    async (topology) => {
      const { planner, heard } = await startTeamServer({ begin: [wrong, wrong, right] });
      const out = join(directory, 'run.jsonl');
      const team = ['--topology', topology, '--rounds', '5', '--out', out];
      const { code } = await cli([...WEDDING, '--planner', planner, ...team, '--json']);
      expect(code).toBe(0);
      const [{ team: work, judged, claimed }] = readCoordinationRecords(out);
      expect([judged?.valid, claimed.feasible]).toEqual([true, true]);
      const turns = work?.rounds.flatMap((round) => round.turns) ?? [];
      // Equal requests, as for checks of equal plans, are answered from the store.
      expect(new Set(turns.map(({ key }) => key)).size).toBe(heard.length);
      expect(new Set(turns.map(({ role }) => role)).size).toBe(
        { single: 1, swarm: work?.rounds[0].turns.length }[topology as 'single'] ?? 7,
      );
    },
  );

  it('has records of each variant, in which only the right ones hear of the judge or are repaired', async () => {
    const { planner, heard } = await startTeamServer({ begin: [wrong] });
    const out = join(directory, 'run.jsonl');
    const variants = ['--variant', 'full,no-repair,no-validation,self-validation'];
    const words = [...WEDDING, '--planner', planner, '--rounds', '1', ...variants, '--out', out];
    const { stdout } = await cli([...words, '--json']);
    const [full, noRepair, noValidation, selfValidation] = readCoordinationRecords(out);
    expect([full.variant, full.judged?.valid, full.repaired?.cost]).toEqual(['full', false, 115]);
    for (const one of [noRepair, noValidation, selfValidation]) {
      expect([one.judged?.valid, one.repaired, one.error]).toEqual([false, null, null]);
      // The first plan is the same in all variants.
      expect(one.team?.rounds[0].plan).toEqual(full.team?.rounds[0].plan);
    }
    expect(noRepair.team?.ending).toBe('rounds');
    expect(noValidation.team).toMatchObject({ ending: 'accepted', rounds: [{}] });
    expect(selfValidation.team?.rounds).toMatchObject([{ self_verdict: { feasible: true } }]);
    const told = heard.filter(({ text }) => text.includes('not 14:10 to 14:25'));
    // By an equal request of the second variant, which is answered from the store.
    expect(told).toHaveLength(1);
    const rows = JSON.parse(stdout).planners;
    expect(
      rows.map(({ variant, alone, valid, repaired }: Record<string, unknown>) => [
        ...[variant, alone, valid, repaired],
      ]),
    ).toEqual([
      ['full', 0, 0, 1],
      ['no-repair', 0, 0, 0],
      ['no-validation', 0, 0, 0],
      ['self-validation', 0, 0, 0],
    ]);
    expect(rows[3]).toMatchObject({ self_verdicts: 1, right_self_verdicts: 0 });
    // What is there already is not made again.
    const asked = heard.length;
    expect((await cli([...words, '--json'])).stdout).toBe(stdout);
    expect(heard).toHaveLength(asked);
  });

  it('ends a stream of events where a plan is not valid and nothing repairs it', async () => {
    const { planner } = await startTeamServer({ begin: [wrong] });
    const out = join(directory, 'run.jsonl');
    const words = ['run', '--events', 'wedding-traffic', '--planner', planner, '--out', out];
    const { code } = await cli([...words, '--variant', 'no-repair,full', '--json']);
    expect(code).toBe(1);
    const records = readCoordinationRecords(out);
    expect(records.map(({ variant, disruption }) => [variant, disruption?.step])).toEqual([
      ['no-repair', 0],
      ['no-repair', 1],
      ['full', 0],
      ['full', 1],
    ]);
    expect(records[1]).toMatchObject({ plan: null, past: null, tokens: { input: 0, output: 0 } });
    expect(records[1].error).toMatch(/^the plan before is not valid/);
    expect(records[3].past?.plan.actions).toEqual(records[2].repaired?.plan.actions);
  });

  it('goes on with a stream of events from the records that are there', async () => {
    const { planner, heard } = await startTeamServer({ begin: [wrong], '13:00': [wrong] });
    const out = join(directory, 'run.jsonl');
    const words = ['run', '--events', 'wedding-traffic', '--planner', planner, '--out', out];
    const team = ['--topology', 'graph', '--variant', 'full,no-repair', '--quiet'];
    await cli([...words, ...team]);
    const whole = readFileSync(out, 'utf8');
    const lines = whole.split('\n');
    expect(lines).toHaveLength(5);
    const asked = heard.length;
    // All are there, also the one that could not be made.
    await cli([...words, ...team]);
    expect([readFileSync(out, 'utf8'), heard.length]).toEqual([whole, asked]);
    // Without the second record, the plan of the first is carried out, and nobody is asked for it again.
    writeFileSync(out, `${[lines[0], ...lines.slice(2)].join('\n')}`);
    await cli([...words, ...team]);
    expect(heard.slice(asked).every(({ moment }) => moment === '13:00')).toBe(true);
    expect(heard.length).toBeGreaterThan(asked);
    const records = readCoordinationRecords(out);
    const again = records.find(({ variant, disruption }) => variant === 'full' && disruption?.step);
    expect(again?.past?.plan).toEqual(records[0].repaired?.plan);
  });

  it('plays a cassette, with answers for a time, a role, or all problems', async () => {
    const cassette = join(directory, 'team.cassette.json');
    const answers = {
      'agent/planner': [writeAnswer(wrong, 'table'), writeAnswer(right, 'table')],
      'agent/wedding@13:00/planner': ['I give up.'],
    };
    const schema = 'alas-jssp/cassette@1';
    writeFileSync(
      cassette,
      JSON.stringify({ schema, origin: 'handwritten', model: null, answers }),
    );
    const out = join(directory, 'run.jsonl');
    const words = ['run', '--events', 'wedding-traffic', '--planner', `cassette:${cassette}`];
    await cli([...words, '--rounds', '2', '--out', out]);
    const [before, after] = readCoordinationRecords(out);
    expect(before.team?.rounds.map(({ form, judged }) => [form, judged?.valid])).toEqual([
      ['table', false],
      ['table', true],
    ]);
    expect(before.cost_usd).toBe(0);
    expect(after).toMatchObject({ plan: null, error: 'nothing in the answer is read as a plan' });
    expect(after.team?.ending).toBe('repeated');
  });

  it.each([
    [
      ['--experiment', 'narrowing', '--rounds', '1', '--planner', 'replay:x'],
      /an experiment has prompts of its own/,
    ],
    [['--variant', 'none'], /allowed choices are full, no-repair/],
    [['--topology', 'ring'], /allowed choices are single, chat/],
    [
      ['--suite', 'realm-p3', '--generated', '1', '--variant', 'no-repair'],
      /--variant does not go with a suite/,
    ],
    [['--rounds', '-1'], /a count/],
    [['--problem', 'thanksgiving', '--events', 'wedding-traffic'], /the events are for 'wedding'/],
    [['--planner', 'cassette:none.json', '--problem', 'wedding'], /none\.json/],
  ])('refuses %j in one line', async (words, reason) => {
    const { code, stderr } = await cli(['run', ...words]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(reason)]);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

it.each([
  ['wedding', 'wedding-traffic', [2, 1]],
  ['dinner', 'thanksgiving-delay-noon', [2, 2]],
] as const)('plays the example of the %s as the documents say', async (name, events, plans) => {
  const cassette = fileURLToPath(
    new URL(`../../../../examples/teams/${name}.cassette.json`, import.meta.url),
  );
  const words = ['run', '--events', events, '--planner', `cassette:${cassette}`];
  const { code, stdout } = await cli([
    ...words,
    ...['--topology', 'alas', '--rounds', '2', '--json'],
  ]);
  expect(code).toBe(0);
  const rows = JSON.parse(stdout).planners;
  expect(rows.map((row: { iterations: { mean: number } }) => row.iterations.mean)).toEqual(plans);
  expect(rows).toMatchObject([
    { events: 'before', alone: 0, valid: 1 },
    { events: 'after', valid: 1 },
  ]);
});
