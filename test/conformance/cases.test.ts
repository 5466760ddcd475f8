import { join } from 'node:path';
import { checkWorkflow } from '@alas-jssp/workflow';
import { expect, it } from 'vitest';
import { cases, features } from '../../packages/lab/src/conformance/cases/index.js';
import { columns } from '../../packages/lab/src/conformance/columns.js';
import { measure, measureControls } from '../../packages/lab/src/conformance/matrix.js';
import { startStub } from '../../packages/lab/src/conformance/stub.js';
import { temporaryDirectory } from '../temporary-directory.js';

const [embedded] = columns;

async function withStub<T>(act: (stub: Awaited<ReturnType<typeof startStub>>) => Promise<T>) {
  const stub = await startStub({ file: join(temporaryDirectory(), 'trace.jsonl') });
  try {
    return await act(stub);
  } finally {
    await stub.stop();
  }
}

it('has sound workflows, titles of their own, and cases for every feature', () => {
  for (const { title, workflow } of cases) {
    const errors = checkWorkflow(workflow).filter(({ severity }) => severity === 'error');
    expect(errors, title).toEqual([]);
  }
  expect(new Set(cases.map(({ title }) => title)).size).toBe(cases.length);
  expect([...new Set(cases.map(({ feature }) => feature))].sort()).toEqual([...features].sort());
});

it('our own runtime does in every case what is written by hand', () =>
  withStub(async (stub) => {
    const module = await embedded.load();
    const engine = await module.start({ stub: stub.url });
    const cells = await measure(embedded, engine, stub);
    for (const [title, cell] of Object.entries(cells)) {
      expect(cell, title).toEqual({ outcome: 'same', level: 'native' });
    }
  }));

it('the matrix finds what is done wrong on purpose', () =>
  withStub(async (stub) => {
    const module = await embedded.load();
    const engine = await module.start({ stub: stub.url });
    const controls = await measureControls(embedded, module, engine, stub);
    expect(controls.map(({ name, found }) => [name, found])).toEqual([
      ['reversed compensation', expect.stringContaining('comes before')],
      ['dropped retry', 'missing: start a #2'],
      ['swallowed error', expect.stringContaining('not "FAILED"')],
    ]);
  }));
