import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Language } from '@alas-jssp/core/languages';
import type { FastifyReply } from 'fastify';
import { languageOf } from './language.js';
import { answerToError } from './problems.js';
import { ServiceRefusal } from './refusal.js';

/** One server-sent event; its data is sent as JSON. */
export interface ServerEvent {
  readonly id?: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** Event data that is already JSON text, in one line. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** The open event streams of a service. */
export interface EventStreams {
  /**
   * Answers a request with a stream of events. It ends with the events, with the client, or with the service;
   * `makeEvents` receives a signal for the last two. If the events throw an error, the last event is a `problem`.
   *
   * @throws ServiceRefusal 503 if there are too many streams
   */
  send(
    reply: FastifyReply,
    makeEvents: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
  ): FastifyReply;
  /** The number of open streams. */
  readonly open: number;
}

/** Milliseconds between comments that keep proxies from closing the connection. */
const HEARTBEAT_MS = 15_000;

/** @param stopping aborted when the service stops, which ends all streams */
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
          `${most} event streams are open, the most allowed`,
          'close one, or try again later',
          5,
        );
      }
      const signal = AbortSignal.any([whenGone(reply), stopping]);
      // Called before the stream is counted, so that an exception leaves no open stream.
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
      // The pump never rejects: it sends errors as events.
      void pump;
      return (
        reply
          .header('content-type', 'text/event-stream; charset=utf-8')
          .header('cache-control', 'no-store')
          .header('x-accel-buffering', 'no')
          // After the last event the connection has no use, and would delay the end of the service.
          .header('connection', 'close')
          .send(stream)
      );
    },
  };
}

/** A signal that is aborted when the client disconnects. */
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
  // Sends the headers at once, not with the first event.
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
  // JSON escapes line breaks in strings, and `stringify` adds none.
  const head = id === undefined ? '' : `id: ${id}\n`;
  const text = data instanceof JsonText ? data.text : JSON.stringify(data);
  return `${head}event: ${event}\ndata: ${text}\n\n`;
}
