import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Compute } from '../compute/compute.js';
import type { ShopDirectory } from '../shops/shop-directory.js';
import type { EventStreams } from './event-stream.js';
import type { ServiceLimits } from './limits.js';

/** The app to which routes are added, with requests typed by their schemas. */
export type Routes = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** The dependencies of the routes. */
export interface ServiceContext {
  readonly directory: ShopDirectory;
  /** The shops that the caller of a request may access. */
  readonly shopsOf: (request: FastifyRequest) => ShopDirectory;
  readonly compute: Compute;
  readonly limits: ServiceLimits;
  readonly streams: EventStreams;
  /** Aborted when the service stops: no new work begins, and work in progress ends with its best result. */
  readonly stopping: AbortSignal;
}
