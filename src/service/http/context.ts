import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Compute } from '../compute/compute.js';
import type { ShopDirectory } from '../shops/shop-directory.js';
import type { EventStreams } from './event-stream.js';
import type { ServiceLimits } from './limits.js';

/** The app as routes are added to it, with requests typed by their schemas. */
export type Routes = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** All that routes need. */
export interface ServiceContext {
  readonly directory: ShopDirectory;
  /** The shops that the caller of a request may reach. */
  readonly shopsOf: (request: FastifyRequest) => ShopDirectory;
  readonly compute: Compute;
  readonly limits: ServiceLimits;
  readonly streams: EventStreams;
  /** Aborted when the service ends: no more is begun, and what is under way comes to its best. */
  readonly stopping: AbortSignal;
}
