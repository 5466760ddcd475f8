import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, temporaryDirectory } from '../../../../test/cli/cli.js';

const TASK = 'examples/tasks/data-leak';

test('a reviewer that always agrees is found by faults planted in runs', async () => {
  const dir = temporaryDirectory();
  const [out, log] = [join(dir, 'leak'), join(dir, 'leak.db')];
  const models = ['--planner', `cassette:${TASK}.cassette.json`];
  models.push('--reviewer', `cassette:${TASK}.reviewer.json`);
  expect(await cli(['workflow', 'draft', `${TASK}.md`, ...models, '--out', out])).toMatchObject({
    code: 0,
  });
  const run = ['workflow', 'run', out, '--tools', 'trial'];
  const poor = await cli([...run, '--budget-tokens', '100']);
  expect(poor.code).toBe(1);
  expect(poor.stdout + poor.stderr).toContain('BudgetSpent');
  await cli([...run, '--log', log, '--budget-tokens', '20000']);
  const check = ['workflow', 'check', out, '--calibrate', log];
  const table = await cli([...check, '--format', 'table']);
  expect(table).toMatchObject({ code: 0, stderr: '' });
  expect(table.stdout).toMatch(/check +cassette:.* +25 +5 +3 of 3 +0 of 1\n/);
  expect(table.stdout).toMatch(
    /check: 3 wrong verdicts\n[\s\S]* {2}false pass: 0: text is missing: it passed\n/,
  );
  const { stdout } = await cli([...check, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    schema: 'alas-jssp/calibration@1',
    reviewers: [
      { node: 'check', reviews: 'draft', calibration: { accuracy: { count: 1, of: 4 } } },
    ],
  });
  const file = await cli(['workflow', 'check', 'examples/refund.json', '--calibrate', log]);
  expect(file.code).toBe(2);
  expect(file.stderr).toContain('examples/refund.json: this is no draft; only drafts have models');
});
