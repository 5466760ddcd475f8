import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { startThread, type Thread, ThreadEnd } from '@alas-jssp/core/thread-calls';
import { createThreadPool } from '@alas-jssp/core/thread-pool';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';

const [calls, errors] = ['thread-calls', 'errors'].map(
  (name) => pathToFileURL(`packages/core/dist/${name}.js`).href,
);

/** What the threads of these tests serve. */
interface Functions {
  add(a: number, b: number): number;
  fail(kind: string): never;
  count(to: number, listeners: { onCount(at: number): void }): number;
  ask(host: { answer(question: string): Promise<string> }): string;
  listen(signals: { stopped: AbortSignal }): string;
  wait(options: { signal: AbortSignal }): never;
  aborted(): string[];
  exit(code: number): never;
  hurl(): never;
  hoard(): never;
  spin(listeners: { onSpin(): void }): never;
  leave(): () => void;
}

const code = `
  const { AlasError, CycleError, InputError } = await import(${JSON.stringify(errors)});
  const { serveCalls } = await import(${JSON.stringify(calls)});
  const never = () => new Promise(() => {});
  const aborted = [];
  const thrown = {
    input: () => new InputError('bad', 'no number', 'give one', { line: 3 }, 7, { given: 'x' }),
    own: () => new AlasError('own', 'of its own'),
    cycle: () => new CycleError('round', [1, 2]),
    range: () => new RangeError('too far'),
    system: () => Object.assign(new Error('no file'), { code: 'ENOENT', huge: () => {} }),
    nothing: () => undefined,
  };
  serveCalls({
    add: (a, b) => a + b,
    fail: (kind) => { throw thrown[kind](); },
    count(to, { onCount }) {
      for (let at = 1; at <= to; at++) onCount(at);
      return to;
    },
    ask: async ({ answer }) => 'it said: ' + await answer('why?').catch((error) => error.code),
    listen: ({ stopped }) => new Promise((resolve) => {
      if (stopped.aborted) resolve('before: ' + stopped.reason.code);
      stopped.addEventListener('abort', () => resolve('stopped: ' + stopped.reason.code));
    }),
    wait({ signal }) {
      signal.addEventListener('abort', () => aborted.push(signal.reason.message));
      return never();
    },
    aborted: () => aborted,
    exit: (code) => process.exit(code),
    hurl: () => { setTimeout(() => { throw null; }); return never(); },
    hoard() { const all = []; for (;;) all.push(new Array(1000).fill(all.length)); },
    spin({ onSpin }) { onSpin(); for (;;); },
    leave: () => () => {},
  });
`;
const file = join(mkdtempSync(join(tmpdir(), 'alas-jssp-')), 'functions.mjs');
writeFileSync(file, code);
afterAll(() => rmSync(dirname(file), { recursive: true }));

function start(megabytes?: number): Thread<Functions> {
  const thread = startThread<Functions>(file, import.meta.url, { megabytes });
  onTestFinished(() => thread.close());
  return thread;
}

