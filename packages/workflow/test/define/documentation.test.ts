import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { linkPackages } from '../../../../test/link-packages.js';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** The outside of the program. */
const HOTELS = `
const hotels = {
  book: (key, city, nights) => ({ ref: 'b-1', price: 120 * nights, city }),
  cancel: () => {},
};
`;

test('docs/reference/workflow.md defines a workflow in code that does what it says', () => {
  const document = readFileSync(join(root, 'docs/reference/workflow.md'), 'utf8');
  const program = /## Defining in code.*?```js\n(.*?)```/s.exec(document)?.[1] ?? '';
  const cwd = temporaryDirectory();
  linkPackages(cwd);
  writeFileSync(join(cwd, 'program.mjs'), HOTELS + program);
  const printed = execFileSync(process.execPath, ['program.mjs'], { cwd, encoding: 'utf8' });
  expect(program).toContain(`// ${printed.trim()}\n`);
});
