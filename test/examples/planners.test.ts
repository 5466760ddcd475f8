import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runTest } from '../harness/fixtures.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('a planner in Python', () => {
  it('that the document shows is the one of the examples', () => {
    const [, shown] =
      /```python\n(.*?)```/s.exec(readFileSync('docs/reference/planners.md', 'utf8')) ?? [];
    expect(readFileSync('examples/planners/serial.py', 'utf8')).toBe(shown);
  });

  it.skipIf(!hasPython)('hands over two plans, of which the better one counts', async () => {
    const planners = ['serial=exec:python3 examples/planners/serial.py'];
    const { records } = await runTest({ suite: 'ft06', planners, workers: 1 });
    expect(records[0]).toMatchObject({
      planner: 'serial',
      status: 'ok',
      makespan: 197,
      error: null,
    });
    expect(records[0].improvements.map(({ value }) => value)).toEqual([197]);
    expect(records[0].process).toMatchObject({ exit_code: 0, stderr: '' });
  });

  it.skipIf(!hasPython)(
    'chooses machines of a flexible shop, which is handed over as .fjs',
    async () => {
      const command = 'exec:python3 examples/planners/flexible.py {instance.fjs}';
      const { records } = await runTest({ suite: 'mk01', planners: [command], workers: 1 });
      expect(records[0]).toMatchObject({ status: 'ok', feasible: true, error: null });
      expect(records[0].process).toMatchObject({ exit_code: 0, stderr: '' });
    },
  );

  it('gets no flexible shop without its alternatives', async () => {
    const planners = ['serial=exec:python3 examples/planners/serial.py'];
    const { records } = await runTest({ suite: 'mk01', planners, workers: 1 });
    expect(records[0].status).toBe('error');
    expect(records[0].error).toContain('mk01 has alternative machines');
    expect(records[0].error).toContain('{instance.fjs}');
  });
});
