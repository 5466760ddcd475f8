import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRun } from '../../../src/harness/run/stored-run.js';
import { planFromSchedule } from '../../../src/jssp/plan.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { dispatch } from '../../../src/search/index.js';
import { startChatServer } from '../../llm/servers/chat-completions.js';
import type { WireRequest } from '../../llm/servers/wire-server.js';
import { cli, temporaryDirectory } from '../cli.js';

const { entries } = planFromSchedule(dispatch(resolveSource('ft06').load(), { rule: 'mwkr' }));

/** The plan of ft06 in the lines that the paper requires of frameworks. */
const LINES = [
  'FINAL MAKESPAN: 61',
  'STRUCTURED SCHEDULE:',
  ...entries.map(
    ({ job, step, machine, start, end }) =>
      `- Job: Job${job + 1}, Step: ${step + 1}, Machine: Machine${machine}, Start Time: ${start}, End Time: ${end}, Duration: ${end - start}`,
  ),
].join('\n');

/** The same as the object that the paper requires of single models. */
const OBJECT = JSON.stringify({
  makespan: 61,
  algorithm: 'Shifting bottleneck',
  params: { rule: 'mwkr', passes: [1, 2] },
  schedule: entries.map(({ job, step, machine, start, end }) => ({
    job: `Job${job + 1}`,
    step: step + 1,
    machine: `Machine${machine}`,
    start,
    end,
  })),
});

function answerTo({ body }: WireRequest) {
  const question: string = body.messages.at(-1).content;
  const isSingle = question.includes('algorithm (string)');
  const text = /\bsay OK\b/i.test(question) ? 'OK' : isSingle ? OBJECT : `${LINES}\nnext: nobody`;
  return { kind: 'answer', text } as const;
}

const small = ['--suite', 'ft06', '--threads', '1'];

/** The only directory in a directory. */
function onlyIn(directory: string): string {
  const names = readdirSync(directory);
  expect(names).toHaveLength(1);
  return join(directory, names[0]);
}

describe('job shops with a model', () => {
  it('are asked once, in the prompts of the paper, for all tables that share the runs', async () => {
    const server = await startChatServer(answerTo);
    const cwd = temporaryDirectory();
    const model = ['--planner', `openai-compatible:m@${server.url}/v1`];
    const first = await cli(['paper', 'alas/table-3', ...model, ...small], { cwd });
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('page in')]);
    const asked = server.requests.map(({ body }) => body.messages.at(-1).content as string);
    expect(asked.some((text) => text.includes('REQUIRED OUTPUT FORMAT:'))).toBe(true);
    expect(asked.some((text) => text.includes('- params (JSON object'))).toBe(true);
    expect(asked.some((text) => text.includes('a JSON list that has an element'))).toBe(true);
    expect(server.requests.every(({ body }) => body.response_format === undefined)).toBe(true);
    for (const topology of ['group-chat', 'crew', 'graph', 'swarm', 'single', 'alas']) {
      if (topology !== 'single') expect(first.stdout).toContain(`m.${topology}`);
    }
    const runs = join(cwd, 'results/paper/runs');
    const recordsOf = (experiment: string) => readRun(onlyIn(join(runs, experiment))).records;
    const records = [...recordsOf('shops-single'), ...recordsOf('shops-teams')];
    expect(new Set(records.map(({ llm }) => llm?.topology)).size).toBe(5);
    expect(records.every(({ stages }) => stages.plan?.feasible)).toBe(true);
    expect(new Set(recordsOf('shops-alas').map(({ variant }) => variant)).size).toBe(3);
    const count = server.requests.length;
    const second = await cli(['paper', 'alas/table-4', 'alas/table-10', ...model, ...small], {
      cwd,
    });
    expect(second.code).toBe(0);
    expect(server.requests).toHaveLength(count);
    expect(second.stdout).toMatch(
      /Shifting bottleneck \| \{"rule":"mwkr","passes":\[1,2\]\} \| 61/,
    );
  });

  it('end without a page that looks complete if the budget is spent, and are resumed', async () => {
    const server = await startChatServer(answerTo);
    const cwd = temporaryDirectory();
    const model = ['--planner', `openai-compatible:m@${server.url}/v1`];
    const poor = await cli(
      ['paper', 'alas/figure-5', ...model, ...small, '--budget-tokens', '20'],
      {
        cwd,
      },
    );
    expect(poor.code).toBe(1);
    expect(poor.stdout).toContain('**Not complete:** the budget of 20 tokens');
    const again = await cli(['paper', 'alas/figure-5', ...model, ...small], { cwd });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('add --resume')]);
    const rich = ['--resume', '--budget-tokens', '100000'];
    const done = await cli(['paper', 'alas/figure-5', ...model, ...small, ...rich], { cwd });
    expect(done.code).toBe(0);
    expect(done.stdout).toMatch(/\| full \| 0 \| 1 \| 1 \| 0 \|/);
    const page = readFileSync(join(cwd, 'results/paper/alas/figure-5.md'), 'utf8');
    expect(page).not.toContain('Not complete');
  });
});
