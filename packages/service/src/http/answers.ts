import type * as z from 'zod';
import { problemSchema } from '../api/common.js';

/** Problem statuses, with their meaning on every route. */
const PROBLEMS = {
  400: 'The request is malformed or invalid.',
  401: 'The request has no token, or an unknown one.',
  403: 'The role of the token does not suffice, or the request comes from another site.',
  404: 'Not found.',
  408: 'The request took too long to arrive.',
  409: 'The request conflicts with the state of the shop.',
  413: 'The request is larger than the service allows.',
  415: 'The content is not JSON.',
  422: 'The request is well-formed but cannot be done.',
  429: 'The caller has too many requests in progress.',
  431: 'The headers are too large.',
  503: 'The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait.',
} as const;

type ProblemStatus = keyof typeof PROBLEMS;

/** The problems of all routes that need a token. */
const EVERYWHERE: readonly ProblemStatus[] = [400, 401, 403, 408, 431, 503];

/** The answers of a route in the OpenAPI document: the successful one, and its problems. */
export function answersOf(
  good: Readonly<Record<number, z.ZodType | object>>,
  problems: readonly ProblemStatus[] = [],
): Record<number, object> {
  const statuses = [...EVERYWHERE, ...problems].sort((a, b) => a - b);
  return {
    ...good,
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        {
          description: PROBLEMS[status],
          content: { 'application/problem+json': { schema: problemSchema } },
        },
      ]),
    ),
  };
}

/** An answer that is a stream of server-sent events, with data of a schema. */
export function streamOf(schema: z.ZodType, description: string) {
  return { description, content: { 'text/event-stream': { schema } } };
}
