import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorLine } from '../../core/errors.js';
import type { Routes } from '../http/context.js';
import type { Caller, ShopDirectory } from '../shops/shop-directory.js';
import { createResultStore } from './results.js';
import { createAgentServer } from './server.js';
import type { AgentLimits } from './tool.js';

/** The settings of MCP in a service. */
export interface AgentRouteOptions {
  readonly directory: ShopDirectory;
  readonly limits: AgentLimits;
  /** Who makes a request: the owner of its token. */
  readonly callerOf: (request: FastifyRequest) => Caller;
  /** Told of faults of ours. */
  readonly onFault: (line: string) => void;
}

/**
 * Adds `/mcp` to a service: MCP over streamable HTTP, without sessions. Whoever calls has been let in already;
 * the tools are those of the caller's role. Calls end when the client goes away.
 */
export function addAgentRoute(app: Routes, options: AgentRouteOptions): void {
  const { directory, limits, callerOf, onFault } = options;
  const onBug = (error: unknown) => {
    onFault(error instanceof Error ? (error.stack ?? error.message) : errorLine(error));
  };
  const world = { results: createResultStore(), directory, limits, work: { running: 0 }, onBug };
  const handler = createMcpHandler(({ authInfo }) => {
    const caller = authInfo?.extra?.caller as Caller | undefined;
    // Nobody gets here without one; if somebody did, there would be little to see.
    return createAgentServer(world, caller ?? { name: 'nobody', role: 'view' });
  });
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    config: { role: 'view' },
    schema: { hide: true },
    handler: (request, reply) => pass(handler, request, reply, callerOf(request)),
  });
  app.addHook('preClose', () => handler.close());
}

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
