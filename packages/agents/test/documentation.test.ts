import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { VALIDATOR_KINDS } from '@alas-jssp/agents';
import { describe, expect, it, vi } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const document = readFileSync(join(root, 'docs/how-to/agents.md'), 'utf8');

describe('docs/how-to/agents.md', () => {
  it('shows its example, and what that prints', async () => {
    const file = join(root, 'examples/refund-agent.mjs');
    const [, ...program] = readFileSync(file, 'utf8').split('\n');
    expect(document).toContain(`\`\`\`js\n${program.join('\n')}\`\`\`\n`);
    const given = process.argv.splice(2);
    const printed: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((...values) => {
      printed.push(values.map((one) => (typeof one === 'string' ? one : inspect(one))).join(' '));
    });
    try {
      await import(file);
    } finally {
      vi.restoreAllMocks();
      process.argv.push(...given);
    }
    expect(document).toContain(`\`\`\`\n${printed.join('\n')}\n\`\`\`\n`);
  });

  it('lists the kinds of validators', () => {
    for (const [kind, { by, of }] of Object.entries(VALIDATOR_KINDS)) {
      expect(document).toMatch(new RegExp(`\\| ${kind} \\| ${of} \\| ${by} \\|`));
    }
  });
});
