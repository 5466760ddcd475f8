import type { Socket } from 'node:net';
import { answerToError } from './problems.js';
import { ServiceRefusal } from './refusal.js';

/** Answers what is no request in HTTP, or takes too long to become one, and hangs up. */
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
  return new ServiceRefusal(400, 'bad_request', 'this is no request in HTTP', 'send one');
}
