import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createTrialSystem, openToolset, readCatalogue, toolSchema } from '../../src/index.js';
import { callWith } from './catalogues.js';

const page = fileURLToPath(new URL('../../../../docs/reference/tools.md', import.meta.url));
const text = readFileSync(page, 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'documentation-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The first block of code in a language. */
function blockOf(language: string): string {
  const [, block] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(text) ?? [];
  return block;
}

writeFileSync(join(directory, 'shop.tools.json'), blockOf('json'));
writeFileSync(join(directory, 'shop.tools.mjs'), blockOf('js'));

const order = 'A-1042';

it('the catalogue of the page can be tried, and its undo restores the state', async () => {
  const catalogue = await readCatalogue('shop.tools.json', directory);
  const trial = createTrialSystem(catalogue, { seed: 1 });
  const before = trial.snapshot();
  const made = await trial.call('payments.refund', { order, amount: 5 }, callWith());
  expect(made).toEqual({ refund: 'refund-1', before: 'paid' });
  const undo = { refund: 'refund-1', order, state: 'paid' };
  await trial.call('payments.cancel', undo, callWith());
  expect(trial.snapshot()).toBe(before);
});

it('the module of the page implements it', async () => {
  const catalogue = await readCatalogue('shop.tools.json', directory);
  const tools = await openToolset(catalogue, { directory });
  const refund = (amount: number) =>
    tools.call('payments.refund', { order, amount }, callWith(`refund ${amount}`));
  expect([await refund(5), await refund(5)]).toEqual([
    { refund: 'R-1', before: 'paid' },
    { refund: 'R-1', before: 'paid' },
  ]);
  await expect(refund(0)).rejects.toMatchObject({ code: 'BadAmount' });
  const undo = { refund: 'R-1', order, state: 'paid' };
  expect(await tools.call('payments.cancel', undo, callWith())).toEqual({});
});

it('the mistake of the page is reported as it says', async () => {
  const wrong = blockOf('json').replace('"tool": "payments.cancel"', '"tool": "payments.cancle"');
  writeFileSync(join(directory, 'wrong.json'), wrong);
  const [line] = text.split('\n').filter((one) => one.startsWith('shop.tools.json:$'));
  const expected = line.replace('shop.tools.json', join(directory, 'wrong.json'));
  await expect(readCatalogue('wrong.json', directory)).rejects.toThrow(expected.slice(0, -1));
});

it('the page lists all keys of tools and of their effects', () => {
  const { records, ...keys } = toolSchema.shape;
  const effect = records.unwrap().element.shape;
  for (const key of [...Object.keys(keys), 'records', ...Object.keys(effect)]) {
    expect(text).toMatch(new RegExp(`^\\|.*\`${key}\\??\`.*\\|`, 'm'));
  }
});
