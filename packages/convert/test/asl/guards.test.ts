import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { find, start } from '../../../../engines/asl/engine.mjs';
import { toWorkflow } from '../../../workflow/src/ir/workflow-file.js';
import { writeAsl } from '../../src/asl/write.js';
import { EMPTY_MAP } from '../../src/mapping.js';

type State = Record<string, unknown> & { Next?: string };

async function textOf(document: object): Promise<string> {
  const policies = { plain: {}, ...(document as { policies?: object }).policies };
  const base = { schema: 'alas-jssp/workflow@1', name: 'guarded', defaultPolicy: 'plain' };
  const workflow = toWorkflow({ ...base, ...document, policies });
  return (await writeAsl(workflow, EMPTY_MAP)).text;
}

async function statesOf(document: object): Promise<Record<string, State>> {
  return JSON.parse(await textOf(document)).States;
}

const task = (id: string, more: object = {}) => ({ id, type: 'task', ...more });
const queryOf = (text: unknown) => jsonata(String(text).replace(/^\{%|%\}$/g, ''));

describe('a guard that cannot be asked of all values', () => {
  const choosing = (guard: string) => ({
    nodes: [task('look'), { id: 'which', type: 'choice' }, task('big'), task('other')],
    edges: [
      { from: 'look', to: 'which' },
      { from: 'which', to: 'big', kind: 'branch', guard },
      { from: 'which', to: 'other', kind: 'default' },
    ],
  });

  it('is tried in a state that can catch its failure', async () => {
    const states = await statesOf(choosing('$input.n > 1'));
    const trial = states['which: can it be asked'];
    expect(states.look.Next).toBe('which: can it be asked');
    expect(trial).toMatchObject({ Type: 'Map', Next: 'which' });
    expect(trial.Catch).toMatchObject([{ ErrorEquals: ['States.ALL'], Next: 'failed' }]);
    const look = (n: unknown) => ({ look: { output: { n } }, run: { input: {} } });
    const items = queryOf(trial.Items);
    expect(await items.evaluate({}, look(3))).toHaveLength(0);
    expect(await items.evaluate({}, look(undefined))).toHaveLength(0);
    await expect(items.evaluate({}, look(null))).rejects.toThrow();
  });

  it.each(["$input.kind = 'big'", '$exists($input.n) and $not($input.n in [1, 2])'])(
    'is asked by its choice alone if it takes any value: %s',
    async (guard) => {
      expect(await statesOf(choosing(guard))).not.toHaveProperty('which: can it be asked');
    },
  );

  it('is not tried after a turn that failed', async () => {
    const body = { nodes: [task('turn')], edges: [] };
    const loop = { id: 'loop', type: 'map', until: '$output.n > 1', policyRef: 'loop', body };
    const policies = { loop: { loopGuards: { maxIters: 2 } } };
    const states = await statesOf({ nodes: [loop], edges: [], policies });
    const items = queryOf(states['loop: can it be asked'].Items);
    const bound = { loop_turn: { first: {}, output: { n: null } } };
    await expect(items.evaluate({}, { ...bound, failure: {} })).rejects.toThrow();
    const failure = { code: 'Broken' };
    expect(await items.evaluate({}, { ...bound, failure })).toHaveLength(0);
  });
});

describe('a run that came to its end with a doubt', () => {
  it('is in doubt, whatever else it did for good', async () => {
    const states = await statesOf({
      nodes: [task('pay', { effect: 'irreversible' }), task('send', { effect: 'irreversible' })],
      edges: [{ from: 'pay', to: 'send' }],
      policies: { plain: { timeout: { seconds: 1 } } },
    });
    const over = queryOf(states['what is left'].Output);
    const pay = { path: 'pay', status: 'held', confirmed: false, doubt: true, undoable: false };
    const send = { ...pay, path: 'send', confirmed: true, doubt: false };
    const end = (code: string) => {
      return over.evaluate({}, { undo: [pay, send], failure: { code, compensates: true } });
    };
    const left = { inDoubt: ['pay'], remaining: [] };
    expect(await end('InDoubt')).toMatchObject({ status: 'IN_DOUBT', ...left });
    expect(await end('Broken')).toMatchObject({
      status: 'COMPENSATION_FAILED',
      remaining: ['send'],
    });
  });
});

describe.skipIf(find() === undefined)('a guard that fails on moto', () => {
  it('has what was done before it undone', async () => {
    const calls: string[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { kind, path } = JSON.parse(String(Buffer.concat(chunks)));
      calls.push(`${kind} ${path}`);
      response.end(JSON.stringify({ output: { n: null } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const engine = await start({ stub: `http://127.0.0.1:${port}` });
    try {
      const text = await textOf({
        nodes: [
          task('book', { effect: 'compensable', policyRef: 'undoable' }),
          { id: 'which', type: 'choice' },
          task('big'),
        ],
        edges: [
          { from: 'book', to: 'which' },
          { from: 'which', to: 'big', kind: 'branch', guard: '$input.n > 1' },
        ],
        policies: { undoable: { compensation: { handler: 'cancel', safeReinvoke: true } } },
      });
      const ended = await engine.execute({ runId: 'guards', text, input: {} });
      const error = { code: 'guard_failed', nodeId: 'which' };
      expect(ended).toMatchObject({ status: 'COMPENSATED', error });
      expect(calls).toEqual(['run book', 'undo book']);
    } finally {
      await engine.stop();
      server.close();
    }
  }, 60_000);
});
