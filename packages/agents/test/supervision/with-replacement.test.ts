import { type ReplacementOptions, withReplacement } from '@alas-jssp/agents';
import {
  createMemoryStore,
  declareStep,
  defineWorkflow,
  type Handler,
  type Json,
  type LogEntry,
  type Registry,
  resumeRun,
  runWorkflow,
  type StepContext,
  virtualClock,
} from '@alas-jssp/workflow';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const { workflow } = defineWorkflow('quote', { input: z.null() }, (flow, input) => {
  const retry = { maxAttempts: 3 };
  const ask = declareStep('ask', { timeout: 60, retry, handler: 'agent' });
  const again = declareStep('again', { timeout: 60, handler: 'agent' });
  return flow.step(again, flow.step(ask, input));
});

class Outage extends Error {
  readonly code = 'Outage';
}

/** Agents that count their calls; `broken` always fails. */
function agents() {
  const calls: string[] = [];
  const candidate = (name: string, fails: boolean) => ({
    name,
    handler: {
      run: () => {
        calls.push(name);
        if (fails) throw new Outage(`${name} is down`);
        return name;
      },
    } satisfies Handler,
  });
  return { calls, candidates: [candidate('broken', true), candidate('spare', false)] };
}

async function run(handler: Handler) {
  const store = createMemoryStore();
  const registry: Registry = { handlers: { agent: handler } };
  const clock = virtualClock();
  const result = await runWorkflow(workflow, null, { registry, store, clock, runId: 'r' });
  const entries = [...store.read({ runId: 'r' })];
  const bound = entries.filter(({ eventType }) => eventType === 'Bind');
  return {
    result,
    bound: bound.map(({ nodeId, payload }) => ({ nodeId, ...(payload as object) })),
  };
}

const role = 'quoter';

describe('a role with several agents', () => {
  it('is played by the next one when the first fails, for the rest of the run', async () => {
    const { calls, candidates } = agents();
    const { result, bound } = await run(withReplacement(candidates, { role }));
    expect(result.output).toBe('spare');
    expect(calls).toEqual(['broken', 'spare', 'spare']);
    expect(bound).toEqual([
      { nodeId: 'ask', role, agent: 'broken', reason: 'it fits the role best' },
      {
        nodeId: 'ask',
        role,
        agent: 'spare',
        replaced: 'broken',
        reason: 'broken failed: Outage: broken is down',
      },
    ]);
  });

  it('replaces after as many failures as it says', async () => {
    const { calls, candidates } = agents();
    const { result } = await run(withReplacement(candidates, { role, failures: 2 }));
    expect(result.status).toBe('COMPLETED');
    expect(calls).toEqual(['broken', 'broken', 'spare', 'spare']);
  });

  it('keeps its agent after errors of other codes', async () => {
    const { calls, candidates } = agents();
    const { result } = await run(withReplacement(candidates, { role, on: ['Refused'] }));
    expect(result.error).toMatchObject({ code: 'Outage' });
    expect(calls).toEqual(['broken', 'broken', 'broken']);
  });

  it('keeps its agent after errors that all candidates would have', async () => {
    const { calls, candidates } = agents();
    await run(withReplacement(candidates, { role, except: ['Outage'] }));
    expect(calls).toEqual(['broken', 'broken', 'broken']);
  });

  it('loses no candidate if several steps fail at once', async () => {
    const { workflow: wide } = defineWorkflow('wide', { input: z.null() }, (flow, input) => {
      const ask = declareStep('ask', { timeout: 60, handler: 'agent' });
      const branches = { a: 'a', b: 'b', c: 'c' } as const;
      return flow.parallel('all', input, {
        [branches.a]: (inner, given) => inner.step(ask, given, 'a1'),
        [branches.b]: (inner, given) => inner.step(ask, given, 'b1'),
        [branches.c]: (inner, given) => inner.step(ask, given, 'c1'),
      });
    });
    const calls: string[] = [];
    const slow = (name: string, fails: boolean) => ({
      name,
      handler: {
        run: async () => {
          await new Promise((done) => setTimeout(done, 5));
          calls.push(name);
          if (fails) throw new Outage(`${name} is down`);
          return name;
        },
      } satisfies Handler,
    });
    const candidates = [slow('one', true), slow('two', false), slow('three', true)];
    const registry = { handlers: { agent: withReplacement(candidates, { role }) } };
    const result = await runWorkflow(wide, null, { registry, store: createMemoryStore() });
    expect(result.status).toBe('COMPLETED');
    expect(calls).not.toContain('three');
  });

  it('fails with the error of the last one', async () => {
    const { candidates } = agents();
    const { result } = await run(withReplacement([candidates[0]], { role }));
    expect(result.error).toMatchObject({ code: 'Outage' });
  });

  it('keeps its replacement in another process', async () => {
    const { calls, candidates } = agents();
    const registry = () => ({ handlers: { agent: withReplacement(candidates, { role }) } });
    const complete = createMemoryStore();
    const options = { runId: 'r', clock: virtualClock() };
    await runWorkflow(workflow, null, { ...options, store: complete, registry: registry() });
    // The process ends after the first node.
    const entries = [...complete.read({ runId: 'r' })];
    const end = entries.findIndex(({ eventType }) => eventType === 'EndNode');
    const store = createMemoryStore();
    store.append(entries.slice(0, end + 1).map(({ version: _, hash: __, ...entry }) => entry));
    calls.length = 0;
    const result = await resumeRun(store, 'r', { registry: registry(), isGone: () => true });
    expect(result.output).toBe('spare');
    expect(calls).toEqual(['spare']);
  });
});

