import { once } from '@alas-jssp/core/once';
import { Agent, fetch as send } from 'undici';
import { badResponse } from './failure.js';

/** Maximum number of bytes read of an error response. */
const ERROR_BYTES = 2 ** 16;
/** Bytes of an answer on the wire: a fixed part, and a part per token (each may come in a separate event). */
const BASE_BYTES = 2 ** 20;
const BYTES_PER_TOKEN = 2 ** 10;
/** Maximum bytes of one event: the libraries rescan an unfinished event with each new chunk. */
const EVENT_BYTES = 2 ** 20;

/** Maximum bytes of an answer on the wire; the rest is not read. */
function answerBytes(maxOutputTokens: number): number {
  return BASE_BYTES + BYTES_PER_TOKEN * maxOutputTokens;
}

/** The `fetch` of the clients: reads errors up to a limit, and follows no redirects to other servers. */
export const guardedFetch: typeof fetch = async (input, init) => {
  // The types come from two versions of one library.
  const guarded: object = { ...init, redirect: 'manual', dispatcher: patient() };
  const response = (await send(input as string, guarded)) as unknown as Response;
  return response.ok ? response : bound(response, ERROR_BYTES).response;
};

/** Waits as long as the attempt does; Node's default gives up after five minutes without data. */
const patient = once(() => new Agent({ headersTimeout: 0, bodyTimeout: 0 }));

/** An answer up to a limit of bytes; `isCut` says whether it was longer. */
export interface BoundResponse {
  readonly response: Response;
  readonly isCut: () => boolean;
}

export function bound(response: Response, maxBytes: number): BoundResponse {
  const mostUnfinished = isEventStream(response) ? EVENT_BYTES : Infinity;
  let left = maxBytes;
  let unfinished = 0;
  let recent = Buffer.alloc(0);
  let cut = false;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      // The end of an event may be split between two pieces.
      recent = Buffer.concat([recent.subarray(-LONGEST_END.length), chunk]);
      const end = endOfEvents(recent);
      unfinished = end < 0 ? unfinished + chunk.length : recent.length - end;
      if (left >= 0 && unfinished <= mostUnfinished) return;
      cut = true;
      controller.terminate();
    },
  });
  const { status, statusText, headers } = response;
  const body = response.body?.pipeThrough(counter) ?? null;
  return { response: new Response(body, { status, statusText, headers }), isCut: () => cut };
}

const LONGEST_END = '\r\n\r\n';

/** The end of the last event of a piece, or −1 if none ends in it. */
function endOfEvents(bytes: Buffer): number {
  return Math.max(bytes.lastIndexOf('\n\n'), bytes.lastIndexOf(LONGEST_END));
}

/**
 * Whether an answer is a stream of server-sent events; some servers send a complete response although a stream was
 * requested.
 */
function isEventStream(response: Response): boolean {
  return /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
}

/** Readers of a provider's answers: events and complete responses. */
interface AnswerReaders<R> {
  stream(answer: BoundResponse): Promise<R>;
  whole(json: unknown): R;
}

/** Reads an answer up to its limit, in either form. */
export async function receive<R>(
  response: Response,
  maxOutputTokens: number,
  { stream, whole }: AnswerReaders<R>,
): Promise<R> {
  const answer = bound(response, answerBytes(maxOutputTokens));
  return isEventStream(response) ? stream(answer) : whole(await readJson(answer));
}

/** Reads a complete response. */
async function readJson({ response, isCut }: BoundResponse): Promise<unknown> {
  const text = await response.text();
  if (isCut()) throw badResponse('it is far longer than was allowed');
  try {
    return JSON.parse(text);
  } catch (error) {
    const type = response.headers.get('content-type') ?? 'no content type';
    const start = text.slice(0, 80);
    throw badResponse(`${(error as Error).message} (${type}, beginning with '${start}')`);
  }
}
