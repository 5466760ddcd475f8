import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cli } from '../cli/cli.js';

// Answers of SmolLM2-135M-Instruct, as docs/how-to/coordination.md says how to record them. Where questions change, they
// have to be recorded anew.
const answers = fileURLToPath(new URL('smollm2', import.meta.url));

describe('answers that a small model gave', () => {
  it.each([
    ['narrowing', ['wedding', 'ride-sharing'], ['once', 'repeated', 'far']],
    ['self-validation', ['wedding', 'ride-sharing'], ['own', 'correct', 'too-fast', 'left-out']],
    ['amnesia', ['wedding-traffic', 'ride-sharing-reactive'], ['conversation', 'log']],
  ])('are replayed in the experiment %s', async (experiment, problems, conditions) => {
    const words = ['run', ...problems.flatMap((name) => ['--problem', name]), '--answer', 'table'];
    const arms = ['--experiment', experiment, '--arms', conditions.join(',')];
    const planner = ['--planner', `replay:${answers}`, ...arms];
    const { stdout, stderr } = await cli([...words, ...planner, '--json']);
    expect(stderr).not.toContain('MissingAnswer');
    const rows: { condition: string; records: number; tokens: number }[] =
      JSON.parse(stdout).planners;
    expect(rows.map(({ condition }) => condition)).toEqual(conditions);
    for (const { records, tokens } of rows) {
      expect(records).toBe(problems.length);
      expect(tokens).toBeGreaterThan(0);
    }
  });
});
