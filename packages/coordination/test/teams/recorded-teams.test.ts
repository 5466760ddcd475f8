import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, replayRun } from '@alas-jssp/workflow';
import { describe, expect, it } from 'vitest';
import { startChatServer } from '../../../../test/llm/servers/chat-completions.js';
import { createReplayRegistry, readCoordinationRecords } from '../../src/index.js';
import { cli } from '../cli/cli.js';

const FOLDER = '/work/shared/corpus/teams';

/** A team whose answers were published: the file, and the place of the answer that each of our roles gives. */
interface RecordedTeam {
  readonly problem: string;
  readonly events: string;
  readonly file: string;
  readonly answers: Readonly<Record<string, number>>;
}

const TEAMS: readonly RecordedTeam[] = [
  {
    problem: 'wedding',
    events: 'wedding-traffic',
    file: 'multiagent-P5andP8-WeddingLogistics.json',
    answers: {
      'agent for arrivals': 0,
      'agent for tasks': 1,
      'agent for transport': 2,
      validator: 3,
      planner: 4,
    },
  },
  {
    problem: 'thanksgiving',
    events: 'thanksgiving-delay-noon',
    file: 'multiagent-P6and9-ThanksgivingReport.json',
    answers: {
      'agent for arrivals': 0,
      'agent for tasks': 1,
      'agent for transport': 2,
      validator: 2,
      planner: 3,
    },
  },
];

/** An endpoint that gives the published answers, by role. */
async function startRecordedTeam({ file, answers }: RecordedTeam) {
  const published = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')).answers;
  const server = await startChatServer(({ body }) => {
    const [{ content }] = body.messages;
    const role = /You are the ([^.\n]+)\./.exec(content)?.[1] ?? 'planner';
    const key = role.startsWith('validator') ? 'validator' : role;
    return { kind: 'answer', text: published[answers[key] ?? answers.planner].text };
  });
  return `openai-compatible:small@${server.url}/v1#structured=no,attempts=1`;
}

describe.skipIf(!existsSync(FOLDER)).each(TEAMS)('the published team, $problem', (team) => {
  const { problem, events } = team;
  const begin = ['--events', events, '--topology', 'alas', '--rounds', '2'];

  it('has no valid plan, before or after the change, and repair keeps nothing of it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'teams-'));
    const out = join(directory, 'run.jsonl');
    const planner = await startRecordedTeam(team);
    await cli(['run', '--problem', problem, ...begin, '--planner', planner, '--out', out]);
    const records = readCoordinationRecords(out);
    expect(records).toHaveLength(2);
    for (const { team: work, judged, repaired } of records) {
      expect(work?.rounds.map((round) => round.judged?.valid)).toEqual([false, false, false]);
      expect([judged?.valid, repaired?.edit_radius]).toEqual([false, 1]);
    }
    rmSync(directory, { recursive: true });
  });

  it('is carried out in a log by what repair makes of it, and replayed with parity', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'teams-'));
    const log = join(directory, 'day.db');
    const planner = await startRecordedTeam(team);
    const words = ['execute', problem, ...begin, '--planner', planner, '--log', log];
    const { code, stdout, stderr } = await cli([...words, '--format', 'table']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/planned by the team \(alas, 9 requests, plan 1 of 3 kept, repaired by/);
    expect(stdout).toContain(
      'planned again by the team (alas, 9 requests, plan 1 of 3 kept, repaired by',
    );
    const store = openSqliteStore(log);
    const registry = createReplayRegistry(store);
    expect(await replayRun(store, 'coordination', { registry })).toMatchObject({ parity: true });
    store.close();
    rmSync(directory, { recursive: true });
  });
});
