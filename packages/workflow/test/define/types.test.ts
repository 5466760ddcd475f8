import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('misspelt outputs and handlers of the wrong type do not compile', () => {
  // In marked.ts each line that must not compile is marked; wrong.ts has two that are not.
  const args = [
    'node_modules/typescript/bin/tsc',
    '--noEmit',
    '--pretty',
    'false',
    '-p',
    'packages/workflow/test/define/fixtures',
  ];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const errors = stdout.split('\n').filter((line) => line.includes('error TS'));
  expect(errors).toEqual([
    expect.stringMatching(/wrong\.ts.*Type 'string' is not assignable to type 'number'/),
    expect.stringMatching(/wrong\.ts.*Property 'amout' does not exist .* Did you mean 'amount'/),
  ]);
});
