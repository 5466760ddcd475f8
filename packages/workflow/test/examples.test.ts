import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const document = readFileSync(`${root}docs/reference/saga.md`, 'utf8');

test('the saga of five steps takes at most 20 lines', () => {
  const text = readFileSync(`${root}examples/refund-workflow.mjs`, 'utf8');
  const [, saga] = /The saga begins here\.\n(.*)\/\/ The saga ends here\./s.exec(text) ?? [];
  const lines = saga.split('\n').filter((line) => line.trim() !== '');
  expect(saga.match(/flow\.step\(/g)).toHaveLength(5);
  expect(lines.length).toBeLessThanOrEqual(20);
});

describe.each(['refund', 'travel'])('examples/%s-saga.mjs', (name) => {
  it('prints what the document shows', async () => {
    const args = [`examples/${name}-saga.mjs`];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    expect(document).toContain(`\`\`\`\n${stdout}\`\`\`\n`);
  });
});
