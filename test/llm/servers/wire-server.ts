import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a server answers, or how it fails to. */
export type Behaviour =
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly finish?: 'stop' | 'length' | 'refusal';
      /** Whether tokens are told. Default: true. */
      readonly usage?: boolean;
      /** Whether a request for a stream is answered whole. */
      readonly whole?: boolean;
    }
  /** An error in the words of the provider. */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly message?: string;
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Says nothing, or half an answer, and keeps the connection. */
  | { readonly kind: 'hang'; readonly after: 'nothing' | 'half'; readonly whole?: boolean }
  /** Breaks the connection in the middle of an answer. */
  | { readonly kind: 'reset'; readonly whole?: boolean }
  /** Ends in the middle of an answer as if it were whole. */
  | { readonly kind: 'truncated'; readonly whole?: boolean }
  /** An answer of the right form with nothing in it. */
  | { readonly kind: 'empty'; readonly whole?: boolean }
  /** Anything at all. */
  | {
      readonly kind: 'raw';
      readonly status?: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** An answer, or what is said about an error, that does not end before so many bytes. */
  | {
      readonly kind: 'flood';
      readonly bytes: number;
      readonly status?: number;
      readonly whole?: boolean;
    };

type Answering = Extract<Behaviour, { kind: 'answer' }>;

export interface WireRequest {
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: whatever a client sent
  readonly body: any;
}

/** How a provider's requests and answers look on the wire. */
export interface Protocol {
  readonly path: string;
  /** What the real provider would refuse about a request; null if nothing. */
  check(request: WireRequest): string | null;
  whole(answer: Answering, model: string): unknown;
  /** The same in server-sent events, usage and end in the last ones. */
  events(answer: Answering, model: string): string[];
  error(message: string, code: string): unknown;
  empty(): { readonly whole: unknown; readonly events: string[] };
}

/** A server on loopback that speaks a provider's protocol and misbehaves on demand. */
export interface WireServer {
  /** Where it is, without a path. */
  readonly url: string;
  /** What was asked, in order. */
  readonly requests: WireRequest[];
  /** Bytes of floods that went out. */
  flooded: number;
  /** Most requests that were under way at once. */
  busiest: number;
}

/**
 * Starts a server that goes away after the test.
 *
 * @param behave how to answer a request, the n-th from 0
 */
export async function startWireServer(
  protocol: Protocol,
  behave: (request: WireRequest, n: number) => Behaviour,
): Promise<WireServer> {
  let busy = 0;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const request = { headers: incoming.headers, body: text === '' ? null : JSON.parse(text) };
      wire.busiest = Math.max(wire.busiest, ++busy);
      response.on('close', () => busy--);
      const problem =
        incoming.method === 'POST' && incoming.url === protocol.path
          ? protocol.check(request)
          : `no ${incoming.method} ${incoming.url}`;
      wire.requests.push(request);
      const behaviour: Behaviour =
        problem === null
          ? behave(request, wire.requests.length - 1)
          : { kind: 'error', status: 400, message: problem, code: 'invalid_request_error' };
      perform(behaviour, request, response, protocol, wire);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const wire: WireServer = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    flooded: 0,
    busiest: 0,
  };
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return wire;
}

const ANYTHING: Answering = { kind: 'answer', text: 'a text that is long enough to be cut in two' };

function perform(
  behaviour: Behaviour,
  { body }: WireRequest,
  response: ServerResponse,
  protocol: Protocol,
  wire: WireServer,
): void {
  if (behaviour.kind === 'raw') {
    response.writeHead(behaviour.status ?? 200, behaviour.headers).end(behaviour.body);
    return;
  }
  if (behaviour.kind === 'error') {
    const { status, message = 'it went wrong', code = 'server_error', headers } = behaviour;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(protocol.error(message, code)));
    return;
  }
  if (behaviour.kind === 'hang' && behaviour.after === 'nothing') return;
  const streamed = body.stream === true && behaviour.whole !== true;
  response.writeHead(behaviour.kind === 'flood' ? (behaviour.status ?? 200) : 200, {
    'content-type': streamed ? 'text/event-stream; charset=utf-8' : 'application/json',
    'x-request-id': 'req-1',
    'request-id': 'req-1',
  });
  if (behaviour.kind === 'flood') {
    flood(behaviour.bytes, streamed, response, protocol, wire);
    return;
  }
  const write = (answer: Answering): string =>
    streamed
      ? protocol.events(answer, body.model).join('')
      : JSON.stringify(protocol.whole(answer, body.model));
  if (behaviour.kind === 'answer') {
    response.end(write(behaviour));
  } else if (behaviour.kind === 'empty') {
    const { whole, events } = protocol.empty();
    response.end(streamed ? events.join('') : JSON.stringify(whole));
  } else {
    const text = write(ANYTHING);
    const half = text.slice(0, text.length / 2);
    if (behaviour.kind === 'truncated') response.end(half);
    else if (behaviour.kind === 'hang') response.write(half);
    else response.write(half, () => response.socket?.resetAndDestroy());
  }
}

/** Sends one piece after the other as fast as the client reads, until that hangs up. */
function flood(
  bytes: number,
  streamed: boolean,
  response: ServerResponse,
  protocol: Protocol,
  wire: WireServer,
): void {
  const answer: Answering = { kind: 'answer', text: 'word '.repeat(2000) };
  const events = protocol.events(answer, 'flood');
  const piece = streamed ? events.slice(0, -3).join('') : answer.text;
  if (!streamed) response.write(JSON.stringify(protocol.whole(answer, 'flood')).slice(0, -200));
  const pump = () => {
    while (wire.flooded < bytes && !response.destroyed) {
      wire.flooded += piece.length;
      if (!response.write(piece)) return;
    }
    response.end();
  };
  response.on('drain', pump);
  pump();
}
