import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { linkPackages } from '../../../test/link-packages.js';
import { temporaryDirectory } from '../../../test/temporary-directory.js';
import { randomWorkflow } from '../../lab/src/conformance/random-workflows.js';
import { convertWorkflow, TARGETS } from '../src/convert.js';
import { toHandlerMap } from '../src/mapping.js';
import { FEATURES } from '../src/report.js';

const page = readFileSync('docs/how-to/convert.md', 'utf8');

/** The first block of a language, of the page or below a heading. */
function blockOf(language: string, heading?: string): string {
  const below = heading === undefined ? page : (page.split(`## ${heading}\n`)[1] ?? '');
  const [, block = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(below) ?? [];
  expect(block).not.toBe('');
  return block;
}

describe('docs/how-to/convert.md', () => {
  it('says of each feature how reports say it, language by language', async () => {
    const [, table = ''] = page.split('### Feature by feature');
    const rows = Array.from(table.matchAll(/^\| `([\w-]+)` \| (.*) \| (.*) \| (.*) \|$/gm));
    const said = new Map(rows.map(([, feature, ...cells]) => [feature, cells]));
    expect([...said.keys()]).toEqual([...FEATURES]);
    const allowLoss = [...FEATURES];
    const unsaid = new Set<string>();
    for (let seed = 0; seed < 30; seed++) {
      const workflow = randomWorkflow(seed, { rich: true });
      for (const [k, target] of TARGETS.entries()) {
        const { report } = await convertWorkflow(workflow, target, { allowLoss });
        for (const { feature, level } of report) {
          if (!said.get(feature)?.[k].includes(`**${level}**`)) {
            unsaid.add(`${feature} is ${level} in ${target}`);
          }
        }
      }
    }
    expect([...unsaid]).toEqual([]);
  });

  it('has a program that prints what its comments say', () => {
    const program = blockOf('ts');
    const cwd = temporaryDirectory();
    linkPackages(cwd);
    symlinkSync(resolve('examples'), join(cwd, 'examples'), 'dir');
    writeFileSync(join(cwd, 'program.mjs'), program);
    const printed = execFileSync(process.execPath, ['program.mjs'], { cwd, encoding: 'utf8' });
    const said = Array.from(program.matchAll(/; \/\/ (.*)$/gm), ([, comment]) => comment);
    expect(printed.trim().split('\n')).toEqual(said);
  });

  it('has a map of handlers that is one', () => {
    const block = blockOf('json', 'The map of handlers');
    expect(block).toBe(readFileSync('examples/refund.map.json', 'utf8'));
    expect(toHandlerMap(JSON.parse(block))).toMatchObject(JSON.parse(block));
  });

  it('has a function that answers calls as handlers and compensators do', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'function.mjs'), blockOf('js', 'The call'));
    writeFileSync(
      join(cwd, 'registry.mjs'),
      `const fail = () => { throw Object.assign(new Error('no'), { code: 'Busy' }); };
      export const handlers = { refund: { run: (input, { idempotencyKey }) => [input, idempotencyKey] }, fail: { run: fail } };
      export const compensators = { 'undo-refund': { run: ({ output, idempotencyKey }) => [output, idempotencyKey] } };`,
    );
    const { handler } = await import(pathToFileURL(join(cwd, 'function.mjs')).href);
    const call = JSON.parse(blockOf('json', 'The call'));
    expect(await handler(call)).toEqual([call.input, call.key]);
    const undo = { ...call, kind: 'undo', handler: 'undo-refund', output: { ref: 'r-1' } };
    expect(await handler(undo)).toEqual([{ ref: 'r-1' }, call.key]);
    await expect(handler({ ...call, handler: 'fail' })).rejects.toMatchObject({ name: 'Busy' });
  });
});
