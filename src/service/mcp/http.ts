import {
  createMcpHandler,
  type McpHttpHandler,
  type McpServer,
} from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from '../http/context.js';
import type { Caller } from '../shops/shop-directory.js';

/** Who makes a request, and the server that answers. */
export interface AgentRouteOptions {
  /** The owner of the token of a request. */
  readonly callerOf: (request: FastifyRequest) => Caller;
  /** A server for one request. */
  readonly serverFor: (caller: Caller) => McpServer;
}

/**
 * Adds `/mcp` to a service: MCP over streamable HTTP, without sessions. Whoever calls has been let in already.
 * A call ends when the client goes away.
 */
export function addAgentRoute(app: Routes, { callerOf, serverFor }: AgentRouteOptions): void {
  // Nobody gets here without a caller; if somebody did, there would be little to see.
  const handler = createMcpHandler(({ authInfo }) =>
    serverFor((authInfo?.extra?.caller as Caller | undefined) ?? NOBODY),
  );
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    config: { role: 'view' },
    schema: { hide: true },
    handler: (request, reply) => pass(handler, request, reply, callerOf(request)),
  });
  app.addHook('preClose', () => handler.close());
}

const NOBODY: Caller = { name: 'nobody', role: 'view' };

/** Hands a request to the handler, which speaks the web's words for them, and its answer back. */
async function pass(
  handler: McpHttpHandler,
  { raw, method, headers, body }: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort(new Error('the client is gone')));
  const request = new Request(`http://localhost${raw.url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      [value ?? []].flat().map((one) => [name, one]),
    ),
    signal: gone.signal,
  });
  const authInfo = { token: '', clientId: caller.name, scopes: [caller.role], extra: { caller } };
  const response = await handler.fetch(request, {
    authInfo,
    ...(body === undefined ? {} : { parsedBody: body }),
  });
  return reply.send(response);
}
