import { AlasError } from '@alas-jssp/core/errors';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { components } from './openapi.js';

/** A problem in an answer (RFC 9457). */
type ProblemDetails = components['schemas']['Problem'];

/** An answer that reports a problem: its code, its status, and optionally a hint and a path in the request. */
export class RequestProblem extends AlasError {
  readonly status: number;
  readonly hint: string | undefined;
  readonly path: string | undefined;

  constructor(status: number, problem: Partial<ProblemDetails>) {
    const { code = `http_${status}`, title = `HTTP ${status}`, detail = title } = problem;
    const { hint, path } = problem;
    super(code, `${path ? `${path}: ` : ''}${detail}${hint ? `; ${hint}` : ''}`);
    this.status = status;
    this.hint = hint;
    this.path = path;
  }
}

/** An answer in the form of `openapi-fetch`. */
interface FetchedAnswer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the body of an answer. @throws RequestProblem if the answer reports a problem */
export async function answerOf<T>(request: Promise<FetchedAnswer<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (response.ok && data !== undefined) return data;
  const isObject = typeof error === 'object' && error !== null;
  throw new RequestProblem(response.status, isObject ? error : {});
}

/** An event of a stream, with its data as JSON. */
interface StreamedEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/**
 * Reads an answer that is a stream of server-sent events, until it ends.
 *
 * @throws RequestProblem if an event reports a problem
 */
export async function* streamedEvents(stream: ReadableStream): AsyncGenerator<StreamedEvent> {
  const events = stream
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { event = 'message', id, data } of events) {
    const read: unknown = JSON.parse(data);
    if (event === 'problem') {
      const problem = read as ProblemDetails;
      throw new RequestProblem(problem.status, problem);
    }
    yield { event, id, data: read };
  }
}
