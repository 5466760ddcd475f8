import { packageVersion } from '@alas-jssp/core/package-version';
import type { Attributes, Context, HrTime, Link, Span } from '@opentelemetry/api';
import type { EventType, LogEntry } from '../log/entry.js';

type OpenTelemetry = typeof import('@opentelemetry/api');

/** The spans of a run in this process, made from its entries as they are appended. */
export interface RunTrace {
  /** Receives every entry, in order, once it is in the log. */
  entry(entry: LogEntry): void;
  /** Calls a function for a node as a part of its attempt, or of the undoing of its effect. */
  handlerContext<T>(nodeId: string, call: () => T): T;
  /** Ends all open spans: the run has ended, waits, or was interrupted with an error. */
  end(error?: unknown): void;
}

/** The global through which the copies of OpenTelemetry's API share their state. */
const OPEN_TELEMETRY = Symbol.for('opentelemetry.js.api.1');

/**
 * Traces a run by `@opentelemetry/api`: a span for the run, below it one for each node, below these
 * one for each attempt and each undoing. Undefined if no SDK is registered in this process: then
 * nothing is traced, and not even the API is loaded.
 */
export async function traceRun(runId: string, workflow: string): Promise<RunTrace | undefined> {
  const { [OPEN_TELEMETRY]: registered } = globalThis as { [OPEN_TELEMETRY]?: { trace?: object } };
  if (registered?.trace === undefined) return undefined;
  return createRunTrace(await import('@opentelemetry/api'), runId, workflow);
}

/** The fields of payloads that spans show. */
interface SpanFields {
  readonly attempt?: number;
  readonly handler?: string;
  readonly key?: string;
  readonly compensator?: string;
  readonly status?: string;
  readonly remaining?: string | readonly unknown[];
  readonly inDoubt?: readonly unknown[];
  readonly error?: { readonly code: string; readonly message: string } | string;
  readonly code?: string;
}

/** The spans of one node: a step ends after its attempts; its effect is undone after that. */
interface NodeSpans {
  step?: Span | undefined;
  attempt?: Span | undefined;
  undo?: Span | undefined;
  /** The last attempt, open or not: an undo undoes it. */
  acted?: Span | undefined;
}

