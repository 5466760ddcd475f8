import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boundary, condition, flow, flows, process, script, step, task } from './documents.js';
import { type Engine, find, start } from './engine.mjs';

type Call = { kind: string; handler: string; path: string; runId: string; input: unknown };

/** Calls in the order in which they came; handlers answer by their names. */
const calls: Call[] = [];
let server: Server;
let engine: Engine;

beforeAll(async () => {
  if (find() === undefined) return;
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      const call: Call = JSON.parse(body);
      calls.push(call);
      const { handler, input, kind } = call;
      const attempt = calls.filter(({ runId, path, kind: other }) => {
        return runId === call.runId && path === call.path && kind === other;
      }).length;
      if (handler === 'cut') request.socket.destroy();
      else if (handler === 'busy-twice' && attempt < 3) {
        response.end(JSON.stringify({ error: { code: 'Busy', message: 'come "again"' } }));
      } else if (handler === 'down') {
        response.end(JSON.stringify({ error: { code: 'Down', message: 'no' } }));
      } else if (handler !== 'hang') response.end(JSON.stringify({ output: { input, attempt } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  engine = await start({ stub: `http://127.0.0.1:${port}` });
});

afterAll(async () => {
  await engine?.stop();
  server?.closeAllConnections();
  server?.close();
});

const placesOf = (runId: string) => {
  return calls.filter((call) => call.runId === runId).map(({ kind, path }) => `${kind} ${path}`);
};

const rowsOf = (history: readonly { path: string; attempt: number; kind: string }[]) => {
  return history.map(({ path, attempt, kind }) => `${kind} ${path} ${attempt}`);
};

const answers = script('end', 'alasOutput', '$answer');

describe.skipIf(find() === undefined)('documents on Flowable', () => {
  test('say what executes them, unpatched', () => {
    expect(engine.info).toEqual({ name: 'flowable', version: '7.1.0', patches: [] });
  });

  test('call handlers with their input, and hand on what they answer', async () => {
    const text = process(step('pay', {}) + answers + flows('start', 'pay', 'end', 'finish'), [
      'answer',
    ]);
    const input = { of: 'a "quoted" thing', items: [1, null, 'ü'] };
    const result = await engine.execute({ runId: 'one', text, input });
    expect(result).toMatchObject({
      status: 'COMPLETED',
      output: { output: { input, attempt: 1 } },
    });
    expect(calls.filter(({ runId }) => runId === 'one')).toEqual([
      { kind: 'run', handler: 'pay', path: 'pay', input, runId: 'one' },
    ]);
    expect(rowsOf(result.history)).toEqual(['start pay 1', 'ok pay 1']);
  });

  test('hear errors by name, of a connection that broke off too, and try again', async () => {
    const again = 'busy-twice';
    const text = process(
      step(again, { attempts: 5 }) +
        step('cut', {}) +
        answers +
        flows('start', again, 'cut', 'end', 'finish'),
      ['answer'],
    );
    const result = await engine.execute({ runId: 'names', text, input: {} });
    expect(result.output).toMatchObject({ error: { code: 'Crash' } });
    expect(result.history.map(({ kind, error }) => [kind, error])).toEqual([
      ['start', undefined],
      ['error', 'Busy'],
      ['start', undefined],
      ['error', 'Busy'],
      ['start', undefined],
      ['ok', undefined],
      ['start', undefined],
      ['error', 'Crash'],
    ]);
  });

  test('are interrupted by the time on a boundary', async () => {
    const text = process(
      step('hang', { seconds: 1 }) + answers + flows('start', 'hang', 'end', 'finish'),
      ['answer'],
    );
    const result = await engine.execute({ runId: 'late', text, input: {} });
    expect(result.output).toEqual({ error: { code: 'Timeout' } });
    expect(rowsOf(result.history)).toEqual(['start hang 1']);
  });

  test('go where their JSONata says, and join what ran side by side', async () => {
    const body = [
      '<inclusiveGateway id="fork"/><inclusiveGateway id="join"/>',
      ...['a', 'b', 'c', 'd'].map((id) => step(id, {})),
      condition('fork', 'a', '$exists($input.a)'),
      condition('fork', 'b', '$count($input.list[$ > 1]) = 2'),
      condition('fork', 'c', 'true'),
      ['a', 'b', 'c'].map((id) => flow(id, 'join')).join(''),
      flows('s', 'fork'),
      flows('join', 'd', 'e'),
    ].join('');
    const text = process(
      `<subProcess id="all"><startEvent id="s"/>${body}<endEvent id="e"/></subProcess>${flows('start', 'all', 'finish')}`,
    );
    await engine.execute({ runId: 'ways', text, input: { list: [1, 2, 3] } });
    const places = placesOf('ways');
    expect(places.slice(0, 2).sort()).toEqual(['run b', 'run c']);
    expect(places.slice(2)).toEqual(['run d']);
  });

  test('are undone in reverse by compensation handlers that repeat, from within their branches', async () => {
    const branch = (id: string, ...inner: string[]) => {
      const steps = inner.map((one) => step(one, { undo: one === 'x2' ? 'busy-twice' : 'undo' }));
      return `<subProcess id="${id}"><startEvent id="${id}_s"/>${steps.join('')}${flows(`${id}_s`, ...inner, `${id}_e`)}<endEvent id="${id}_e"/></subProcess>`;
    };
    const undo = (id: string) => {
      return `<intermediateThrowEvent id="undo_${id}"><compensateEventDefinition activityRef="${id}"/></intermediateThrowEvent>`;
    };
    const inner = `<parallelGateway id="fork"/><parallelGateway id="join"/>${branch('x', 'x1', 'x2')}${branch('y', 'y1')}${flows('s', 'fork', 'x', 'join', 'e')}${flows('fork', 'y', 'join')}`;
    const text = process(
      `<subProcess id="all"><startEvent id="s"/>${inner}<endEvent id="e"/></subProcess>${['x2', 'x1', 'y1'].map(undo).join('')}${flows('start', 'all', 'undo_y1', 'undo_x2', 'undo_x1', 'finish')}`,
    );
    const { history } = await engine.execute({ runId: 'undo', text, input: {} });
    expect(placesOf('undo').slice(3)).toEqual([
      'undo y1',
      'undo x2',
      'undo x2',
      'undo x2',
      'undo x1',
    ]);
    expect(rowsOf(history).slice(6)).toEqual([
      'compensate y1 1',
      'compensated y1 1',
      'compensate x2 1',
      'compensate-error x2 1',
      'compensate x2 2',
      'compensate-error x2 2',
      'compensate x2 3',
      'compensated x2 3',
      'compensate x1 1',
      'compensated x1 1',
    ]);
  });

  test('run items side by side, each with its own variables', async () => {
    const many = `<multiInstanceLoopCharacteristics isSequential="false" flowable:collection="\${input}" flowable:elementVariable="item"/>`;
    const text = process(
      `<subProcess id="m">${many}<startEvent id="s"/>${step('cook', { path: '"m[" & $string($loopCounter) & "]/cook"', input: '$item' })}<endEvent id="e"/>${flows('s', 'cook', 'e')}</subProcess>${flows('start', 'm', 'finish')}`,
    );
    const { history } = await engine.execute({ runId: 'items', text, input: ['a', 'b', 'c'] });
    const starts = history.filter(({ kind }) => kind === 'start');
    expect(starts.map(({ item }) => item).sort()).toEqual(['0', '1', '2']);
    expect(
      rowsOf(history)
        .slice(0, 3)
        .every((row) => row.startsWith('start')),
    ).toBe(true);
    expect(
      calls
        .filter(({ runId }) => runId === 'items')
        .map(({ input }) => input)
        .sort(),
    ).toEqual(['a', 'b', 'c']);
    await engine.execute({ runId: 'no-items', text, input: [] });
    expect(placesOf('no-items')).toEqual([]);
  });

  test('wait for messages and approvals', async () => {
    const call = (kind: string) =>
      `{"kind": "${kind}", "handler": "h", "path": "${kind}", "input": null}`;
    const text = process(
      [
        script('w', 'call', call('wait')),
        '<receiveTask id="message"/>',
        script('a', 'call', call('approve')),
        '<userTask id="approval"/>',
        answers,
        flows('start', 'w', 'message', 'a', 'approval', 'end', 'finish'),
      ].join(''),
      ['call', 'answer'],
    );
    const { output, history } = await engine.execute({ runId: 'people', text, input: {} });
    expect(output).toEqual({ output: { input: null, attempt: 1 } });
    expect(rowsOf(history)).toEqual([
      'wait wait 1',
      'waited wait 1',
      'approve approve 1',
      'approved approve 1',
    ]);
  });

  test('are cancelled by a message on the boundary', async () => {
    const text = process(
      `<subProcess id="all"><startEvent id="s"/>${step('hang', {})}<endEvent id="e"/>${flows('s', 'hang', 'e')}</subProcess>${boundary('cancelled', 'all', '<messageEventDefinition messageRef="cancel"/>')}${script('c', 'alasStatus', '"CANCELLED"')}<endEvent id="stopped"/>${flows('start', 'all', 'finish')}${flows('cancelled', 'c', 'stopped')}`,
      ['alasStatus'],
    );
    const asked = { runId: 'cancel', text, input: {}, cancelAfter: 0.5 };
    expect((await engine.execute(asked)).status).toBe('CANCELLED');
  });

  test('end as errors of the engine if they cannot go on, or cannot be read', async () => {
    const input = {};
    const wrong = process(script('bad', 'x', '1 + "a"') + flows('start', 'bad', 'finish'));
    expect((await engine.execute({ runId: 'w', text: wrong, input })).status).toBe('ENGINE_ERROR');
    const unread = { runId: 'u', text: '<definitions/>', input };
    expect((await engine.execute(unread)).status).toBe('ENGINE_ERROR');
  });

  test('go on many at a time', async () => {
    const text = process(task('t', 'run') + flows('start', 't', 'finish'), ['call', 'answer'], {
      call: { kind: 'run', handler: 'h', path: 't' },
    });
    const runs = Array.from({ length: 30 }, (_, at) => `many-${at}`);
    const results = await Promise.all(
      runs.map((runId) => engine.execute({ runId, text, input: runId })),
    );
    for (const { status } of results) expect(status).toBe('COMPLETED');
    for (const runId of runs) expect(placesOf(runId)).toEqual(['run t']);
  });
});
