import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
      const { handler, input } = call;
      const attempt = calls.filter(({ runId, path }) => {
        return runId === call.runId && path === call.path;
      }).length;
      if (handler === 'cut') request.socket.destroy();
      else if (handler === 'busy-twice' && attempt < 3) {
        response.end(JSON.stringify({ error: { code: 'Busy', message: 'come "again"' } }));
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

const RESOURCE = 'arn:aws:states:::lambda:invoke';

function task(handler: string, path: string, more: object, kind = 'run') {
  const waits = kind === 'wait' || kind === 'approve';
  const runId = '{% $states.context.Execution.Name %}';
  const token = waits ? { token: '{% $states.context.Task.Token %}' } : {};
  const Payload = { kind, handler, path, runId, input: '{% $states.input %}', ...token };
  return {
    Type: 'Task',
    Resource: waits ? `${RESOURCE}.waitForTaskToken` : RESOURCE,
    Arguments: { FunctionName: 'arn:aws:lambda:us-east-1:123456789012:function:any', Payload },
    ...(waits ? {} : { Output: '{% $states.result.Payload %}' }),
    ...more,
  };
}

function machine(states: object): string {
  const [first] = Object.keys(states);
  return JSON.stringify({ QueryLanguage: 'JSONata', StartAt: first, States: states });
}

const row = (path: string, attempt: number, kind: string, error?: string) => {
  return expect.objectContaining({
    path,
    attempt,
    kind,
    ...(error === undefined ? {} : { error }),
  });
};

describe.skipIf(find() === undefined)('machines on moto', () => {
  test('say what executes them, and with which patches', () => {
    expect(engine.info.version).toBe('5.2.5');
    expect(engine.info.patches.map(({ file }) => file)).toContain(
      'engines/asl/runner/patch_jsonata.py',
    );
    for (const { sha256 } of engine.info.patches) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('hand the payload to the stub as it is, and its answer on', async () => {
    const text = machine({
      first: task('ok', 'first', { Next: 'second' }),
      second: task('ok', 'jobs[2]/second', { End: true }),
    });
    const { status, output, error, history, outputs } = await engine.execute({
      runId: 'seq',
      text,
      input: { a: null },
    });
    expect({ status, error }).toEqual({ status: 'COMPLETED', error: null });
    const first = { input: { a: null }, attempt: 1 };
    expect(output).toEqual({ input: first, attempt: 1 });
    expect(outputs).toEqual({ first, 'jobs[2]/second': output });
    expect(calls.filter(({ runId }) => runId === 'seq')).toEqual([
      { kind: 'run', handler: 'ok', path: 'first', runId: 'seq', input: { a: null } },
      { kind: 'run', handler: 'ok', path: 'jobs[2]/second', runId: 'seq', input: first },
    ]);
    const place = { runId: 'seq', path: 'jobs[2]/second', step: 'second', item: '2', attempt: 1 };
    expect(history).toEqual([
      row('first', 1, 'start'),
      row('first', 1, 'ok'),
      { ...place, kind: 'start' },
      { ...place, kind: 'ok' },
    ]);
  });

  test('try again by the name of the error, as often as they say', async () => {
    const retry = (MaxAttempts: number, name: string) => {
      const Retry = [{ ErrorEquals: [name], MaxAttempts, IntervalSeconds: 1, BackoffRate: 1 }];
      return machine({ a: task('busy-twice', 'a', { Retry, End: true }) });
    };
    const [twice, once, other] = await Promise.all([
      engine.execute({ runId: 'twice', text: retry(2, 'Busy'), input: {} }),
      engine.execute({ runId: 'once', text: retry(1, 'Busy'), input: {} }),
      engine.execute({ runId: 'other', text: retry(2, 'Full'), input: {} }),
    ]);
    expect(twice.status).toBe('COMPLETED');
    expect(twice.history).toHaveLength(6);
    expect(once.status).toBe('FAILED');
    expect(once.history.at(-1)).toEqual(row('a', 2, 'error', 'Busy'));
    expect(other.history).toEqual([row('a', 1, 'start'), row('a', 1, 'error', 'Busy')]);
    expect(other.error).toEqual({
      code: 'Busy',
      message: '{"errorType":"Busy","errorMessage":"come \\"again\\""}',
    });
  });

  test('see a cut connection as the error Crash, and end as their cause says', async () => {
    const told = { status: 'COMPENSATED', remaining: ['b'], inDoubt: [] };
    const cause = `{% $merge([${JSON.stringify(told)}, {"error": {"code": $caught.Error}}]) ~> $string %}`;
    const text = machine({
      a: task('cut', 'a', {
        End: true,
        Catch: [
          { ErrorEquals: ['Crash'], Next: 'undo', Assign: { caught: '{% $states.errorOutput %}' } },
        ],
      }),
      undo: task('ok', 'a', { Next: 'end' }, 'undo'),
      end: { Type: 'Fail', Error: '{% $caught.Error %}', Cause: cause },
    });
    const result = await engine.execute({ runId: 'cut', text, input: {} });
    expect(result).toMatchObject({ ...told, output: null, error: { code: 'Crash' } });
    expect(result.native).toMatchObject({ status: 'FAILED', error: 'Crash' });
    expect(result.history).toEqual([
      row('a', 1, 'start'),
      row('a', 1, 'error', 'Crash'),
      row('a', 1, 'compensate'),
      row('a', 1, 'compensated'),
    ]);
  });

  test('end a task that hangs at its limit', async () => {
    const text = machine({ a: task('hang', 'a', { TimeoutSeconds: '{% 1 %}', End: true }) });
    const { error, history } = await engine.execute({ runId: 'hang', text, input: {} });
    expect(error).toMatchObject({ code: 'States.Timeout' });
    expect(history).toEqual([row('a', 1, 'start'), row('a', 1, 'error', 'Timeout')]);
  });

  test.each([
    ['ok', 'COMPLETED', null, 'approved'],
    ['busy-twice', 'FAILED', { code: 'Busy', message: 'come "again"' }, 'approve-error'],
    ['cut', 'FAILED', { code: 'Crash' }, 'approve-error'],
    ['hang', 'FAILED', { code: 'States.Timeout' }, 'approve-error'],
  ])('wait for their token: %s', async (handler, status, error, kind) => {
    const text = machine({ a: task(handler, 'a', { TimeoutSeconds: 2, End: true }, 'approve') });
    const result = await engine.execute({ runId: `token-${handler}`, text, input: {} });
    expect(result).toMatchObject({ status, error });
    expect(result.history).toEqual([row('a', 1, 'approve'), row('a', 1, kind)]);
  });

  test('run side by side, each with its own calls', async () => {
    const text = machine({ a: task('ok', 'a', { Next: 'b' }), b: task('ok', 'b', { End: true }) });
    const runs = Array.from({ length: 20 }, (_, index) => {
      return engine.execute({ runId: `many-${index}`, text, input: { index } });
    });
    for (const [index, { output, history }] of (await Promise.all(runs)).entries()) {
      expect(output).toMatchObject({ input: { input: { index } } });
      expect(history).toHaveLength(4);
    }
  });

  test('are stopped', async () => {
    const text = machine({ a: task('hang', 'a', { End: true }) });
    const result = await engine.execute({ runId: 'stop', text, input: {}, cancelAfter: 1 });
    expect(result).toMatchObject({ status: 'CANCELLED', native: { status: 'ABORTED' } });
  });

  test('are refused if they are none', async () => {
    const text = machine({ a: { Type: 'Nap', End: true } });
    await expect(engine.execute({ runId: 'none', text, input: {} })).rejects.toThrow(
      'moto refuses the machine: InvalidDefinition',
    );
  });

  test('take null for a value, and nothing for an error', async () => {
    const pass = (Output: string) => machine({ a: { Type: 'Pass', Output, End: true } });
    const run = (runId: string, text: string) =>
      engine.execute({ runId, text, input: { a: null } });
    expect(await run('null', pass('{% $states.input.a %}'))).toMatchObject({
      status: 'COMPLETED',
      output: null,
    });
    expect(await run('nothing', pass('{% $states.input.b %}'))).toMatchObject({
      status: 'FAILED',
      error: { code: 'States.QueryEvaluationError' },
    });
  });
});
