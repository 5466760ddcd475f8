import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkPackages } from '../link-packages.js';
import { temporaryDirectory } from '../temporary-directory.js';

/** A directory with the first program of a page, which imports the package by its name. */
function projectOf(page: string, name: string): { cwd: string; text: string } {
  const text = readFileSync(page, 'utf8');
  const cwd = temporaryDirectory();
  linkPackages(cwd);
  writeFileSync(join(cwd, name), /```js\n(.*?)```/s.exec(text)?.[1] ?? '');
  return { cwd, text };
}

describe('the program of a start page', () => {
  it('that embeds the engine prints what the page shows', () => {
    const { cwd, text } = projectOf('docs/start/embed.md', 'first.mjs');
    const printed = execFileSync(process.execPath, ['first.mjs'], { cwd, encoding: 'utf8' });
    expect(text).toContain(`\`\`\`text\n${printed}\`\`\`\n`);
  });

  it('that books a trip prints what the page shows, and runs each id once', () => {
    const { cwd, text } = projectOf('docs/start/workflows.md', 'trip.mjs');
    const run = (...args: string[]) =>
      execFileSync(process.execPath, ['trip.mjs', ...args], { cwd, encoding: 'utf8' });
    expect(text).toContain(`$ node trip.mjs t1\n${run('t1')}`);
    expect(text).toContain(`$ node trip.mjs t2 --hotel-down\n${run('t2', '--hotel-down')}`);
    expect(run('t1')).toMatch(/^COMPLETED \[\]/);
  });
});
