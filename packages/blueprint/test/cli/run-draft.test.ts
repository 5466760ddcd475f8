import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, temporaryDirectory } from '../../../../test/cli/cli.js';

test('a run of a draft that waits says how it is approved and resumed, from the log in its folder', async () => {
  const out = join(temporaryDirectory(), 'refund');
  const planner = 'cassette:examples/tasks/refund.cassette.json';
  await cli(['workflow', 'draft', 'examples/tasks/refund.md', '--planner', planner, '--out', out]);
  const run = await cli(['workflow', 'run', out, '--tools', 'trial']);
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('it waits for the approval confirmation');
  const log = join(out, 'runs.db');
  const approval = `alas-jssp log approve ${log} refund-1 confirmation --by `;
  expect(run.stderr).toContain(`approve: ${approval}`);
  expect(run.stderr).toContain(
    `resume: alas-jssp log resume ${log} --run refund-1 --handlers ${out}`,
  );
  const given = await cli(['log', 'approve', log, 'refund-1', 'confirmation', '--by', 'Petra']);
  expect(given.code).toBe(0);
  const check = await cli(['workflow', 'check', out]);
  expect(check.code).toBe(0);
});
