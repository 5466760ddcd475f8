import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { collectPlanners } from '../../../src/cli/common/options.js';
import { readRun } from '../../../src/harness/run/stored-run.js';
import { startChatServer } from '../../llm/servers/chat-completions.js';
import { cli, temporaryDirectory } from '../cli.js';

/** Made-up answers; `record.mjs` beside them says which. */
const TAPE = fileURLToPath(new URL('../../llm/cassettes/scripted', import.meta.url));
const KEY = 'sk-very-secret-0123456789';

describe('alas-jssp run before anything is asked', () => {
  const what = ['run', '--suite', 'ft', '--planner', 'openai:gpt-4.1', '--planner', 'insertion'];

  it('prints the cost of models', async () => {
    const json = await cli([...what, '--budget-usd', '0.001', '--estimate', '--json']);
    expect(json.code).toBe(0);
    const { schema, planners, total, exceeded } = JSON.parse(json.stdout);
    expect([schema, exceeded]).toEqual(['alas-jssp/estimate@1', ['the budget of $0.001']]);
    expect(planners).toHaveLength(1);
    expect(total).toMatchObject({ plans: 3, requests: { least: 3, most: 3 } });
    expect(total.cost_usd.least).toBe(planners[0].cost_usd.most);
    const table = await cli([...what, '--estimate', '--format', 'table']);
    expect(table.stdout).toMatch(/openai:gpt-4\.1 +3 +3 /);
    expect(table.stderr).toContain('nothing was sent');
    const none = await cli(['run', '--suite', 'ft', '--estimate']);
    expect(none.stderr).toContain('no planner asks a model');
  });

  it('shows the first question of each model', async () => {
    const text = await cli([...what, '--show-prompt']);
    expect(text.stdout).toMatch(/^ft06 by openai:gpt-4\.1\n/);
    expect(text.stderr).toContain('the first of 3 instances');
    const json = await cli([...what, '--show-prompt', '--json']);
    expect(JSON.parse(json.stdout).planners).toMatchObject([{ schema: 'alas-jssp/prompt@1' }]);
    const none = await cli(['run', '--suite', 'ft', '--show-prompt']);
    expect([none.code, none.stdout]).toEqual([2, '']);
  });
});

describe('alas-jssp run with a cassette', () => {
  it('keeps apart what the model, the repair and the search achieved', async () => {
    const out = join(temporaryDirectory(), 'run');
    const what = ['run', '--suite', 'ft06,la01,la02,la03', '--planner', `replay:${TAPE}`];
    const how = ['--repair', 'llm', '--rounds', '2', '--optimize', '1k-iterations'];
    const { code, stdout, stderr } = await cli([...what, ...how, '--out', out, '--format', 'md']);
    expect(code).toBe(0);
    expect(stderr).toContain('models: 0 requests');
    const stages = stdout.slice(stdout.indexOf('| stage |'));
    expect(stages).toMatch(/planner alone \| 4 \| 1\/4 .*\| 24\.73 .*\| 0\.0056 /);
    expect(stages).toMatch(/after repair \| 3 \| 4\/4 .*\| 0\.0097 /);
    expect(stages).toMatch(/after optimize \| 4 \| 4\/4 .*\| 0\.0000 /);
    const { records, manifest } = readRun(out);
    expect(manifest).toMatchObject({
      spec: { repair: true, repairer: 'llm' },
      outcome: { stopped: null },
    });
    const repairs = records.map(({ repair }) => [repair?.by, repair?.seed_coverage, repair?.asked]);
    expect(repairs).toEqual([
      ['llm', 1, [{ violations: 0, makespan: 61 }]],
      ['lcrp', 0, [expect.anything(), expect.anything()]],
      [undefined, undefined, undefined],
      ['lcrp', 1, [expect.anything(), expect.anything()]],
    ]);
    expect(records.map(({ feasible }) => feasible)).toEqual([true, true, true, true]);
    // The shape that a model was not held to, and what it did not answer, are the same here and there.
    const again = await cli(['run', '--resume', out, '--json', '--quiet']);
    expect(JSON.parse(again.stdout).records).toEqual(records);
  });

  it('names the answer that is missing, and what to do', async () => {
    const planner = ['--planner', `replay:${TAPE}`];
    const what = ['run', '--suite', 'la04', '--no-out', '--format', 'csv'];
    const { code, stdout } = await cli([...what, ...planner]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /no answer to this is in .+, of 'openai-compatible:scripted.+, [\da-f]{64}\)/,
    );
    const { code: bad, stderr } = await cli(['run', '--planner', 'replay:nowhere', '--no-out']);
    expect([bad, stderr]).toEqual([2, expect.stringContaining('name a directory')]);
  });
});

