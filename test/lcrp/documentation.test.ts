import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { EVENT_KINDS } from '../../src/disruption/event.js';
import { TOO_LATE } from '../../src/disruption/refusals.js';
import { policy } from '../../src/lcrp/policy/make-policy.js';
import { defaultPolicy, type PolicyChanges } from '../../src/lcrp/policy/policy.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(`${root}docs/${name}`, 'utf8');

describe('docs/how-to/embedding.md', () => {
  const page = read('how-to/embedding.md');
  // A program block and, behind it, what it prints.
  const blocks = [...page.matchAll(/^```js\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms)].map(
    ([, code, output = '']) => ({ code, output }),
  );

  test('is one program that prints what the page says', () => {
    const end = '--- end of block ---\n';
    const program = blocks.map(
      ({ code }) => `${code}\nconsole.log(${JSON.stringify(end.trim())});`,
    );
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', program.join('\n')],
      { cwd: root, encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    expect(stdout.split(end)).toEqual([...blocks.map(({ output }) => output), '']);
  });

  test('has no output that no program prints, and lists every event and error', () => {
    expect(page.match(/^```text$/gm)?.length).toBe(blocks.filter(({ output }) => output).length);
    const words: string[] = [...EVENT_KINDS, ...TOO_LATE];
    expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
  });
});

test('the policy of docs/reference/repair.md is one that can be made', () => {
  const [, made] = /const careful = policy\((.*?)\);\n```/s.exec(read('reference/repair.md')) ?? [];
  const args = new Function(`return [${made}]`)() as [string, PolicyChanges];
  expect(policy(...args).cost.rankChange).toBeGreaterThan(defaultPolicy.cost.rankChange);
});
