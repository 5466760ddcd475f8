import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, replayRun, verifyLog } from '@alas-jssp/workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  applyEvent,
  bundledEvents,
  bundledPlan,
  bundledProblem,
  type CoordinationPlan,
  type CoordinationRecord,
  createReplayRegistry,
  judge,
  readCoordinationRecords,
  readPlan,
  repairCoordination,
} from '../../src/index.js';
import { shownRecords } from '../../src/page/shown-records.js';
import { cli } from '../cli/cli.js';
import { startTeamServer, type TeamScript } from './team-server.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'teams-'));
  vi.stubEnv('OPENAI_API_KEY', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

/** A day with a disruption: the plans before and after it, of which the first ones are wrong. */
interface Day {
  readonly problem: string;
  readonly events: string;
  readonly at: string;
  readonly script: TeamScript;
}

/** The plan that is right after the change, where the given one was carried out until then. */
function rightAfter(problem: string, plan: string, events: string): CoordinationPlan {
  const list = bundledEvents(events).events;
  const changed = list.reduce(applyEvent, bundledProblem(problem));
  const now = 60 * Number(list[0].at.slice(0, 2));
  return repairCoordination(changed, bundledPlan(plan), { now, budget: '20k-iterations' }).plan;
}

const DAYS: readonly Day[] = [
  {
    problem: 'wedding',
    events: 'wedding-traffic',
    at: '13:00',
    script: {
      begin: [
        bundledPlan('sagallm-table-6'),
        bundledPlan('sagallm-table-6'),
        bundledPlan('wedding'),
      ],
      '13:00': [bundledPlan('wedding'), rightAfter('wedding', 'wedding', 'wedding-traffic')],
    },
  },
  {
    problem: 'thanksgiving',
    events: 'thanksgiving-delay-noon',
    at: '12:00',
    script: {
      begin: [
        bundledPlan('alas-table-25'),
        bundledPlan('alas-table-24'),
        bundledPlan('alas-table-21'),
      ],
      '12:00': [
        bundledPlan('alas-table-27'),
        rightAfter('thanksgiving', 'alas-table-21', 'thanksgiving-delay-noon'),
      ],
    },
  },
];

const SEVEN = [
  'agent for arrivals',
  'agent for transport',
  'agent for tasks',
  'coordinator',
  'validator of drives',
  'validator of tasks',
  'supervisor',
];

const TEAM = ['--topology', 'alas', '--rounds', '3'];

describe.each(DAYS)('a team of seven, $problem', ({ problem, events, at, script }) => {
  it('plans over HTTP, hears the judge, and plans again after the disruption', async () => {
    const { planner, heard } = await startTeamServer(script);
    const [out, answers] = [join(directory, 'run.jsonl'), join(directory, 'answers')];
    const words = ['run', '--problem', problem, '--events', events, ...TEAM, '--record', answers];
    const { code } = await cli([...words, '--planner', planner, '--out', out]);
    expect(code).toBe(0);
    const [first, second, ...more] = readCoordinationRecords(out);
    expect(more).toEqual([]);
    expect([...new Set(heard.map(({ role }) => role))].sort()).toEqual([...SEVEN].sort());

    expect(first.disruption).toEqual({ step: 0, of: 1, at: null, events: [] });
    expect(first.team?.rounds.map(({ judged }) => judged?.valid)).toEqual([false, true]);
    expect(first.team?.rounds[0].turns.map(({ role }) => role)).toHaveLength(7);
    expect(first.team).toMatchObject({ topology: 'alas', kept: 1, ending: 'accepted' });
    expect(first.judged?.valid).toBe(true);
    expect(first.repaired?.edits).toBe(0);
    const fault = first.team?.rounds[0].judged?.violations[0].message ?? '?';
    expect(heard.filter(({ text }) => text.includes(`- ${fault}`))).toHaveLength(1);

    expect(shownRecords([first, second]).map(({ title }) => title)).toEqual([
      expect.stringMatching(/before any event: plan 1 of 2, not kept$/),
      expect.stringMatching(/before any event$/),
      expect.stringContaining(`after ${at}: `),
    ]);

    expect(second.disruption).toMatchObject({ step: 1, of: 1, at });
    expect(second.past?.plan.actions).toEqual(first.plan?.actions);
    expect(second.judged?.valid).toBe(true);
    expect(second.team?.rounds.map(({ judged }) => judged?.valid)).toEqual([true]);
    expect(second.tokens).toEqual({ input: 7 * 11, output: 7 * 7 });

    // The answers that were kept give the same records, without a server.
    const again = join(directory, 'again.jsonl');
    await cli([...words.slice(0, -2), '--planner', `replay:${answers}`, '--out', again]);
    const same = ({ planner: _, seconds: __, ...rest }: CoordinationRecord) => rest;
    expect(readCoordinationRecords(again).map(same)).toEqual([first, second].map(same));
  });

  it('carries its plan out in a log, recovers, and is replayed with parity', async () => {
    const { planner, server } = await startTeamServer(script);
    const log = join(directory, 'day.db');
    const begin = ['execute', problem, '--events', events, ...TEAM, '--planner', planner];
    const started = await cli([...begin, '--log', log, '--to', '11:30', '--json']);
    expect(started.stderr).toContain('planned by the team (alas, 8 requests');
    const asked = server.requests.length;
    const resume = ['execute', problem, '--log', log, '--resume'];
    const refused = await cli(resume);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/^alas-coordination: [^\n]*a team of [^\n]*\n$/),
    ]);
    const { code, stdout } = await cli([...resume, '--planner', planner, '--format', 'table']);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'planned again by the team (alas, 7 requests, plan 1 of 1 kept, valid',
    );
    expect(server.requests.length).toBe(asked + 7);

    const store = openSqliteStore(log);
    try {
      expect(verifyLog(store)).toMatchObject({ valid: true });
      const replayed = await replayRun(store, 'coordination', {
        registry: createReplayRegistry(store),
      });
      expect(replayed).toMatchObject({ parity: true });
      expect(replayed.rerun).toBeGreaterThan(10);
      expect(server.requests.length).toBe(asked + 7);
    } finally {
      store.close();
    }
    const told = JSON.parse((await cli([...resume, '--json'])).stdout);
    const changed = bundledEvents(events).events.reduce(applyEvent, bundledProblem(problem));
    expect(judge(changed, readPlan(told.plan)).violations).toEqual([]);
  });
});

