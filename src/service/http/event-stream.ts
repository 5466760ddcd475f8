import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Language } from '../../core/languages.js';
import { languageOf } from './language.js';
import { answerToError } from './problems.js';
import { ServiceRefusal } from './refusal.js';

/** One server-sent event; its data goes as JSON. */
export interface ServerEvent {
  readonly id?: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** Data of an event that is JSON text already, in one line. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** The streams of events that a service has open. */
export interface EventStreams {
  /**
   * Answers a request with a stream of events. It ends with the events, with the client, or with the service;
   * `makeEvents` gets the signal of the last two. An error on the way is the last event, `problem`.
   *
   * @throws ServiceRefusal 503 if there are too many streams
   */
  send(
    reply: FastifyReply,
    makeEvents: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
  ): FastifyReply;
  /** How many are open. */
  readonly open: number;
}

/** A comment is sent so often, so that nobody on the way takes the line for dead. */
const HEARTBEAT_MS = 15_000;

/** @param stopping aborted when the service ends, and all streams with it */
export function createEventStreams(most: number, stopping: AbortSignal): EventStreams {
  let open = 0;
  return {
    get open() {
      return open;
    },
    send: (reply, makeEvents) => {
      if (open >= most) {
        throw new ServiceRefusal(
          503,
          'too_many_streams',
          `${most} streams of events are open, and no more may be`,
          'close one, or try again later',
          5,
        );
      }
      const signal = AbortSignal.any([whenGone(reply), stopping]);
      // Before the stream counts: if it throws, there is none.
      const events = makeEvents(signal);
      open++;
      const stream = new PassThrough();
      const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_MS);
      const language = languageOf(reply.request);
      const pump = pumpEvents(stream, events, { signal, language }).finally(() => {
        open--;
        clearInterval(heartbeat);
        stream.end();
      });
      // The pump never rejects: what goes wrong is an event.
      void pump;
      return (
        reply
          .header('content-type', 'text/event-stream; charset=utf-8')
          .header('cache-control', 'no-store')
          .header('x-accel-buffering', 'no')
          // The line is of no use behind the last event, and would keep a service that ends waiting.
          .header('connection', 'close')
          .send(stream)
      );
    },
  };
}

/** Aborted when nobody waits for an answer any more. */
export function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort(new Error('the client is gone')));
  return gone.signal;
}

async function pumpEvents(
  stream: PassThrough,
  events: AsyncIterable<ServerEvent>,
  { signal, language }: { readonly signal: AbortSignal; readonly language: Language },
): Promise<void> {
  // The headers go at once, not with the first event.
  stream.write(':\n\n');
  try {
    for await (const event of events) {
      if (stream.destroyed) return;
      if (!stream.write(eventText(event))) await once(stream, 'drain', { signal });
    }
  } catch (error) {
    if (stream.destroyed || signal.aborted) return;
    stream.write(eventText({ event: 'problem', data: answerToError(error, language).problem }));
  }
}

function eventText({ id, event, data }: ServerEvent): string {
  // JSON has no line breaks outside of strings, and escapes those inside.
  const head = id === undefined ? '' : `id: ${id}\n`;
  const text = data instanceof JsonText ? data.text : JSON.stringify(data);
  return `${head}event: ${event}\ndata: ${text}\n\n`;
}
