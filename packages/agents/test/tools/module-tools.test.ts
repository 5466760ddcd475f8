import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openToolset, openTrialSystem, readCatalogue } from '../../src/index.js';
import { findStateChanges } from '../../src/tools/trial/state-changes.js';
import { callWith, objectOf } from './catalogues.js';

const directory = mkdtempSync(join(tmpdir(), 'tools-'));
afterAll(() => rmSync(directory, { recursive: true }));

const number = { type: 'number' };
const tool = {
  name: 'add',
  description: 'Adds to the sum.',
  access: 'change',
  input: objectOf({ by: number }),
  output: objectOf({ sum: number }),
};
let modules = 0;

/** A catalogue file with a module of the given text. */
async function withModule(text: string, tools: object[] = [tool]) {
  const module = `./tools-${++modules}.mjs`;
  writeFileSync(join(directory, module), text);
  const catalogue = { schema: 'alas-jssp/tools@1', tools, implementation: { module } };
  writeFileSync(join(directory, 'tools.json'), JSON.stringify(catalogue));
  return readCatalogue('tools.json', directory);
}

describe('tools of a module', () => {
  it('are called with input and key', async () => {
    const catalogue = await withModule(`
      export function createTools() {
        let sum = 0;
        return { add: async ({ by }, { idempotencyKey }) => ({ sum: sum += by + idempotencyKey.length }) };
      }`);
    const tools = await openToolset(catalogue, { directory });
    expect(await tools.call('add', { by: 3 }, callWith('abc'))).toEqual({ sum: 6 });
    await tools.close();
    await expect(tools.call('add', { by: 3 }, callWith())).rejects.toMatchObject({
      code: 'ToolsetClosed',
    });
  });

  it('keep the codes of their errors', async () => {
    const catalogue = await withModule(`
      export const createTools = () => ({
        add({ by }) {
          if (by === 0) throw Object.assign(new Error('nothing to add'), { code: 'Nothing' });
          if (by === 1) throw new TypeError('x\\ny');
          return by === 2 ? { sum: '2' } : { sum: NaN };
        },
      });`);
    const tools = await openToolset(catalogue, { directory });
    const call = (by: number) => tools.call('add', { by }, callWith());
    await expect(call(0)).rejects.toMatchObject({
      code: 'Nothing',
      message: /add failed: nothing/,
    });
    await expect(call(1)).rejects.toMatchObject({ code: 'ToolFailed', message: /x y$/ });
    await expect(call(2)).rejects.toMatchObject({ code: 'BadToolOutput', message: /sum/ });
    await expect(call(3)).rejects.toMatchObject({ code: 'BadToolOutput', message: /not JSON/ });
  });

  it.each(['NotPermitted', 'BadToolInput', 'UnknownTool', 'ToolsetClosed'])(
    'cannot claim with %s that they were not called',
    async (code) => {
      const text = `() => ({ add: () => { throw Object.assign(new Error('x'), { code: '${code}' }); } })`;
      const trial = `() => ({ tools: (${text})(), snapshot: () => 1 })`;
      const catalogue = await withModule(
        `export const createTools = ${text};\nexport const createTrial = ${trial};`,
      );
      for (const tools of [
        await openToolset(catalogue, { directory }),
        await openTrialSystem(catalogue, { directory }),
      ]) {
        const call = tools.call('add', { by: 1 }, callWith());
        const message = `the tool add failed: ${code}: x`;
        await expect(call).rejects.toMatchObject({ code: 'ToolFailed', message });
      }
    },
  );

  it('do not keep a caller waiting that has stopped', async () => {
    const catalogue = await withModule(
      'export const createTools = () => ({ add: () => new Promise(() => {}) });',
    );
    const tools = await openToolset(catalogue, { directory });
    const stop = new AbortController();
    const call = tools.call('add', { by: 1 }, callWith('k', stop.signal));
    stop.abort(new Error('stopped'));
    await expect(call).rejects.toThrow('stopped');
    await expect(tools.call('add', { by: 1 }, callWith('k', stop.signal))).rejects.toThrow(
      'stopped',
    );
  });

  it.each([
    ['export const createTool = 1;', /exports no function createTools; export function/],
    ['export const createTools = () => ({ ad: () => 1 });', /no function for the tool add; .*ad/],
    ['export const createTools = () => { throw new Error("no key"); };', /failed: no key/],
    ['export const createTools = () => null;', /returned no object/],
    ['import "./none.mjs";', /cannot be loaded: Cannot find module '[^']*none.mjs';/],
    ['syntax error', /cannot be loaded/],
  ])('are refused with one line: %s', async (text, message) => {
    const catalogue = await withModule(text);
    await expect(openToolset(catalogue, { directory })).rejects.toMatchObject({
      code: 'bad_module',
      message: expect.stringMatching(message),
    });
  });
});

describe('the trial system of a module', () => {
  it('is used instead of the declarations, and its changes are seen', async () => {
    const catalogue = await withModule(`
      export function createTrial() {
        let sum = 0;
        return {
          tools: { add: async ({ by }) => { const s = sum; await null; return { sum: sum = s + by }; } },
          snapshot: () => ({ sum }),
        };
      }`);
    const trial = await openTrialSystem(catalogue, { directory });
    expect(trial.against).toBe('trial system');
    const both = [1, 2, 0].map((by) => trial.call('add', { by }, callWith(`k${by}`)));
    expect(await Promise.all(both)).toEqual([{ sum: 1 }, { sum: 3 }, { sum: 3 }]);
    expect(trial.snapshot()).toBe('{"sum":3}');
    expect(trial.effects()).toMatchObject([
      { idempotencyKey: 'k1', record: 'sum', id: 'sum', before: { value: 0 }, after: { value: 1 } },
      { idempotencyKey: 'k2', record: 'sum', id: 'sum', before: { value: 1 }, after: { value: 3 } },
    ]);
    const other = await openTrialSystem(catalogue, { directory });
    expect(other.snapshot()).toBe('{"sum":0}');
  });

  it('lists changes by kind and id', () => {
    const changes = findStateChanges(
      { order: { A: { n: 1 }, B: { n: 1 } }, list: [{ id: 1 }], odd: [1], same: 3 },
      { order: { A: { n: 2 }, C: {} }, list: [{ id: 1 }, { id: 2 }], odd: [{ id: 1 }], same: 3 },
    );
    expect(changes).toEqual([
      { record: 'order', id: 'A', before: { n: 1 }, after: { n: 2 } },
      { record: 'order', id: 'B', before: { n: 1 }, after: null },
      { record: 'order', id: 'C', before: null, after: {} },
      { record: 'list', id: '2', before: null, after: { id: 2 } },
      { record: 'odd', id: 'odd', before: { value: [1] }, after: { value: [{ id: 1 }] } },
    ]);
    expect(findStateChanges([1], [2])).toMatchObject([{ record: 'state', id: 'state' }]);
    expect(findStateChanges({ a: { x: {} } }, {})).toMatchObject([{ record: 'a', id: 'x' }]);
  });

  it('is made from the declarations if the module has none', async () => {
    const catalogue = await withModule('export const createTools = () => ({});');
    expect((await openTrialSystem(catalogue, { directory })).against).toBe('declaration');
  });
});
