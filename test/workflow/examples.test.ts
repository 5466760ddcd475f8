import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const document = readFileSync(`${root}docs/saga.md`, 'utf8');

describe.each(['refund', 'travel'])('examples/%s-saga.mjs', (name) => {
  it('prints what the document shows', async () => {
    const args = [`examples/${name}-saga.mjs`];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    expect(document).toContain(`\`\`\`\n${stdout}\`\`\`\n`);
  });
});