describe('calls of another thread', () => {
  it('return results, several at a time', async () => {
    const { add } = start().calls;
    expect(await Promise.all([add(1, 2), add(3, 4)])).toEqual([3, 7]);
  });

  it('throw errors of the same class, with code, location and facts, and without the value', async () => {
    const { fail } = start().calls;
    const caught = (kind: string) => fail(kind).catch((error: unknown) => error);
    const input = await caught('input');
    expect(input).toBeInstanceOf(InputError);
    expect({ ...(input as object) }).toEqual({
      ...{ name: 'InputError', code: 'bad', problem: 'no number', hint: 'give one' },
      ...{ location: { line: 3 }, facts: { given: 'x' } },
    });
    expect(input).toHaveProperty('message', '3: no number; give one');
    expect(await caught('own')).toBeInstanceOf(AlasError);
    expect(await caught('cycle')).toMatchObject({ name: 'CycleError', cycle: [1, 2] });
    const range = await caught('range');
    expect(range).toBeInstanceOf(RangeError);
    expect(range).toHaveProperty('stack', expect.stringContaining('functions.mjs'));
    expect({ ...((await caught('system')) as object) }).toEqual({ code: 'ENOENT' });
    expect(await caught('nothing')).toHaveProperty('message', 'undefined was thrown');
  });

  it('throw if an argument or a result cannot be cloned', async () => {
    const { add, leave } = start().calls;
    await expect(add((() => {}) as never, 1)).rejects.toThrow('could not be cloned');
    await expect(leave()).rejects.toThrow('could not be cloned');
    expect(await add(1, 1)).toBe(2);
  });

  it('report progress to listeners, all of it before the result', async () => {
    const counted: number[] = [];
    const count = start().calls.count(3, { onCount: (at) => void counted.push(at) });
    expect(await count).toBe(3);
    expect(counted).toEqual([1, 2, 3]);
  });

  it('are answered in turn, with errors of the same code', async () => {
    const { ask } = start().calls;
    expect(await ask({ answer: async (question) => `${question} so` })).toBe('it said: why? so');
    const refused = () => Promise.reject(new AlasError('secret', 'no'));
    expect(await ask({ answer: refused })).toBe('it said: secret');
  });

  it('receive signals, with their reasons', async () => {
    const { listen } = start().calls;
    const stop = new AbortController();
    const listening = listen({ stopped: stop.signal });
    stop.abort(new AlasError('late', 'too late'));
    expect(await listening).toBe('stopped: late');
    expect(await listen({ stopped: stop.signal })).toBe('before: late');
  });

  it('are rejected at once by the signal of that name, which the thread receives, too', async () => {
    const { wait, aborted } = start().calls;
    const controller = new AbortController();
    const waiting = wait({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(wait({ signal: controller.signal })).rejects.toThrow('enough');
    expect(await aborted()).toEqual(['enough']);
  });
});

describe('calls of a thread that ends', () => {
  it.each([
    [
      'exits',
      'exit',
      { code: 'thread_exited', exitCode: 3 },
      'its thread ended early, with code 3',
    ],
    ['throws elsewhere', 'hurl', { code: 'thread_failed' }, 'null was thrown'],
    ['needs too much', 'hoard', { code: 'thread_out_of_memory' }, 'its thread ran out of memory'],
  ] as const)('are rejected when it %s', async (_, name, fields, message) => {
    const { calls, ended } = start(32);
    const [call, other] = [calls[name](3), calls.add(1, 2)];
    void other.catch(() => {});
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ThreadEnd);
    expect(error).toMatchObject({ ...fields, message });
    expect(await ended).toBe(error);
    await expect(calls.add(1, 2)).rejects.toBe(error);
  });

  it('are rejected when it cannot be loaded', async () => {
    const { calls } = startThread<Functions>('./none.js', import.meta.url);
    await expect(calls.add(1, 2)).rejects.toThrow('Cannot find module');
  });

  it('are rejected at once when it is closed, whatever it does', async () => {
    const { calls, close } = start();
    let isSpinning = () => {};
    const spins = new Promise<void>((resolve) => {
      isSpinning = resolve;
    });
    const spinning = calls.spin({ onSpin: isSpinning });
    await spins;
    void close();
    await expect(spinning).rejects.toMatchObject({ code: 'thread_exited' });
  });
});

describe('a pool of threads', () => {
  function pool(threads: number, workPerThread?: number) {
    let started = 0;
    const own = createThreadPool<Functions>({
      threads,
      workPerThread,
      start() {
        started++;
        return startThread<Functions>(file, import.meta.url);
      },
    });
    onTestFinished(() => own.close());
    return { ...own, started: () => started };
  }

  it('starts threads as they are needed, and lets work wait for its turn', async () => {
    const { run, started } = pool(2);
    expect(await run(({ add }) => add(1, 1))).toBe(2);
    expect(await run(({ add }) => add(1, 2))).toBe(3);
    expect(started()).toBe(1);
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4].map(async (i) => order.push(await run(({ add }) => add(0, i)))));
    expect(order.toSorted()).toEqual([1, 2, 3, 4]);
    expect(started()).toBe(2);
  });

  it('shares threads among work that waits', async () => {
    const { run, started } = pool(1, 2);
    const stop = new AbortController();
    const listening = run(({ listen }) => listen({ stopped: stop.signal }));
    expect(await run(({ add }) => add(1, 1))).toBe(2);
    stop.abort(new AlasError('over', 'it is over'));
    expect(await listening).toBe('stopped: over');
    expect(started()).toBe(1);
  });

  it('replaces a thread that its work has ended', async () => {
    const { run, started } = pool(1);
    const exits = run(({ exit }) => exit(4));
    const next = run(({ add }) => add(2, 2));
    await expect(exits).rejects.toMatchObject({ exitCode: 4 });
    expect(await next).toBe(4);
    expect(started()).toBe(2);
  });

  it('ends the thread of work that is aborted, and takes waiting work out of the queue', async () => {
    const { run, started } = pool(1);
    const [one, other] = [new AbortController(), new AbortController()];
    const spinning = run(({ spin }) => spin({ onSpin: () => one.abort('hangs') }), one.signal);
    const waiting = run(({ add }) => add(1, 1), other.signal);
    other.abort('not needed');
    await expect(waiting).rejects.toBe('not needed');
    await expect(spinning).rejects.toBe('hangs');
    expect(await run(({ add }) => add(5, 5))).toBe(10);
    expect(started()).toBe(2);
    await expect(run(({ add }) => add(1, 1), one.signal)).rejects.toBe('hangs');
  });
});
