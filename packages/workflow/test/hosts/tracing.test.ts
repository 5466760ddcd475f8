import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunTrace, traceRun } from '../../src/hosts/tracing.js';
import { approve, type Json, type LogEntry, resumeRun } from '../../src/index.js';
import { chain, createWorld, effect, flow, plain, runIn, SAGA } from '../interpreter/world.js';
import { tour } from '../tour.js';

/** Registers an SDK that keeps spans in memory. */
function listen(): () => ReadableSpan[] {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return () => exporter.getFinishedSpans();
}

afterEach(() => {
  trace.disable();
  context.disable();
});

/** Makes the spans of a run of its log. */
async function follow(entries: readonly LogEntry[], error?: unknown): Promise<void> {
  const traced = (await traceRun('run', 'test')) as RunTrace;
  for (const entry of entries) traced.entry(entry);
  traced.end(error);
}

const secondsOf = ([seconds, nanoseconds]: readonly [number, number]) =>
  seconds + nanoseconds / 1e9;

/** Spans as lines, each below its parent, with their status and times. */
function treeOf(spans: readonly ReadableSpan[], parent?: string, depth = 0): string[] {
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
    .sort((a, b) => secondsOf(a.startTime) - secondsOf(b.startTime))
    .flatMap((span) => {
      const { attributes, name, status } = span;
      const error = attributes['error.type'] === undefined ? '' : ` ${attributes['error.type']}`;
      expect(status.code).toBe(error ? SpanStatusCode.ERROR : SpanStatusCode.UNSET);
      const time = `${secondsOf(span.startTime)}–${secondsOf(span.endTime)} s`;
      const line = `${'  '.repeat(depth)}${name} ${attributes['alas.status']}${error}, ${time}`;
      return [line, ...treeOf(spans, span.spanContext().spanId, depth + 1)];
    });
}

/** A step that is tried again, a loop, and a step that never answers; its parts take a second each. */
const failing = flow({
  nodes: [
    { ...effect('a', { fail: 'Busy', times: 1, seconds: 1, undoSeconds: 1 }), policyRef: 'again' },
    {
      id: 'each',
      type: 'map',
      items: 'input',
      policyRef: 'loop',
      body: { nodes: [effect('item', { seconds: 1, undoSeconds: 1 })], edges: [] },
    },
    { ...plain('slow', { seconds: 60 }), policyRef: 'hasty' },
  ],
  edges: chain('a', 'each', 'slow'),
  policies: {
    saga: SAGA,
    again: { ...SAGA, retry: { maxAttempts: 2 } },
    loop: { loopGuards: { maxIters: 9 } },
    hasty: { timeout: { seconds: 5 } },
  },
});

