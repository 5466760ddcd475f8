import type { Socket } from 'node:net';
import { AlasError, errorLine } from '@alas-jssp/core/errors';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type * as z from 'zod';
import { checkRequestPart } from '../api/check-body.js';
import { type Compute, createCompute } from '../compute/compute.js';
import { addAgentRoute } from '../mcp/http.js';
import { agentServers } from '../mcp/server.js';
import { addPageRoutes } from '../page/page-routes.js';
import { shopsOfCaller } from '../shops/caller-shops.js';
import type { ShopDirectory } from '../shops/shop-directory.js';
import { guardAccess } from './access.js';
import { addCommandRoutes } from './command-routes.js';
import type { Routes, ServiceContext } from './context.js';
import { createEventStreams } from './event-stream.js';
import { addExportRoutes } from './export-routes.js';
import { addImportRoutes } from './import-routes.js';
import { addInstanceRoutes } from './instance-routes.js';
import { isCheckedElsewhere, takeJsonBodies } from './json-body.js';
import { languageOf, nameLanguages } from './language.js';
import { fillLimits, type ServiceLimits } from './limits.js';
import { addMetrics } from './metrics.js';
import { addOpenApiDocument } from './openapi-document.js';
import { answerClientError, answerToError, sendProblem } from './problems.js';
import { ServiceRefusal } from './refusal.js';
import { logRequests } from './request-log.js';
import { addSessionRoute } from './session-routes.js';
import { addShopRoutes } from './shop-routes.js';
import { addStartRoutes } from './start-routes.js';
import type { AccessToken } from './tokens.js';
import { addWorkRoutes } from './work-routes.js';

/** The parts and settings of a service. */
export interface AppOptions {
  readonly directory: ShopDirectory;
  /** Default: threads of the service, which end with it. */
  readonly compute?: Compute | undefined;
  /** The tokens and their roles; without tokens every caller may do everything. */
  readonly tokens?: readonly AccessToken[] | undefined;
  readonly limits?: Partial<ServiceLimits> | undefined;
  /** Additional host names of the service; numeric addresses and `localhost` are always accepted. */
  readonly hosts?: readonly string[] | undefined;
  /** Receives a line of JSON for each request. */
  readonly onRequest?: ((line: string) => void) | undefined;
  /** Receives one line for each internal error of the service. */
  readonly onFault?: ((line: string) => void) | undefined;
}

/**
 * Creates the HTTP service, which does not listen yet. Its `close` ends streams, and searches with their best results,
 * but not the directory.
 *
 * @throws InputError `bad_limits`
 */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { directory, tokens = [], hosts = [], onFault = () => {} } = options;
  const limits = fillLimits(options.limits);
  const app = newServer(limits);
  const ending = new AbortController();
  const streams = createEventStreams(limits.streams, ending.signal);
  const onBug = (error: unknown) => onFault(faultLine(error));
  const compute = options.compute ?? createCompute(limits, { onFault: onBug });
  const serverFor = agentServers({
    directory,
    compute: (request, work) => compute.begin('tool', request, work),
    onBug,
  });
  const shopsOf = (request: FastifyRequest) =>
    shopsOfCaller(directory, request.caller).in(languageOf(request));
  const context: ServiceContext = {
    directory,
    shopsOf,
    compute,
    limits,
    streams,
    stopping: ending.signal,
  };

  app.setValidatorCompiler(({ schema, httpPart }) => (value: unknown) => {
    if (httpPart === 'body' && isCheckedElsewhere(value)) return { value };
    return checkRequestPart(schema as unknown as z.ZodType, value, BASES[httpPart ?? 'body']);
  });
  // Our own code makes the answers, and tests check them against their schemas.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler((error, request, reply) => {
    const answer = answerToError(error, languageOf(request));
    if (answer.isBug) onFault(faultLine(error));
    sendProblem(reply, answer);
  });
  takeJsonBodies(app, compute);
  refuseWhenStopping(app, ending.signal);
  if (options.onRequest !== undefined) logRequests(app, options.onRequest);
  nameLanguages(app);
  guardAccess(app, tokens, hosts);
  addNotFound(app);
  app.addHook('preClose', async () => {
    ending.abort(new Error('the service is stopping'));
    await compute.stop();
  });
  await addOpenApiDocument(app);
  const routes = app.withTypeProvider<ZodTypeProvider>() as unknown as Routes;
  addMetrics(routes, context);
  addSessionRoute(routes);
  addShopRoutes(routes, context);
  addExportRoutes(routes, context, tokens);
  addCommandRoutes(routes, context);
  addStartRoutes(routes, context);
  addPageRoutes(app);
  addAgentRoute(routes, serverFor);
  addWorkRoutes(routes, context);
  addImportRoutes(routes, context);
  addInstanceRoutes(routes);
  await app.ready();
  return app;
}

/** The beginning of the path of an error, by part of the request; paths in the body have no prefix. */
const BASES: Readonly<Record<string, readonly string[]>> = {
  body: [],
  querystring: ['query'],
  params: ['address'],
  headers: ['headers'],
};

/** The line for an internal error of the service, with its stack. */
export function faultLine(error: unknown): string {
  if (error instanceof AlasError) return errorLine(error);
  return error instanceof Error ? (error.stack ?? '') : errorLine(error);
}

function newServer(limits: ServiceLimits): FastifyInstance {
  return fastify({
    logger: false,
    bodyLimit: limits.body,
    routerOptions: { maxParamLength: 200 },
    requestTimeout: limits.body_seconds * 1000,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) =>
      sendProblem(reply, answerToError(error, languageOf(request))),
    clientErrorHandler: (error, socket) => answerClientError(error, socket as Socket),
    http: {
      headersTimeout: limits.header_seconds * 1000,
      connectionsCheckingInterval: 1000,
      requireHostHeader: false,
    },
  });
}

function refuseWhenStopping(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook('onSend', async (_, reply) => {
    if (stopping.aborted) reply.header('connection', 'close');
  });
  app.addHook('onRequest', async () => {
    if (!stopping.aborted) return;
    throw new ServiceRefusal(503, 'ending', 'the service is stopping', 'try again later', 5);
  });
}

/** Answers requests for unknown addresses, and for methods that an address does not have. */
function addNotFound(app: FastifyInstance): void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsOf.set(url, methods);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0].split('/');
    const isAt = (url: string) => {
      const parts = url.split('/');
      const isSame = (part: string, i: number) => part.startsWith(':') || part === path[i];
      return parts.length === path.length && parts.every(isSame);
    };
    const methods = Array.from(methodsOf).flatMap(([url, names]) => (isAt(url) ? [...names] : []));
    if (methods.length === 0) {
      throw new ServiceRefusal(
        404,
        'not_found',
        'there is nothing at this address',
        'see /openapi.json for the addresses',
      );
    }
    reply.header('allow', methods.join(', '));
    throw new ServiceRefusal(
      405,
      'bad_method',
      `${request.method} is not supported at this address`,
      `use ${methods.join(' or ')}`,
    );
  });
}
