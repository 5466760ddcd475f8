import { AlasError, errorLine } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';

/** The length of reasons that services give. */
const LONGEST = 300;

/** The code of an answer that is not a success, for the policies of workflows. */
function codeOfStatus(status: number): string {
  if (status === 404 || status === 410) return 'NotFound';
  if (status === 409 || status === 412) return 'Conflict';
  return status === 408 || status === 425 || status === 429 || status >= 500
    ? 'Unavailable'
    : 'Refused';
}

/** The error of an answer that is not a success. */
export function answerError(
  tool: string,
  { status, statusText }: Pick<Response, 'status' | 'statusText'>,
  body: Json | string,
): AlasError {
  const reason = reasonOf(body).slice(0, LONGEST);
  const answer = `${status} ${statusText}`.trim();
  const problem = `the tool ${tool} failed: the service answered ${answer}`;
  return new AlasError(
    codeOfStatus(status),
    reason === '' ? problem : `${problem}: ${errorLine(reason)}`,
    body,
  );
}

/** The error of a request without an answer: it may have had its effect. */
export function connectionError(tool: string, error: unknown): AlasError {
  const { cause } = Object(error) as { cause?: unknown };
  const reason = cause === undefined ? errorLine(error) : errorLine(cause);
  return new AlasError('Unavailable', `the tool ${tool} failed: no answer: ${reason}`, undefined);
}

/** The reason in a body: of problem details (RFC 9457) and usual JSON errors, or the text. */
function reasonOf(body: Json | string): string {
  if (typeof body === 'string') return body.trim();
  if (!isObject(body)) return '';
  for (const key of ['detail', 'message', 'title', 'error']) {
    const value = body[key];
    if (typeof value === 'string' && value !== '') return value;
    if (isObject(value)) return reasonOf(value as Json);
  }
  return '';
}