describe('a team without a plan', () => {
  const begin = ['execute', 'wedding', '--events', 'wedding-traffic', '--format', 'table'];

  it('ends with exit code 1 before anything is carried out', async () => {
    const { planner } = await startTeamServer({});
    const { code, stdout, stderr } = await cli([...begin, '--planner', planner]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^the team made no plan: [^\n]*\n$/);
  });

  it('leaves the repair to code in the full loop, and says so', async () => {
    const { planner } = await startTeamServer({});
    const given = ['execute', 'wedding', 'wedding', ...begin.slice(2), '--planner', planner];
    const { code, stdout } = await cli(given);
    expect(code).toBe(0);
    expect(stdout).toMatch(/the team made no plan: [^\n]*\n +repaired by 'retime'/);
    const alone = await cli([...given, '--variant', 'no-repair']);
    expect(alone.code).toBe(1);
    expect(alone.stdout).toMatch(/no repair: the team made no plan: [^\n]* stays\n$/);
  });

  it.each([
    [['--topology', 'alas'], /--topology needs --planner/],
    [['--planner', 'search'], /'search' is no model/],
    [
      ['--resume', '--log', 'x.db', '--planner', 'replay:x', '--rounds', '2'],
      /--rounds is that of the log/,
    ],
  ])('refuses %j in one line', async (words, reason) => {
    const { code, stderr } = await cli(['execute', 'wedding', ...words]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(reason)]);
    expect(stderr.trimEnd()).not.toContain('\n');
  });
});