function createRunTrace(api: OpenTelemetry, runId: string, workflow: string): RunTrace {
  const tracer = api.trace.getTracer('alas-jssp', packageVersion());
  const outer = api.context.active();
  const nodes = new Map<string, NodeSpans>();
  let run: Span | undefined;
  let status: string | undefined;
  let last: HrTime = [0, 0];

  const within = (parent: Span | undefined): Context =>
    parent === undefined ? outer : api.trace.setSpan(outer, parent);
  const start = (name: string, parent: Span | undefined, attributes: Attributes, links: Link[]) =>
    tracer.startSpan(name, { startTime: last, attributes, links }, within(parent));
  const finish = (span: Span | undefined, attributes: Attributes, failure?: Failed): undefined => {
    if (failure !== undefined) {
      span?.setStatus({ code: api.SpanStatusCode.ERROR, message: failure.code });
      span?.setAttribute('error.type', failure.code);
    }
    span?.setAttributes(attributes).end(last);
  };
  const spansOf = (path: string): NodeSpans => {
    const known = nodes.get(path) ?? {};
    nodes.set(path, known);
    return known;
  };
  /** The open span of a node, else of the nearest node around it. */
  const around = (path: string): Span | undefined => {
    for (let at = path; at !== ''; at = enclosing(at)) {
      const step = nodes.get(at)?.step;
      if (step !== undefined) return step;
    }
    return run;
  };
  const open = (verb: string, path: string, more: Attributes, undone?: Span | undefined): Span => {
    const attributes = { 'alas.run': runId, 'alas.node': path, ...more };
    const links = undone === undefined ? [] : [{ context: undone.spanContext() }];
    const name = `${verb} ${path.replaceAll(/\[\d+\]/g, '')}`;
    return start(name, around(verb === 'step' ? enclosing(path) : path), attributes, links);
  };

  const startNode = (path: string, { attempt, key, handler }: SpanFields): void => {
    const spans = spansOf(path);
    spans.attempt = finish(spans.attempt, { 'alas.status': 'interrupted' });
    spans.step ??= open('step', path, {});
    if (attempt === undefined) return;
    const more = { 'alas.attempt': attempt, 'alas.key': key, 'alas.handler': handler };
    spans.attempt = open('attempt', path, more);
    spans.acted = spans.attempt;
  };
  const endAttempt = (path: string, shown: string, failure?: Failed): void => {
    const spans = spansOf(path);
    spans.attempt = finish(spans.attempt, { 'alas.status': shown }, failure);
  };
  const endStep = (path: string, shown: string, failure?: Failed): void => {
    endAttempt(path, shown, failure);
    const spans = spansOf(path);
    spans.step = finish(spans.step, { 'alas.status': shown }, failure);
  };
  const startUndo = (path: string, { attempt, key, compensator }: SpanFields): void => {
    const spans = spansOf(path);
    spans.undo = finish(spans.undo, { 'alas.status': 'interrupted' });
    const more = { 'alas.attempt': attempt, 'alas.key': key, 'alas.handler': compensator };
    spans.undo = open('undo', path, more, spans.acted);
  };
  const endUndo = (path: string, shown: string, failure?: Failed): void => {
    const spans = spansOf(path);
    spans.undo = finish(spans.undo, { 'alas.status': shown }, failure);
  };
  const endRun = ({ status: shown, remaining, inDoubt, error }: SpanFields): void => {
    status = shown;
    run?.setAttribute('alas.remaining', remaining?.length ?? 0);
    run?.setAttribute('alas.in_doubt', inDoubt?.length ?? 0);
    if (shown === 'COMPLETED') return;
    const failure = failedOf(error);
    run?.setStatus({ code: api.SpanStatusCode.ERROR, message: failure?.code ?? shown ?? '' });
    if (failure !== undefined) run?.setAttribute('error.type', failure.code);
  };

  const follow: Partial<Record<EventType, (path: string, shown: SpanFields) => void>> = {
    StartNode: startNode,
    EndNode: (path) => endStep(path, 'done'),
    FailNode: (path, { error }) => endStep(path, 'failed', failedOf(error)),
    Retry: (path, { error }) => endAttempt(path, 'failed', failedOf(error)),
    Timeout: (path) => endAttempt(path, 'timeout', TIMEOUT),
    Compensate: startUndo,
    Compensated: (path, { remaining }) => endUndo(path, remaining ? 'partial' : 'undone'),
    CompensateFail: (path, { code = '', error }) =>
      endUndo(path, 'failed', { code, message: `${error}` }),
    EndRun: (_, shown) => endRun(shown),
  };
  return {
    entry({ nodeId, eventType, ts, payload }) {
      last = timeOf(ts);
      run ??= start(`workflow ${workflow}`, undefined, { 'alas.run': runId }, []);
      if (UNTRACED.has(eventType)) return;
      const step = follow[eventType];
      if (step !== undefined) return step(nodeId, payload as SpanFields);
      around(nodeId)?.addEvent(eventType, eventAttributes(nodeId, payload), last);
      // The effect is being undone because the node has failed, before its end is logged.
      const { error } = payload as SpanFields;
      if (eventType === 'Trigger' && nodeId !== '') endAttempt(nodeId, 'failed', failedOf(error));
    },
    handlerContext(nodeId, call) {
      const spans = nodes.get(nodeId);
      return api.context.with(within(spans?.undo ?? spans?.attempt ?? around(nodeId)), call);
    },
    end(error) {
      const interrupted = { 'alas.status': 'interrupted' };
      for (const spans of [...nodes.values()].reverse()) {
        for (const span of [spans.undo, spans.attempt, spans.step]) finish(span, interrupted);
      }
      nodes.clear();
      if (error !== undefined) run?.recordException(error as Error, last);
      const shown = status ?? (error === undefined ? 'WAITING' : 'interrupted');
      run = finish(run, { 'alas.status': shown }, failedOf(error));
    },
  };
}

/** A failure, as spans show it. */
interface Failed {
  readonly code: string;
  readonly message: string;
}

function failedOf(error: unknown): Failed | undefined {
  if (error === undefined) return undefined;
  const { code, name, message } = error as { code?: unknown; name?: string; message?: string };
  const known = typeof code === 'string' ? code : (name ?? 'Error');
  return { code: known, message: message ?? String(error) };
}

const TIMEOUT: Failed = { code: 'Timeout', message: 'no answer in time' };

/** Entries without a duration, or with large payloads. */
const UNTRACED: ReadonlySet<EventType> = new Set(['StartRun', 'Register', 'Snapshot']);

/** The fields of payloads that events show: short facts, no values of the workflow. */
const FACTS = ['attempt', 'validator', 'outcome', 'name', 'by', 'code', 'kind', 'happened', 'to'];

function eventAttributes(nodeId: string, payload: LogEntry['payload']): Attributes {
  const facts = Object.entries(payload as Readonly<Record<string, unknown>>)
    .filter(([key, value]) => FACTS.includes(key) && value !== null && typeof value !== 'object')
    .map(([key, value]) => [`alas.${key}`, value as string]);
  return { 'alas.node': nodeId, ...Object.fromEntries(facts) };
}

/** The path of the node, or branch of it, that encloses a node; empty for none. */
function enclosing(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/'))).replace(/\[\d+\]$/, '');
}

/** Seconds and nanoseconds since 1970: an SDK guesses the unit of a plain number from its size. */
function timeOf(ts: string): HrTime {
  const ms = Date.parse(ts);
  return [Math.floor(ms / 1000), (ms % 1000) * 1e6];
}