describe('the spans of a run', () => {
  it('are those of the run, its nodes, their attempts and their undoing, when they were', async () => {
    const spans = listen();
    const { result } = await runIn(failing, [1, 2]);
    expect(result.status).toBe('COMPENSATED');
    expect(treeOf(spans())).toEqual([
      'workflow test COMPENSATED Timeout, 0–11 s',
      '  step a done, 0–2 s',
      '    attempt a failed Busy, 0–1 s',
      '    attempt a done, 1–2 s',
      '  step each done, 2–3 s',
      '    step each/item done, 2–3 s',
      '      attempt each/item done, 2–3 s',
      '    step each/item done, 2–3 s',
      '      attempt each/item done, 2–3 s',
      '  step slow failed Timeout, 3–8 s',
      '    attempt slow timeout Timeout, 3–8 s',
      '  undo each/item undone, 8–9 s',
      '  undo each/item undone, 9–10 s',
      '  undo a undone, 10–11 s',
    ]);
  });

  it('show run, node, attempt and key, and for an undo the undone attempt', async () => {
    const spans = listen();
    const { entries } = await runIn(failing, [1]);
    const find = (name: string, attempt: number) =>
      spans().find((span) => span.name === name && span.attributes['alas.attempt'] === attempt);
    const attempt = find('attempt each/item', 1);
    const undo = find('undo each/item', 1);
    const [undoing] = entries.filter(({ eventType }) => eventType === 'Compensate');
    const { key } = undoing.payload as { key: string };
    const common = { 'alas.run': 'run', 'alas.node': 'each[0]/item', 'alas.key': key };
    expect(attempt?.attributes).toMatchObject({ ...common, 'alas.handler': 'effect' });
    expect(undo?.attributes).toMatchObject({ ...common, 'alas.handler': 'undo' });
    expect(undo?.links.map((link) => link.context)).toEqual([attempt?.spanContext()]);
    const whole = spans().find(({ name }) => name === 'workflow test');
    expect(whole?.attributes).toMatchObject({ 'alas.remaining': 0, 'alas.in_doubt': 0 });
  });

  it('hang below the span in which the run was called for', async () => {
    const spans = listen();
    await trace.getTracer('test').startActiveSpan('request', async (request) => {
      await runIn(flow({ nodes: [plain('a')] }));
      request.end();
    });
    const request = spans().find(({ name }) => name === 'request');
    const run = spans().find(({ name }) => name === 'workflow test');
    expect(run?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  });

  it('are whole wherever the run breaks off, and lie within those around them', async () => {
    const { entries } = await runIn(
      tour,
      { n: 1, list: [1, 2], fails: true },
      {
        approvals: { kim: 'kim' },
      },
    );
    const count = (cut: readonly LogEntry[], type: string) =>
      cut.filter(({ eventType, payload }) => {
        return eventType === type && (payload as { attempt?: number }).attempt !== undefined;
      }).length;
    for (let length = 1; length <= entries.length; length++) {
      const spans = listen();
      const cut = entries.slice(0, length);
      await follow(cut, new Error('the disk is full'));
      const all = spans();
      const named = (verb: string) => all.filter(({ name }) => name.startsWith(verb)).length;
      expect(named('workflow')).toBe(1);
      expect(named('attempt')).toBe(count(cut, 'StartNode'));
      expect(named('undo')).toBe(count(cut, 'Compensate'));
      for (const { name, startTime, endTime, parentSpanContext } of all) {
        const around = all.find((span) => span.spanContext().spanId === parentSpanContext?.spanId);
        expect(around === undefined).toBe(name.startsWith('workflow'));
        if (around === undefined) continue;
        expect(secondsOf(startTime)).toBeGreaterThanOrEqual(secondsOf(around.startTime));
        expect(secondsOf(endTime)).toBeLessThanOrEqual(secondsOf(around.endTime));
      }
      trace.disable();
      context.disable();
    }
  });

  it('are a tree for each time that the run is taken up', async () => {
    const spans = listen();
    const gated = flow({ nodes: [plain('a'), { ...plain('b'), approval: 'kim' }] });
    const { world, store } = await runIn(gated);
    await approve(store, 'run', 'kim', 'kim');
    await resumeRun(store, 'run', { registry: world.registry, clock: virtualClock() });
    expect(treeOf(spans()).map((line) => line.replace(/, .*/, ''))).toEqual([
      'workflow test WAITING',
      '  step a done',
      '    attempt a done',
      'workflow test COMPLETED',
      '  step b done',
      '    attempt b done',
    ]);
  });

  it('say that the run broke off, and why', async () => {
    const spans = listen();
    const rules = [{ label: 'cut', node: 'a', kind: 'crash' as const }];
    const inject = { schema: 'alas-jssp/faults@1' as const, rules };
    const run = runIn(flow({ nodes: [effect('a')], policies: { saga: SAGA } }), 0, { inject });
    await expect(run).rejects.toMatchObject({ code: 'InjectedCrash' });
    const whole = spans().find(({ name }) => name === 'workflow test');
    expect(whole?.attributes).toMatchObject({
      'alas.status': 'interrupted',
      'error.type': 'InjectedCrash',
    });
    expect(whole?.events.map(({ name }) => name)).toContain('exception');
  });
});

it('what a handler or a compensator calls is part of its attempt, or of the undoing', async () => {
  const spans = listen();
  const world = createWorld();
  const call = async () => {
    await undefined;
    trace.getTracer('test').startSpan('inside').end();
  };
  const registry = {
    handlers: {
      ...world.registry.handlers,
      effect: {
        run: async (): Promise<Json> => {
          await call();
          return {};
        },
      },
    },
    compensators: { undo: { run: call } },
  };
  const failing = flow({
    nodes: [effect('a'), plain('b', { fail: 'Ill' })],
    edges: chain('a', 'b'),
    policies: { saga: SAGA },
  });
  await runIn(failing, 0, { registry });
  const inside = spans().filter(({ name }) => name === 'inside');
  const parents = inside.map(({ parentSpanContext }) => {
    return spans().find((span) => span.spanContext().spanId === parentSpanContext?.spanId)?.name;
  });
  expect(parents).toEqual(['attempt a', 'undo a']);
});

it('without an SDK there are no spans, and no work', async () => {
  expect(await traceRun('run', 'test')).toBeUndefined();
});
