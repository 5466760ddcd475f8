import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryDirectory } from './cli.js';
import { shell } from './shell.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The commands of a document with the output that it shows of them. */
function sessionsOf(document: string): { command: string; shown: string }[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/```console\n\$ (.*(?:(?<=\\)\n.*)*)\n([\s\S]*?)```/g)].map(
    ([, command, shown]) => ({ command: command.replaceAll('\\\n', ''), shown }),
  );
}

it('the walk through docs/design/lcrp.md shows what the product prints', async () => {
  const cwd = temporaryDirectory();
  cpSync(join(root, 'examples', 'five-by-three'), cwd, { recursive: true });
  const sessions = sessionsOf('docs/design/lcrp.md');
  expect(sessions.length).toBe(11);
  for (const { command, shown } of sessions) {
    const { stdout, stderr } = await shell(command, cwd);
    expect(stdout + stderr, command).toBe(shown);
  }
});
