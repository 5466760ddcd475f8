import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../../../../test/cli/cli.js';
import { shell } from '../../../../test/cli/shell.js';

const DOCUMENT = readFileSync('docs/how-to/draft.md', 'utf8');

describe('docs/how-to/draft.md', () => {
  test('has commands that run, one after the other', async () => {
    const cwd = temporaryDirectory();
    cpSync('examples/tasks', join(cwd, 'examples/tasks'), { recursive: true });
    mkdirSync(join(cwd, 'results'));
    const blocks = [...DOCUMENT.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block);
    const commands = blocks
      .join('')
      .replaceAll(/\\\n\s*/g, '')
      .trim()
      .split('\n');
    expect(commands.length).toBeGreaterThan(7);
    for (const command of commands) {
      const mayWait = command.endsWith('|| true');
      const { code, stderr } = await shell(command.replace(' || true', ''), cwd);
      expect(code, `${command}: ${stderr}`).toBe(mayWait ? 1 : 0);
    }
  });

  test('lists every code of findings', () => {
    const codes = new Set<string>();
    for (const folder of [
      'checks',
      'template',
      'factory',
      'compensation',
      'drafting',
      'specification',
    ]) {
      const at = join('packages/blueprint/src', folder);
      for (const name of readdirSync(at, { recursive: true, encoding: 'utf8' })) {
        if (!name.endsWith('.ts')) continue;
        const source = readFileSync(join(at, name), 'utf8');
        const patterns = [
          /draft(?:Error|Warning)\(\s*'([a-z]+_[a-z_]+)'/g,
          /\berror\(\s*'([a-z]+_[a-z_]+)'/g,
          /\bcode: (?:[^'\n]*\? )?'([a-z]+_[a-z_]+)'(?: : '([a-z]+_[a-z_]+)')?/g,
        ];
        for (const pattern of patterns) {
          for (const [, ...found] of source.matchAll(pattern)) {
            for (const code of found) if (code !== undefined) codes.add(code);
          }
        }
      }
    }
    expect(codes.size).toBeGreaterThan(80);
    expect([...codes].filter((code) => !DOCUMENT.includes(`\`${code}\``))).toEqual([]);
  });
});
