import { describe, expect, it } from 'vitest';
import { cli } from '../cli.js';

const show = (planner: string, ...more: string[]) =>
  cli(['plan', 'ft06', '--planner', planner, '--show-prompt', ...more], {
    env: { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '' },
  });

describe('alas-jssp plan --show-prompt', () => {
  it('prints the first prompt, its hash and estimates of tokens, without a key', async () => {
    const { code, stdout, stderr } = await show('openai:gpt-4o');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^ft06 by openai:gpt-4o\ntopology single, answers in the format sequences/,
    );
    expect(stdout).toMatch(/\nprompts alas-jssp\/prompts@\d+, [0-9a-f]{64}\n/);
    expect(stdout).toMatch(/\njobs 1 to 6 in one answer of about \d+ tokens\n/);
    expect(stdout).toMatch(
      /\n=== planner, plan: about \d+ tokens\n--- system\nYou plan a job shop/,
    );
    expect(stdout).toContain('\nJob1: M2 1, M0 3, M1 6, M3 7, M5 3, M4 6\n');
  });

  it('is one document of JSON, with the requests as they would be sent', async () => {
    const spec = 'anthropic:some-model#topology=alas,format=csv,temperature=0.5,structured=no';
    const document = JSON.parse((await show(spec, '--json')).stdout);
    expect(document).toMatchObject({
      schema: 'alas-jssp/prompt@1',
      instance: 'ft06',
      planner: spec,
      topology: 'alas',
      windows: [{ first_job: 1, last_job: 6 }],
    });
    expect(document.prompts).toHaveLength(6);
    expect(document.prompts[5]).toMatchObject({
      agent: 'job agent 6',
      purpose: 'propose',
      request: { model: 'some-model', temperature: 0.5 },
    });
    expect(document.prompts[5].request).not.toHaveProperty('shape');
  });

  it('has a row for each message in tables', async () => {
    const { stdout } = await show('openai:gpt-4o', '--format', 'csv');
    expect(stdout).toMatch(/^agent,purpose,prompt_tokens,role,content\nplanner,plan,\d+,system,/);
  });

  it('shows what a replay would have asked', async () => {
    const { stdout } = await show('replay:answers#openai:gpt-4o#topology=crew');
    expect(stdout).toContain('=== job scheduler, schedule:');
    expect((await show('replay:answers')).code).toBe(2);
    const recorded = await show('replay:test/llm/cassettes/scripted');
    expect(recorded.stdout).toContain('=== planner, plan:');
  });

  it('refuses planners that ask no model, and instances that do not fit', async () => {
    const heuristic = await show('dispatch:best');
    expect([heuristic.code, heuristic.stdout]).toEqual([2, '']);
    const small = await show('openai:gpt-4o#format=entries,context=900,max-output=100');
    expect(small.code).toBe(2);
    expect(small.stderr).toMatch(/job 1 alone takes about \d+ tokens of prompt and \d+ of answer/);
    expect((await show('openai:gpt-4o', '--out', 'plan.json')).code).toBe(2);
  });
});
