import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../src/core/virtual-clock.js';
import type { Ask, LlmRequest } from '../../../src/llm/client.js';
import { LlmError } from '../../../src/llm/errors.js';
import {
  type AskWait,
  askByPolicy,
  isQuestion,
  questionRegistry,
  questionWorkflow,
} from '../../../src/pipeline/planners/question.js';
import {
  checkWorkflow,
  createMemoryStore,
  parseWorkflow,
  replayRun,
  writeWorkflow,
} from '../../../src/workflow/index.js';
import { answer } from '../../llm/scripted-models.js';

const request: LlmRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'plan' }],
  temperature: undefined,
  maxOutputTokens: 10,
};
const context = { replicate: 0 };

/** Fails with these, one after the other, and then answers. */
function failing(...errors: Error[]): { ask: Ask; calls: () => number } {
  let calls = 0;
  const ask: Ask = async (asked) => {
    const error = errors[calls++];
    if (error !== undefined) throw error;
    return answer('done', asked);
  };
  return { ask, calls: () => calls };
}

const limited = () => new LlmError('RateLimited', 'too fast', undefined, 7);

describe('questionWorkflow', () => {
  it('is one that the checker has nothing against, and that is read as it is written', () => {
    const workflow = questionWorkflow(3);
    expect(checkWorkflow(workflow, { handlers: questionRegistry.handlers as never })).toEqual([]);
    expect(parseWorkflow(new TextEncoder().encode(writeWorkflow(workflow)))).toEqual(workflow);
    expect(isQuestion(workflow)).toBe(true);
    expect(isQuestion({ ...workflow, name: 'job-shop' })).toBe(false);
  });
});

describe('a question', () => {
  it('is asked again where that may help, with growing waits, and all attempts are in the log', async () => {
    const store = createMemoryStore();
    const clock = virtualClock();
    const waits: AskWait[] = [];
    const { ask, calls } = failing(limited(), new LlmError('ServerError', 'down'), limited());
    const asking = askByPolicy(ask, {
      log: { store, runId: 'run' },
      onWait: (wait) => waits.push(wait),
      clock,
    });
    expect(await asking(request, context)).toMatchObject({ text: 'done' });
    expect(calls()).toBe(4);
    expect(waits.map(({ reason }) => reason.split(':')[0])).toEqual([
      'RateLimited',
      'ServerError',
      'RateLimited',
    ]);
    const seconds = waits.map((wait) => wait.seconds);
    expect(clock.now()).toBeCloseTo(1000 * seconds.reduce((sum, each) => sum + each, 0), 0);
    seconds.forEach((each, i) => {
      expect(each).toBeGreaterThanOrEqual(0.25 * 2 ** i);
      expect(each).toBeLessThanOrEqual(0.5 * 2 ** i);
    });
    const types = [...store.read({ runId: 'run/ask-1' })].map(({ eventType }) => eventType);
    expect(types.filter((type) => type === 'StartNode')).toHaveLength(4);
    expect(types.filter((type) => type === 'Retry')).toHaveLength(3);
    expect(await replayRun(store, 'run/ask-1', { registry: questionRegistry })).toMatchObject({
      parity: true,
    });
  });

  it('fails with the very error of its last attempt', async () => {
    const clock = virtualClock();
    const last = limited();
    const { ask, calls } = failing(limited(), last);
    const asked = askByPolicy(ask, { attempts: 2, clock })(request, context);
    await expect(asked).rejects.toBe(last);
    expect(calls()).toBe(2);
    const final = new LlmError('Unauthorized', 'no');
    const refused = failing(final);
    await expect(askByPolicy(refused.ask, { clock })(request, context)).rejects.toBe(final);
    expect(refused.calls()).toBe(1);
  });

  it('is given up with the reason of the signal, and tells that to whoever is asked', async () => {
    const controller = new AbortController();
    let told: AbortSignal | undefined;
    const ask: Ask = (_, { signal }) => {
      told = signal;
      setImmediate(() => controller.abort(new Error('enough')));
      return new Promise(() => {});
    };
    const { signal } = controller;
    const asked = askByPolicy(ask, { clock: virtualClock() })(request, { ...context, signal });
    await expect(asked).rejects.toThrow('enough');
    expect(told?.aborted).toBe(true);
  });

  it('has a run of its own in the log, also where another process asked before', async () => {
    const store = createMemoryStore();
    const log = { store, runId: 'run' };
    await askByPolicy(failing().ask, { log })(request, context);
    await askByPolicy(failing().ask, { log })(request, context);
    expect(store.runs()).toEqual(['run/ask-1', 'run/ask-2']);
  });

  it('has a run of its own also where several are asked at the same time', async () => {
    const store = createMemoryStore();
    const asked = askByPolicy(failing().ask, { log: { store, runId: 'run' } });
    const again = askByPolicy(failing().ask, { log: { store, runId: 'run' } });
    await Promise.all([asked(request, context), asked(request, context), again(request, context)]);
    expect(store.runs()).toEqual(['run/ask-1', 'run/ask-2', 'run/ask-3']);
    for (const runId of store.runs()) {
      const types = [...store.read({ runId })].map(({ eventType }) => eventType);
      expect(types.filter((type) => type === 'StartRun')).toHaveLength(1);
    }
  });
});
