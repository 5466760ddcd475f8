import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import {
  explainAnswerSchema,
  explainRequestSchema,
  optimizeAnswerSchema,
  optimizeRequestSchema,
  progressSchema,
  repairAnswerSchema,
  repairRequestSchema,
  validateAnswerSchema,
  validateRequestSchema,
  type WorkProgress,
} from '../api/work-schemas.js';
import { answersOf } from './answers.js';
import type { Routes, ServiceContext } from './context.js';
import { JsonText, type ServerEvent, whenGone } from './event-stream.js';

/** The stateless requests. */
const WORKS = {
  validate: {
    summary: 'Checks whether a plan is complete and feasible, and lists its violations',
    body: validateRequestSchema,
    answer: validateAnswerSchema,
  },
  repair: {
    summary: 'Makes an invalid plan feasible, or repairs one after events',
    body: repairRequestSchema,
    answer: repairAnswerSchema,
  },
  optimize: {
    summary: 'Searches for a good schedule within a time budget',
    body: optimizeRequestSchema,
    answer: optimizeAnswerSchema,
  },
  explain: {
    summary: 'Explains why a plan is invalid, and why operations move after events',
    body: explainRequestSchema,
    answer: explainAnswerSchema,
  },
} as const;

type WorkName = keyof typeof WORKS;

/** Adds the routes of stateless requests; each can stream its progress. */
export function addWorkRoutes(app: Routes, context: ServiceContext): void {
  for (const [name, { summary, body, answer }] of Object.entries(WORKS)) {
    const content = {
      'application/json': { schema: answer },
      'text/event-stream': { schema: z.union([progressSchema, answer]) },
    };
    const description = 'The answer; as a stream: `progress`, then `result` or `problem`.';
    app.post(
      `/${name}`,
      {
        config: { role: 'report', largeBody: 'computed' },
        schema: {
          tags: ['work'],
          operationId: name,
          summary,
          querystring: z.strictObject({}),
          body,
          response: answersOf({ 200: { description, content } }, [404, 409, 413, 415, 422, 429]),
        },
      },
      async (request, reply) => perform(name as WorkName, request, reply, context),
    );
  }
}

async function perform(
  name: WorkName,
  request: FastifyRequest,
  reply: FastifyReply,
  { compute, streams }: ServiceContext,
): Promise<unknown> {
  const wantsStream = /\btext\/event-stream\b/.test(request.headers.accept ?? '');
  if (!wantsStream) return sendComputed(name, request, reply, { compute });
  const caller = request.caller.name;
  const signal = whenGone(reply);
  const { onProgress, until } = progressQueue();
  // The work begins before the stream, so that a busy service answers with a status.
  const result = compute.begin(name, request.body, { caller, signal, onProgress });
  return streams.send(reply, () => until(result));
}

/** Sends the answer to a request that a thread computes. */
export async function sendComputed(
  kind: WorkName | 'import' | 'columns',
  request: FastifyRequest,
  reply: FastifyReply,
  { compute }: Pick<ServiceContext, 'compute'>,
): Promise<unknown> {
  const work = { caller: request.caller.name, signal: whenGone(reply) };
  const answer = await compute.begin(kind, request.body, work);
  // The thread has encoded the answer to a large request.
  if (typeof answer !== 'string') return answer;
  return reply.type('application/json; charset=utf-8').serializer(String).send(answer);
}

/** Collects progress, and yields it as events until there is a result. */
function progressQueue() {
  let latest: WorkProgress | undefined;
  let wake = () => {};
  const onProgress = (progress: WorkProgress) => {
    latest = progress;
    wake();
  };
  async function* until(result: Promise<unknown>): AsyncIterable<ServerEvent> {
    let isOver = false;
    const end = () => {
      isOver = true;
      wake();
    };
    result.then(end, end);
    while (!isOver) {
      if (latest === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (latest !== undefined) yield { event: 'progress', data: latest };
      latest = undefined;
    }
    const answer = await result;
    yield { event: 'result', data: typeof answer === 'string' ? new JsonText(answer) : answer };
  }
  return { onProgress, until };
}