/** A call of the handler in a run, with the log as a list. */
function callIn(log: LogEntry[], runId: string): StepContext {
  const append = (eventType: string, payload: Json) =>
    log.push({ eventType, payload, version: log.length + 1 } as LogEntry);
  const { signal } = new AbortController();
  return { runId, nodeId: 'ask', signal, slice: () => log, log: append } as unknown as StepContext;
}

/** Agents of which `broken` fails as long as it is down. */
function outage() {
  const { calls, candidates } = agents();
  const state = { isDown: false };
  const broken = () => {
    calls.push('broken');
    if (state.isDown) throw new Outage('broken is down');
    return 'broken';
  };
  const worker = () =>
    withReplacement([{ name: 'broken', handler: { run: broken } }, candidates[1]], { role });
  return { calls, state, worker };
}

describe('the binding of a role', () => {
  it('is that of the log, also for a worker that remembers an agent which another one replaced', async () => {
    const { calls, state, worker } = outage();
    const log: LogEntry[] = [];
    const [one, two] = [worker(), worker()];
    await one.run(null, callIn(log, 'r'));
    state.isDown = true;
    await two.run(null, callIn(log, 'r'));
    calls.length = 0;
    await one.run(null, callIn(log, 'r'));
    expect(calls).toEqual(['spare']);
    expect(log).toHaveLength(2);
  });

  it('stays where the log could not take its entry', async () => {
    const { calls, state, worker } = outage();
    const log: LogEntry[] = [];
    const one = worker();
    await one.run(null, callIn(log, 'r'));
    state.isDown = true;
    const closed = () => {
      throw new Error('the lease is lost');
    };
    await expect(one.run(null, { ...callIn(log, 'r'), log: closed })).rejects.toThrow('lease');
    state.isDown = false;
    calls.length = 0;
    await one.run(null, callIn(log, 'r'));
    expect(calls).toEqual(['broken']);
  });

  it('is kept for a run in flight however many others start, also where no slice shows it', async () => {
    const { calls, state, worker } = outage();
    const one = worker();
    state.isDown = true;
    await one.run(null, callIn([], 'live'));
    const others = [...Array(1500).keys()];
    for (const k of others) {
      await one.run(null, callIn([], `run-${k}`));
      calls.length = 0;
      if (k % 100 === 0) await one.run(null, callIn([], 'live'));
      expect(calls).not.toContain('broken');
    }
  });
});

it('refuses to replace agents that change something, unless the errors prove that nothing was changed', () => {
  const { candidates } = agents();
  const make = (more: Partial<ReplacementOptions>) => () =>
    withReplacement(candidates, { role, changes: true, ...more });
  expect(make({})).toThrow(/would change it a second time; list in `on`/);
  expect(make({ on: ['*'] })).toThrow();
  expect(make({ on: ['Refused'] })).not.toThrow();
  expect(() => withReplacement([], { role })).toThrow('no agent can play quoter');
});
