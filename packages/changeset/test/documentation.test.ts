import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { linkPackages } from '../../../test/link-packages.js';
import { temporaryDirectory } from '../../../test/temporary-directory.js';
import { plant } from './tree.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const document = readFileSync(join(root, 'docs/how-to/changeset.md'), 'utf8');

describe('docs/how-to/changeset.md', () => {
  it('has a first program that does what it says', () => {
    const cwd = temporaryDirectory();
    plant(join(cwd, 'project'), { 'limits.json': '{ "jobs": 10 }\n', 'notes.txt': 'first\n' });
    linkPackages(cwd);
    writeFileSync(join(cwd, 'program.mjs'), /```js\n([\s\S]*?)```/.exec(document)?.[1] ?? '');
    const diff = execFileSync(process.execPath, ['program.mjs'], { cwd, encoding: 'utf8' });
    expect(diff).toContain('-{ "jobs": 10 }\n+{ "jobs": 20 }\n');
    expect(readdirSync(join(cwd, 'project'))).toEqual(['limits.json', 'notes.txt']);
    writeFileSync(join(cwd, 'a.diff'), diff);
    execFileSync('git', ['apply', '-p1', '--directory=project', 'a.diff'], { cwd });
    expect(readdirSync(join(cwd, 'project'))).toEqual(['NOTES.md', 'limits.json']);
  });

  it('shows what its example prints', () => {
    const args = [join(root, 'examples/changeset-saga.mjs')];
    const printed = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect(document).toContain(`\`\`\`\n${printed}\`\`\`\n`);
  });
});
