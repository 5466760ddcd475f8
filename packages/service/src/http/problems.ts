import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AlasError, errorLine, InputError, printableLine } from '@alas-jssp/core/errors';
import type { Language } from '@alas-jssp/core/languages';
import { formatProblem, type Sentences, storyWords } from 'alas-jssp/internal/service';
import type { TimeScale } from 'alas-jssp/jssp';
import type { FastifyReply } from 'fastify';
import type * as z from 'zod';
import type { problemSchema } from '../api/common.js';
import { SENTENCES } from '../sentences.js';
import { ServiceRefusal } from './refusal.js';

/** A problem in the form of RFC 9457. */
type ServiceProblem = z.infer<typeof problemSchema>;

/** HTTP statuses by error code. Default: 400 for an InputError, 422 for any other AlasError. */
const STATUS_OF: Readonly<Record<string, number>> = {
  no_shop: 404,
  no_instance: 404,
  unknown_instance: 404,
  no_version: 404,
  bad_now: 409,
  other_version: 409,
  no_report: 409,
  built_upon: 409,
  no_proposal: 409,
  proposal_waits: 409,
  shop_ended: 409,
  shop_exists: 409,
  too_large: 413,
  too_many_operations: 413,
  other_request: 422,
  busy: 503,
  too_many_shops: 503,
  shop_quarantined: 503,
  not_quarantined: 409,
  shop_opening: 503,
};

/** Codes of a log that cannot be written or read: a client cannot fix it, and the operator is notified. */
const LOG_TROUBLES: readonly string[] = ['unwritable_file', 'locked_log', 'no_file'];

/** Codes of a log whose contents were changed: only the operator can fix it. */
const LOG_DAMAGES: readonly string[] = ['damaged_log', 'changed_log'];

/** The problems of errors of the framework, by its code: code, message and hint. */
const OF_FRAMEWORK: Readonly<Record<string, readonly [code: string, words: string, hint: string]>> =
  {
    FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'the body is too large', 'send less at once'],
    FST_ERR_CTP_INVALID_MEDIA_TYPE: [
      'bad_media_type',
      'this content type is not supported',
      'send application/json',
    ],
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
      'bad_length',
      'the length of the body differs from Content-Length',
      'send the length that the header states',
    ],
    FST_ERR_BAD_URL: ['bad_address', 'the address is malformed', 'encode it'],
    FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'nothing is at this address', 'see /openapi.json'],
  };

/** The answer to an error, and the seconds before a retry, if a retry helps. */
export interface ProblemAnswer {
  readonly problem: ServiceProblem;
  readonly retryAfter: number | undefined;
  /** Whether it is an internal error, whose stack goes only to the log of the service. */
  readonly isBug: boolean;
}

/** Converts anything thrown to an answer, without stack traces and paths of this machine. */
export function answerToError(error: unknown, language: Language = 'en'): ProblemAnswer {
  return translated(inEnglish(error), error, SENTENCES[language]);
}

/** Translates an answer from the code and the facts of its error. Text without a translation stays in English. */
function translated(found: ProblemAnswer, error: unknown, sentences: Sentences): ProblemAnswer {
  const { problems } = sentences;
  if (problems === null) return found;
  const { code, status, detail, hint, ...rest } = found.problem;
  const { facts = {} } = error instanceof AlasError ? error : {};
  const words = storyWords((facts.scale as TimeScale | null | undefined) ?? null, sentences);
  const inEnglish = [`${problems.other(status)}: ${detail}`, hint] as const;
  const [text, right] = formatProblem({ code, facts }, words) ?? inEnglish;
  const hinted = right === undefined ? rest : { ...rest, hint: right };
  const problem = { ...hinted, code, status, detail: printableLine(text) };
  return { ...found, problem };
}

function inEnglish(error: unknown): ProblemAnswer {
  if (error instanceof ServiceRefusal) {
    const { status, code, problem, hint, retryAfter } = error;
    return answer(status, code, problem, { hint, retryAfter });
  }
  if (error instanceof AlasError && LOG_TROUBLES.includes(error.code)) {
    const words = 'the log of the shops cannot be used at present';
    const hint = 'try again later with the same key; the log of the service has the cause';
    return { ...answer(503, error.code, words, { hint, retryAfter: 10 }), isBug: true };
  }
  if (error instanceof AlasError && LOG_DAMAGES.includes(error.code)) {
    const words = 'the log of the shop is damaged';
    const hint = 'restore an undamaged copy; the log of the service has the place of the damage';
    return { ...answer(503, error.code, words, { hint }), isBug: true };
  }
  if (error instanceof AlasError && (error.code === 'run_owned' || error.code === 'not_owner')) {
    const words = 'another process owns the shop, or owned it a moment ago';
    return answer(503, error.code, words, { hint: 'try again', retryAfter: 2 });
  }
  if (error instanceof InputError) {
    const { code, problem, hint, location } = error;
    return answer(STATUS_OF[code] ?? 400, code, problem, { hint, path: placeOf(location) });
  }
  if (error instanceof AlasError) {
    const status = STATUS_OF[error.code] ?? 422;
    const retryAfter = status === 503 ? 1 : undefined;
    return answer(status, error.code, error.message, { retryAfter });
  }
  const { code = '', statusCode = 500 } = (error ?? {}) as { code?: string; statusCode?: number };
  if (Object.hasOwn(OF_FRAMEWORK, code)) {
    const [name, words, hint] = OF_FRAMEWORK[code];
    // No resource has a name that is too long for the router.
    return answer(name === 'not_found' ? 404 : statusCode, name, words, { hint });
  }
  if (statusCode >= 400 && statusCode < 500) {
    return answer(statusCode, 'bad_request', errorLine(error), {});
  }
  const words = 'internal error of the service; its log has the details';
  return { ...answer(500, 'internal', words, { hint: 'please report it' }), isBug: true };
}

/** Sends a problem as the answer to a request. */
export function sendProblem(reply: FastifyReply, { problem, retryAfter }: ProblemAnswer): void {
  if (retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfter)));
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer realm="alas-jssp"');
  reply
    .code(problem.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(problem);
}

function answer(
  status: number,
  code: string,
  detail: string,
  more: {
    readonly hint?: string | undefined;
    readonly path?: string | undefined;
    readonly retryAfter?: number | undefined;
  },
): ProblemAnswer {
  const { hint, path, retryAfter } = more;
  const title = STATUS_CODES[status] ?? 'Error';
  const problem = {
    type: 'about:blank',
    title,
    status,
    // The detail may quote the request.
    detail: printableLine(detail),
    code,
    ...(hint === undefined ? {} : { hint }),
    ...(path === undefined ? {} : { path }),
  };
  return { problem, retryAfter, isBug: false };
}

function placeOf({ line, path }: InputError['location']): string | undefined {
  if (path !== undefined) return path;
  return line === undefined ? undefined : `line ${line}`;
}

/** Answers a request that is invalid HTTP or arrives too slowly, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const { problem } = answerToError(refusalOf(error.code));
  const body = JSON.stringify(problem);
  if (socket.writable) {
    socket.write(
      [
        `HTTP/1.1 ${problem.status} ${problem.title}`,
        'Content-Type: application/problem+json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  }
  socket.destroySoon();
}

function refusalOf(code: string | undefined): ServiceRefusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const words = 'the request took too long to arrive';
    return new ServiceRefusal(408, 'too_slow', words, 'send it faster');
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ServiceRefusal(431, 'too_large', 'the headers are too large', 'send fewer');
  }
  return new ServiceRefusal(
    400,
    'bad_request',
    'this is not an HTTP request',
    'send an HTTP request',
  );
}
