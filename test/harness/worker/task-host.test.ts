import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { connect } from '@alas-jssp/core/thread-calls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTaskHost, type TaskHost, timePlanner } from '../../../src/harness/worker/task-host.js';
import { watchTask } from '../../../src/harness/worker/watch.js';
import type { AskWait } from '../../../src/llm/ask.js';
import type { Ask, LlmRequest } from '../../../src/llm/client.js';
import { isRetryable, LlmError } from '../../../src/llm/errors.js';
import { answer } from '../../llm/scripted-models.js';

const request: LlmRequest = { model: 'm', messages: [], maxOutputTokens: 1 };

/** The host of a task, and as the task sees it through a port. */
async function connected(ask: Ask) {
  const { port1: here, port2: there } = new MessageChannel();
  const [interrupt, stop] = [new AbortController(), new AbortController()];
  const waits: AskWait[] = [];
  const planner: string[] = [];
  const watch = {
    ...watchTask(null, undefined),
    interrupted: interrupt.signal,
    stopped: stop.signal,
    begin: (repairs: boolean) => void planner.push(repairs ? 'repairing' : 'called'),
    pause: () => void planner.push('done'),
  };
  const onWait = (wait: AskWait) => void waits.push(wait);
  const models = { askFor: () => ask, onWait, onBudgetSpent: () => {} };
  const { host, ...open } = openTaskHost({ models, planner: 'm', watch });
  const line = await new Promise<TaskHost>((resolve) => {
    const perform = (task: TaskHost) => {
      resolve(task);
      return new Promise<void>(() => {});
    };
    connect(there, { perform });
    void connect<{ perform: typeof perform }>(here).calls.perform(host);
  });
  onTestFinished(() => here.close());
  return { host: open, line, waits, planner, interrupt, stop };
}

describe('the line from a task to the main thread', () => {
  it('carries questions and answers, many at a time, and books what they take', async () => {
    const { host, line } = await connected(async (asked, { replicate }) => {
      await new Promise((resolve) => setTimeout(resolve, 5 - replicate));
      return answer(`answer ${replicate}`, asked);
    });
    const asked = [0, 1, 2, 3].map((replicate) => line.ask(request, { replicate }));
    const answers = await Promise.all(asked);
    expect(answers.map(({ text }) => text)).toEqual([0, 1, 2, 3].map((i) => `answer ${i}`));
    expect(host.usage()).toMatchObject({ answers: 4, tokens: { input: 40, output: 32 } });
    expect(host.ranOut()).toBe(false);
  });

  it('carries errors with all that decides what is done about them', async () => {
    const errors = [
      new LlmError('RateLimited', 'too fast', undefined, 7),
      new InputError('no_price', 'unknown', 'give one'),
      new LlmError('BudgetSpent', 'the budget is spent', { limit: 'requests' }),
    ];
    const { host, line } = await connected((_, { replicate }) => Promise.reject(errors[replicate]));
    const caught = await Promise.all(
      errors.map((_, replicate) => line.ask(request, { replicate }).catch((error) => error)),
    );
    expect(caught.map(({ code, message }) => [code, message])).toEqual(
      errors.map(({ code, message }) => [code, message]),
    );
    expect(caught.map(isRetryable)).toEqual([true, false, false]);
    expect(caught[0].retryAfterSeconds).toBe(7);
    expect(host.ranOut()).toBe(true);
  });

  it('tells when a planner is called and when it is done, also if it fails', async () => {
    const { line, planner } = await connected(() => new Promise(() => {}));
    expect(await timePlanner(line, async () => 7)).toBe(7);
    await expect(timePlanner(line, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await vi.waitFor(() => expect(planner).toEqual(['called', 'done', 'called', 'done']), 60_000);
  });

  it('breaks off what nobody waits for any longer', async () => {
    const controller = new AbortController();
    let tellAborted = () => {};
    const aborted = new Promise<void>((resolve) => {
      tellAborted = resolve;
    });
    const { line } = await connected((_, { signal }) => {
      signal?.addEventListener('abort', tellAborted);
      controller.abort(new Error('enough'));
      return new Promise(() => {});
    });
    const asked = line.ask(request, { replicate: 0, signal: controller.signal });
    await expect(asked).rejects.toThrow('enough');
    await aborted;
  });

  it('tells of waits, interruptions and ends', async () => {
    const { line, waits, interrupt, stop } = await connected(() => new Promise(() => {}));
    line.onWait({ reason: 'too fast', seconds: 3 });
    interrupt.abort();
    stop.abort(new AlasError('stopped', 'stopped after 3 s'));
    await once(line.stopped, 'abort');
    expect(line.interrupted.aborted).toBe(true);
    expect(line.stopped.reason).toBeInstanceOf(AlasError);
    expect(line.stopped.reason.message).toBe('stopped after 3 s');
    const wait = { reason: 'too fast', seconds: 3 };
    await vi.waitFor(() => expect(waits).toEqual([wait]), 60_000);
  });
});
