// The outside, as all engines see it: one HTTP server that plays fault scripts and writes down what
// it was asked for. Its file is the oracle: no engine writes into it, and counts survive crashes.

import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, type FaultScript, placeOf, type Row, rowFor } from './fault-script.js';

/**
 * A row of a trace. Of a call there are two: that it was made, and how it was answered. A call that
 * hangs has but the first.
 */
export interface TraceRow {
  runId: string;
  step: string;
  item: string;
  path: string;
  /** Counted here, by run, kind of call and path. */
  attempt: number;
  kind: TraceKind;
  /** Code of the error. */
  error?: string;
  /** Milliseconds since 1970. */
  at?: number;
  key?: string;
  /** As it is, or its size and hash if it is large. */
  input?: unknown;
  output?: unknown;
}

export type TraceKind =
  | 'start'
  | 'ok'
  | 'error'
  | 'compensate'
  | 'compensated'
  | 'compensate-error'
  | 'wait'
  | 'waited'
  | 'wait-error'
  | 'approve'
  | 'approved'
  | 'approve-error';

/** How the call, its answer and its error are called in traces, by kind of call. */
const KINDS_OF_CALLS = {
  run: ['start', 'ok', 'error'],
  undo: ['compensate', 'compensated', 'compensate-error'],
  wait: ['wait', 'waited', 'wait-error'],
  approve: ['approve', 'approved', 'approve-error'],
} as const;

/** Longer values stand in the file by size and hash. */
const SHORT = 2000;

/**
 * Starts the stub.
 *
 * @param options the file to which it appends, and the port if
 *   that is not to be chosen
 */
export async function startStub({ file, port = 0 }: { file: string; port?: number }) {
  const byRun: Map<string, TraceRow[]> = new Map();

  const scripts: Map<string, { script: FaultScript; closed: AbortController }> = new Map();
  const counts = countCalls(file);
  const descriptor = openSync(file, 'a');

  const note = (row: Omit<TraceRow, 'at'>) => {
    const whole = { ...row, at: Date.now() };
    writeSync(descriptor, `${JSON.stringify(whole)}\n`);
    const rows = byRun.get(row.runId);
    if (rows === undefined) byRun.set(row.runId, [whole]);
    else rows.push(whole);
  };

  /** Opens a script: from here on it says what happens in the run. */
  const open = (runId: string, script: FaultScript = { rows: [] }) => {
    const opened = { script, closed: new AbortController() };
    scripts.set(runId, opened);
    return opened;
  };

  const play = async (call: Call) => {
    const { kind, path, runId, key, input, output } = call;
    const place = placeOf(path);
    const counted = JSON.stringify([runId, kind, path]);
    const attempt = (counts.get(counted) ?? 0) + 1;
    counts.set(counted, attempt);
    const { script, closed } = scripts.get(runId) ?? open(runId);
    const [called, answered, failed] = KINDS_OF_CALLS[kind];
    const row = { runId, ...place, path, attempt };
    note({ ...row, kind: called, ...(key && { key }), ...shorten({ input, output }) });

    const deed: Partial<Row> = rowFor(script, { kind, ...place, attempt }) ?? {};
    const { does, seconds = 0 } = deed;
    if (does === 'hang') await untilClosed(closed.signal);
    else if (seconds > 0) await sleep(seconds * 1000, undefined, closed).catch(() => {});
    if (closed.signal.aborted) {
      return { error: { code: 'Closed', message: 'the script was closed' } };
    }
    if (does === 'crash') {
      note({ ...row, kind: failed, error: 'Crash' });
      return undefined;
    }
    if (does === 'error') {
      const { error = 'Error' } = deed;
      note({ ...row, kind: failed, error });
      return { error: { code: error, message: `${path} failed at attempt ${attempt}` } };
    }
    note({ ...row, kind: answered });
    return { output: deed.output === undefined ? { ...place, attempt } : deed.output };
  };

  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/call') {
      response.writeHead(404).end('POST /call');
      return;
    }
    try {
      const playing = play(callOf(await bodyOf(request)));
      // Whoever has the head of the answer knows that the call stands in the file.
      response.setHeader('content-type', 'application/json').flushHeaders();
      const answer = await playing;
      if (answer === undefined) return void request.socket.destroy();
      response.end(JSON.stringify(answer));
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  });
  // Engines wait for hanging calls, however long that takes.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  const { port: bound } = server.address() as AddressInfo;

  /** Closes the script of a run: what hangs is answered, and nothing is waited for any more. */
  const close = (runId: string) => {
    scripts.get(runId)?.closed.abort();
    return byRun.get(runId) ?? [];
  };
  return {
    url: `http://127.0.0.1:${bound}`,
    open,
    close,
    /** The rows of a run so far. */
    rows: (runId: string) => byRun.get(runId) ?? [],
    async stop() {
      for (const runId of scripts.keys()) close(runId);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      closeSync(descriptor);
    },
  };
}

async function untilClosed(signal: AbortSignal) {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** The calls that a file knows of: a stub that comes after one that was killed counts on. */
function countCalls(file: string) {
  const counts: Map<string, number> = new Map();
  if (!existsSync(file)) return counts;
  for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const { runId, kind, path, attempt } = JSON.parse(line);
    const call = Object.entries(KINDS_OF_CALLS).find(([, [called]]) => called === kind);
    if (call !== undefined) counts.set(JSON.stringify([runId, call[0], path]), attempt);
  }
  return counts;
}

async function bodyOf(request: IncomingMessage) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function callOf(text: string): Call {
  const call = JSON.parse(text);
  if (!Object.hasOwn(KINDS_OF_CALLS, call.kind)) throw new Error(`no such kind: ${call.kind}`);
  for (const key of ['handler', 'path', 'runId']) {
    if (typeof call[key] !== 'string') throw new Error(`${key} is no text: ${call[key]}`);
  }
  return call;
}

function shorten(values: Record<string, unknown>) {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    known.map(([name, value]) => {
      const text = JSON.stringify(value);
      if (text.length <= SHORT) return [name, value];
      const sha256 = createHash('sha256').update(text).digest('hex');
      return [name, { bytes: Buffer.byteLength(text), sha256 }];
    }),
  );
}
