import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { problemSchema } from '../../../api/common.js';
import type { ChangeAnswer } from '../../../api/shop-schemas.js';
import { language, texts } from '../texts.js';

/** A request that the service refused, or that did not reach it: the problem and a hint. */
export class AnswerProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | null;
  /** JSON path of the problem in the request; empty for none. */
  readonly path: string;

  /** @param status the HTTP status; 0 without an answer */
  constructor(status: number, code: string, detail: string, hint: string | null = null, path = '') {
    super(detail);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.path = path;
  }
}

/** The storage key of the token: for the tab, or permanently if the user chose so. */
const KEY = 'alas-jssp-token';

/** The token of requests; null if there is none. */
export function rememberedToken(): string | null {
  return readStorage(sessionStorage) ?? readStorage(localStorage);
}

/** Stores a token; null deletes it everywhere. */
export function rememberToken(token: string | null, isForGood = false): void {
  for (const storage of [sessionStorage, localStorage]) {
    try {
      storage.removeItem(KEY);
      const isPlace = (storage === localStorage) === isForGood;
      if (token !== null && isPlace) storage.setItem(KEY, token);
    } catch {
      // Without storage the page asks for the token again.
    }
  }
}

function readStorage(storage: Storage): string | null {
  try {
    return storage.getItem(KEY);
  } catch {
    return null;
  }
}

/** A request; with a `key` the service executes it once, even if it is repeated. */
export interface Wanted {
  readonly method?: 'GET' | 'POST';
  readonly body?: object;
  readonly key?: string;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request to the service, with the token of this browser.
 *
 * @param path relative to the page, such as `shops/demo`
 * @throws AnswerProblem if the service refuses it, or cannot be reached
 */
export async function ask<Answer>(path: string, wanted: Wanted = {}): Promise<Answer> {
  const response = await send(path, wanted, 'application/json');
  return (await response.json()) as Answer;
}

/**
 * Requests a file from the service, with the token of this browser.
 *
 * @returns its bytes and its name
 * @throws AnswerProblem as {@link ask} does
 */
export async function askForFile(path: string): Promise<{ blob: Blob; name: string }> {
  const response = await send(path, {}, '*/*');
  const said = response.headers.get('content-disposition') ?? '';
  const name = /filename="([^"]+)"/.exec(said)?.[1] ?? 'plan';
  return { blob: await response.blob(), name };
}

async function send(path: string, wanted: Wanted, accept: string, after?: string) {
  const { method = 'GET', body, key, signal } = wanted;
  const token = rememberedToken();
  const headers: Record<string, string> = { accept, 'accept-language': language };
  if (token !== null) headers.authorization = `Bearer ${token}`;
  if (key !== undefined) headers['idempotency-key'] = key;
  if (after !== undefined) headers['last-event-id'] = after;
  if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      cache: 'no-store',
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new AnswerProblem(0, 'unreachable', texts.connection.unreachable);
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function problemOf(response: Response): Promise<AnswerProblem> {
  try {
    const problem: ReturnType<typeof problemSchema.parse> = await response.json();
    const { code, detail, hint = null, path } = problem;
    return new AnswerProblem(response.status, code, detail, hint, path);
  } catch {
    return new AnswerProblem(
      response.status,
      'unknown',
      texts.connection.oddAnswer(response.status),
    );
  }
}

/** The changes of a shop after an id, as they arrive; ends when the service ends the stream. */
export async function* readChanges(
  id: string,
  after: string | undefined,
  signal: AbortSignal,
  onOpen: () => void,
): AsyncGenerator<ChangeAnswer> {
  const path = `shops/${encodeURIComponent(id)}/changes`;
  const response = await send(path, { signal }, 'text/event-stream', after);
  if (response.body === null) return;
  onOpen();
  const reader = response.body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array<ArrayBuffer>, string>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const event = JSON.parse(value.data);
      if (value.event === 'problem')
        throw new AnswerProblem(event.status, event.code, event.detail);
      yield event as ChangeAnswer;
    }
  } catch (error) {
    if (signal.aborted || error instanceof AnswerProblem) throw error;
    throw new AnswerProblem(0, 'unreachable', texts.connection.unreachable);
  } finally {
    void reader.cancel().catch(() => {});
  }
}

/** Creates an idempotency key. (Pages over plain HTTP have no `randomUUID`.) */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
