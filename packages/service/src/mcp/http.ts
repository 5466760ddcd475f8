import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  type McpHttpHandler,
  type McpServer,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../api/common.js';
import type { Routes } from '../http/context.js';

/**
 * Adds `/mcp` to a service: MCP over streamable HTTP, for callers that are already authorized. Each request has a
 * server of its own, and ends when the client disconnects or, in protocols before 2026-07-28, cancels it by a message.
 * Clients get a session id only for these cancellations.
 *
 * @param serverFor creates the server of a request
 */
export function addAgentRoute(app: Routes, serverFor: (caller: Caller) => McpServer): void {
  const handler = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.caller as Caller));
  const inProgress = new Map<string, AbortController>();
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    config: { role: 'view' },
    schema: { hide: true },
    handler: async (request, reply) => {
      const { caller } = request;
      const ended = new AbortController();
      const { key, cancelled } = placeOf(request, caller);
      inProgress.get(cancelled ?? '')?.abort(new Error('the call was cancelled'));
      if (key !== undefined) inProgress.set(key, ended);
      reply.raw.once('close', () => {
        if (key !== undefined && inProgress.get(key) === ended) inProgress.delete(key);
        ended.abort(new Error('the client is gone'));
      });
      const response = await pass(handler, request, caller, ended.signal);
      if (messageOf(request).method === 'initialize') reply.header(SESSION, randomUUID());
      return reply.send(response);
    },
  });
  app.addHook('preClose', () => handler.close());
}

/** The header in which a client names its session. */
const SESSION = 'mcp-session-id';

/** The fields of a JSON-RPC message that are read here. */
interface RpcMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown } | null;
}

function messageOf({ body }: FastifyRequest): RpcMessage {
  return typeof body === 'object' && body !== null ? body : {};
}

/** The key of a request in its session, and the key of the request that it cancels. */
function placeOf(
  request: FastifyRequest,
  caller: Caller,
): { readonly key: string | undefined; readonly cancelled: string | undefined } {
  const session = request.headers[SESSION];
  const keyOf = (id: unknown) =>
    session === undefined || id === undefined
      ? undefined
      : JSON.stringify([caller.name, session, id]);
  const { id, method, params } = messageOf(request);
  const isCancellation = method === 'notifications/cancelled';
  return { key: keyOf(id), cancelled: isCancellation ? keyOf(params?.requestId) : undefined };
}

/** Passes a request to the handler, in the form of the Fetch API. */
async function pass(
  handler: McpHttpHandler,
  { raw, method, headers, body }: FastifyRequest,
  caller: Caller,
  signal: AbortSignal,
): Promise<Response> {
  const request = new Request(`http://localhost${raw.url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      [value ?? []].flat().map((one) => [name, one]),
    ),
    signal,
  });
  const authInfo = { token: '', clientId: caller.name, scopes: [caller.role], extra: { caller } };
  const parsed = body === undefined ? {} : { parsedBody: body };
  return handler.fetch(request, { authInfo, ...parsed });
}
