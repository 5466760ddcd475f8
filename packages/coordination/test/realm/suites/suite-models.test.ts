import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startChatServer } from '../../../../../test/llm/servers/chat-completions.js';
import type { WireRequest } from '../../../../../test/llm/servers/wire-server.js';
import { readRealmRecords } from '../../../src/realm/suites/realm-record.js';
import { generateTour } from '../../../src/realm/tour/generate-tour.js';
import { readTour } from '../../../src/realm/tour/read-tour.js';
import { cli } from '../../cli/cli.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'suites-'));
  vi.stubEnv('OPENAI_API_KEY', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

const textOf = ({ body }: WireRequest): string =>
  body.messages.map(({ content }: { content: string }) => content).join('\n\n');

/** An endpoint that answers by what it is asked, and its planner. */
async function endpoint(behave: (text: string, n: number) => string) {
  const server = await startChatServer(
    (request, n) => ({ kind: 'answer', text: behave(textOf(request), n) }) as const,
  );
  return {
    server,
    planner: `openai-compatible:small@${server.url}/v1#structured=no,attempts=1`,
  };
}

/** A file of one tour, its best plan, and a plan that leaves the first visit out. */
async function tourFile() {
  const file = generateTour('p1_one', 5);
  writeFileSync(join(directory, 'p1_one.json'), JSON.stringify(file));
  const best = (await readTour(file, undefined, {}).problem?.search())?.plan as {
    visits: unknown[];
  };
  const words = (plan: object) => JSON.stringify({ ...plan, feasible: true, cost: 1 });
  return { best: words(best), short: words({ ...best, visits: best.visits.slice(1) }) };
}

const run = (...words: string[]) =>
  cli(['run', '--suite', 'realm-p1', '--data', directory, '--format', 'json', ...words]);

describe('models on a suite', () => {
  it('are asked over HTTP, judged, repaired, recorded, and replayed to the same record', async () => {
    const { short } = await tourFile();
    const { server, planner } = await endpoint(() => `Here it is:\n${short}`);
    const [out, answers] = [join(directory, 'run.jsonl'), join(directory, 'answers')];
    const { code, stderr } = await run('--planner', planner, '--out', out, '--record', answers);
    expect([code, stderr]).toEqual([1, expect.stringContaining('not valid (missing_visit')]);
    expect(textOf(server.requests[0])).toContain('Minutes to walk:\n- from entrance:');
    const [{ steps }] = readRealmRecords(out);
    expect(steps).toHaveLength(1);
    expect(steps[0]).toMatchObject({
      claimed: { feasible: true, cost: 1 },
      answer: { form: 'json', unread: [] },
      judged: { valid: false, gap_percent: null },
      tokens: { input: 11, output: 7 },
      team: null,
    });
    expect(steps[0].repaired?.edits).toBeGreaterThan(0);
    const replay = join(directory, 'replay.jsonl');
    await run('--planner', `replay:${answers}`, '--out', replay);
    const [again] = readRealmRecords(replay);
    const plain = ({ seconds: _, ...step }: (typeof steps)[number]) => step;
    expect(again.steps.map(plain)).toEqual(steps.map(plain));
  });

  it('get the violations back in rounds, and each round is recorded', async () => {
    const { best, short } = await tourFile();
    const { planner } = await endpoint((text) => (text.includes('is not visited') ? best : short));
    const out = join(directory, 'run.jsonl');
    const { code } = await run('--planner', planner, '--rounds', '2', '--out', out);
    expect(code).toBe(0);
    const [record] = readRealmRecords(out);
    expect(record.team).toEqual({ topology: 'single', rounds: 2 });
    expect(record.steps[0]).toMatchObject({
      judged: { valid: true, gap_percent: 0 },
      team: { kept: 1, ending: 'accepted', rounds: [{ valid: false }, { valid: true }] },
      tokens: { input: 22, output: 14 },
    });
    const { stdout } = await cli(['report', out, '--format', 'json']);
    expect(JSON.parse(stdout).rows[0]).toMatchObject({ team: 'single, 2 rounds', valid: 1 });
  });

  it('work as a team in which a validator sees no facts but its own', async () => {
    const { best } = await tourFile();
    const heard: string[] = [];
    const { planner } = await endpoint((text) => {
      heard.push(text);
      const role = /You are the ([^.\n]+)\./.exec(text)?.[1] ?? '';
      if (role.startsWith('validator')) return 'OK';
      return role.startsWith('agent') ? 'I have read my facts.' : best;
    });
    const { code } = await run('--planner', planner, '--topology', 'alas');
    expect(code).toBe(0);
    const validators = heard.filter((text) =>
      text.includes('You are the validator of opening hours'),
    );
    expect(validators).toHaveLength(1);
    expect(validators[0]).toContain('a visit begins from');
    expect(validators[0]).not.toContain('Minutes to walk');
  });

  it('have answers that cannot be read, or fail, with one line each', async () => {
    await tourFile();
    const { planner } = await endpoint(() => 'I cannot plan that.');
    const out = join(directory, 'run.jsonl');
    await run('--planner', planner, '--out', out);
    const [{ steps }] = readRealmRecords(out);
    expect(steps[0]).toMatchObject({
      plan: null,
      judged: null,
      error: 'nothing in the answer is read as a plan',
    });
    const none = 'openai-compatible:small@http://127.0.0.1:9/v1#structured=no,attempts=1';
    const dead = await run('--planner', none, '--out', join(directory, 'dead.jsonl'));
    expect([dead.code, dead.stdout === '']).toEqual([1, false]);
    expect(readFileSync(join(directory, 'dead.jsonl'), 'utf8')).toContain('"answer":null');
  });
});