describe('alas-jssp run with a model', () => {
  it('believes a model that judges its own plan, and skips planners that cannot, by name', async () => {
    const entries = 'job,step,machine,start,end\n1,1,2,0,1\n1,2,0,0,3';
    const server = await startChatServer(({ body }) => {
      const { messages } = body as { messages: readonly { readonly content: string }[] };
      const isAsked = messages.at(-1)?.content.includes('Check your plan against all rules');
      return { kind: 'answer', text: isAsked ? '{"valid": true, "errors": []}' : entries };
    });
    const planner = `openai-compatible:m@${server.url}/v1#format=csv`;
    const what = ['run', '--suite', 'ft06', '--planner', planner, '--planner', 'insertion'];
    const how = ['--variant', 'full,self-validation', '--optimize', '200-iterations', '--no-out'];
    const { code, stdout, stderr } = await cli([...what, ...how, '--json']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'self-validation is for planners that ask a model: skipped for insertion',
    );
    const { records, summary } = JSON.parse(stdout);
    expect(summary.planned).toBe(3);
    const of = (variant: string) =>
      records.filter((record: { variant: string }) => record.variant === variant);
    expect(of('full')).toHaveLength(2);
    const [self] = of('self-validation');
    expect(self).toMatchObject({
      planner,
      status: 'infeasible',
      llm: { answers: 2, self_verdict: { valid: true, errors: [] } },
      stages: { plan: null, repair: null, optimize: { feasible: false } },
    });
    expect(self.violations.missing_operation).toBe(34);
    expect(self.tokens.input).toBeGreaterThan(of('full')[0].tokens.input);
  });

  it('ends when the budget is spent, says so, and resumes with a larger one', async () => {
    const text = readFileSync(join(TAPE, readdirSync(TAPE)[0]), 'utf8');
    const server = await startChatServer(() => ({ kind: 'answer', text, usage: false }));
    const directory = temporaryDirectory();
    writeFileSync(join(directory, '.env'), `OPENAI_COMPATIBLE_API_KEY=${KEY}\n`);
    const planner = `openai-compatible:m@${server.url}/v1#topology=single,format=csv`;
    const what = ['run', '--suite', 'ft06,la01,la02', '--planner', planner, '--repair'];
    const how = ['--budget-tokens', '5000', '--llm-concurrency', '1', '--workers', '1'];
    const log = ['--log', 'run.db', '--out', 'run'];
    const first = await cli([...what, ...how, ...log], { cwd: directory });
    expect(first.code).toBe(1);
    expect(first.stderr).toMatch(
      /the budget of 5000 tokens is spent: ended after [12] of 3 records/,
    );
    expect(first.stderr).toContain('continue with: alas-jssp run --resume run and a larger budget');
    expect(server.requests[0].headers.authorization).toBe(`Bearer ${KEY}`);
    const more = ['run', '--resume', 'run', '--budget-tokens', '50000'];
    const second = await cli(more, { cwd: directory });
    expect(second.code).toBe(0);
    expect(server.requests).toHaveLength(3);
    expect(second.stderr).toMatch(
      /models: [12] requests? answered, about \d+ tokens in, \d+ out, price unknown/,
    );
    cpSync(join(directory, 'run'), join(directory, 'files', 'run'), { recursive: true });
    cpSync(join(directory, 'run.db'), join(directory, 'files', 'run.db'));
    for (const name of readdirSync(join(directory, 'files'), {
      recursive: true,
      encoding: 'utf8',
    })) {
      if (!/\.\w+$/.test(name)) continue;
      expect(readFileSync(join(directory, 'files', name), 'latin1')).not.toContain(KEY);
    }
    const replay = await cli(['log', 'replay', 'run.db'], { cwd: directory });
    expect(replay.code, replay.stdout).toBe(0);
    expect(replay.stdout).toMatch(/ft06.*: parity/);
  });

  it('asks nothing if the answers cannot be kept', async () => {
    const server = await startChatServer(() => ({ kind: 'answer', text: '' }));
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    const planner = ['--planner', `openai-compatible:m@${server.url}/v1`];
    const what = ['run', '--suite', 'ft06', '--no-out', ...planner];
    const { code, stderr } = await cli([...what, '--record', file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}: this is a file, answers need a directory`);
    expect(server.requests).toHaveLength(0);
    const { stderr: lost } = await cli(['report', file]);
    expect(lost).toContain(`there is no run in ${file};`);
  });

  it('asks it for a plan with `plan`, too, and wants a key where there is none', async () => {
    const answer = { schedule: [{ job: 'Job1', step: 1, machine: 'Machine2', start: 0, end: 1 }] };
    const server = await startChatServer(() => ({ kind: 'answer', text: JSON.stringify(answer) }));
    const planner = ['--planner', `openai-compatible:m@${server.url}/v1`];
    const { code, stdout, stderr } = await cli(['plan', 'ft06', ...planner, '--format', 'csv']);
    expect(code).toBe(1);
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stderr).toContain('infeasible (11 tokens in, 7 out, price unknown), 35 violations');
    const env = { OPENAI_API_KEY: '' };
    const cwd = temporaryDirectory();
    const keyless = await cli(['plan', 'ft06', '--planner', 'openai:gpt-4o'], { env, cwd });
    expect([keyless.code, keyless.stdout]).toEqual([2, '']);
    expect(keyless.stderr).toContain('set OPENAI_API_KEY');
  });
});

describe('collectPlanners', () => {
  it('parts planners at commas, but not their settings', () => {
    const spec = 'openai:gpt-4o#topology=crew,format=csv';
    expect(collectPlanners(`insertion, ${spec},dispatch:spt`, ['a'])).toEqual([
      'a',
      'insertion',
      spec,
      'dispatch:spt',
    ]);
    expect(collectPlanners('transcripts:a.jsonl#model=GPT-4o,topology=single', undefined)).toEqual([
      'transcripts:a.jsonl#model=GPT-4o,topology=single',
    ]);
  });
});
