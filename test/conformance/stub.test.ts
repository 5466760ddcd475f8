import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type FaultScript,
  placeOf,
  rowFor,
} from '../../packages/lab/src/conformance/fault-script.js';
import { startStub } from '../../packages/lab/src/conformance/stub.js';
import { temporaryDirectory } from '../temporary-directory.js';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function newStub(file = join(temporaryDirectory(), 'trace.jsonl')) {
  const stub = await startStub({ file });
  stops.push(stub.stop);
  return { ...stub, file };
}

const call = (path: string, kind = 'run', runId = 'r') => ({ kind, handler: 'pay', path, runId });

async function post(url: string, body: unknown) {
  const response = await fetch(`${url}/call`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

const answer = async (url: string, body: unknown) => JSON.parse((await post(url, body)).text);

describe('fault scripts', () => {
  it('tell step and item of a path', () => {
    expect(placeOf('pay')).toEqual({ step: 'pay', item: '' });
    expect(placeOf('m[0]/both/left/pay')).toEqual({ step: 'pay', item: '0' });
    expect(placeOf('m[10]/n[2]/pay')).toEqual({ step: 'pay', item: '10.2' });
  });

  it('speak of all items and attempts where they name none, the first row first', () => {
    const script: FaultScript = {
      rows: [
        { step: 'pay', item: '1', attempt: 2, does: 'ok' },
        { step: 'pay', does: 'error', error: 'Busy' },
      ],
    };
    const at = (item: string, attempt: number, kind: 'run' | 'undo' = 'run') =>
      rowFor(script, { kind, step: 'pay', item, attempt })?.does;
    expect(at('1', 2)).toBe('ok');
    expect(at('1', 1)).toBe('error');
    expect(at('', 7)).toBe('error');
    expect(at('', 1, 'undo')).toBeUndefined();
  });
});

describe('the stub', () => {
  it('answers with the place, counts attempts by run, kind and path, and writes before it answers', async () => {
    const { url, open, rows, file } = await newStub();
    open('r', { rows: [{ step: 'pay', attempt: 1, does: 'error', error: 'Busy' }] });
    expect(await answer(url, call('m[1]/pay'))).toMatchObject({ error: { code: 'Busy' } });
    expect(await answer(url, call('m[1]/pay'))).toEqual({
      output: { step: 'pay', item: '1', attempt: 2 },
    });
    expect(await answer(url, call('m[1]/pay', 'undo'))).toMatchObject({ output: { attempt: 1 } });
    expect(await answer(url, call('m[1]/pay', 'run', 'other'))).toMatchObject({
      output: { attempt: 1 },
    });
    const told = rows('r').map(({ kind, path, attempt, error }) => [kind, path, attempt, error]);
    expect(told).toEqual([
      ['start', 'm[1]/pay', 1, undefined],
      ['error', 'm[1]/pay', 1, 'Busy'],
      ['start', 'm[1]/pay', 2, undefined],
      ['ok', 'm[1]/pay', 2, undefined],
      ['compensate', 'm[1]/pay', 1, undefined],
      ['compensated', 'm[1]/pay', 1, undefined],
    ]);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line)).slice(0, 6)).toEqual(rows('r'));
  });

  it('counts on where a stub before it was stopped', async () => {
    const first = await newStub();
    await post(first.url, call('pay'));
    await stops.pop()?.();
    const second = await newStub(first.file);
    expect(await answer(second.url, call('pay'))).toMatchObject({ output: { attempt: 2 } });
  });

  it('cuts the connection of a crash, and says so in its file', async () => {
    const { url, open, rows } = await newStub();
    open('r', { rows: [{ step: 'pay', does: 'crash' }] });
    await expect(post(url, call('pay'))).rejects.toThrow();
    expect(rows('r').at(-1)).toMatchObject({ kind: 'error', error: 'Crash' });
  });

  it('lets a call hang until its script is closed, without a word in its file', async () => {
    const { url, open, rows, close } = await newStub();
    open('r', { rows: [{ kind: 'approve', step: 'pay', does: 'hang' }] });
    const hanging = answer(url, call('pay', 'approve'));
    while (rows('r').length === 0) await answer(url, call('other', 'run', 'other'));
    close('r');
    expect(await hanging).toMatchObject({ error: { code: 'Closed' } });
    expect(rows('r').map(({ kind }) => kind)).toEqual(['approve']);
  });

  it('answers after a delay, with the output of its row, and refuses what is no call', async () => {
    const { url, open, rows } = await newStub();
    open('r', { rows: [{ step: 'pay', does: 'delay', seconds: 0.05, output: [1] }] });
    expect(await answer(url, { ...call('pay'), input: 'x'.repeat(5000), key: 'k' })).toEqual({
      output: [1],
    });
    const [start, end] = rows('r');
    expect(start).toMatchObject({ key: 'k', input: { bytes: 5002 } });
    expect((end.at ?? 0) - (start.at ?? 0)).toBeGreaterThanOrEqual(45);
    expect(await post(url, { kind: 'redo', path: 'pay' })).toMatchObject({ status: 400 });
    expect((await fetch(url)).status).toBe(404);
  });
});
