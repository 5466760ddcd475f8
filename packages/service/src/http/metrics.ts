import { packageVersion } from '@alas-jssp/core/package-version';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import * as z from 'zod';
import { mayCountShops } from './access.js';
import { answersOf } from './answers.js';
import type { Routes, ServiceContext } from './context.js';
import { ServiceRefusal } from './refusal.js';
import { onAnswerEnd } from './request-log.js';

/** The buckets of answer times, in seconds; the target of repairs is 0.06. */
const BUCKETS = [0.002, 0.005, 0.01, 0.02, 0.04, 0.06, 0.1, 0.25, 1, 5, 30];

/** Totals of all shops, and the load. */
const loadSchema = z.object({
  /** Open shops. */
  shops: z.int(),
  /** Shops of the log that are not yet opened; 0 once all are open. */
  opening: z.int(),
  /** Shop threads: seconds since the start of the computation (0 if idle), and queued requests. */
  shop_threads: z.array(z.object({ busy_seconds: z.number(), waiting: z.int() })),
  /** Shops that are not opened because their computation did not return; `GET /shops` lists them. */
  quarantined: z.int(),
  /** Requests in computation, and queued ones. */
  working: z.int(),
  waiting: z.int(),
  /** Open event streams. */
  streams: z.int(),
});

/** If the service has tokens, only tokens for all shops see the totals. */
const healthSchema = z
  .object({
    status: z.enum(['ok', 'hanging', 'ending']),
    version: z.string(),
    ...loadSchema.partial().shape,
  })
  .meta({ id: 'Health' });

/** Adds `/health` for supervisors, and `/metrics` in the format of Prometheus. */
export function addMetrics(app: Routes, context: ServiceContext): void {
  const { compute, streams, directory, stopping } = context;
  const registry = collectMetrics(app as unknown as FastifyInstance, context);
  app.get(
    '/health',
    {
      exposeHeadRoute: true,
      config: { role: null },
      schema: {
        tags: ['service'],
        operationId: 'health',
        summary: 'Whether the service works, and its load',
        security: [],
        response: { 200: healthSchema },
      },
    },
    async ({ caller }) => {
      const { threads, quarantined, isHanging } = directory.load();
      const running = isHanging ? ('hanging' as const) : ('ok' as const);
      const status = stopping.aborted ? ('ending' as const) : running;
      const health = { status, version: packageVersion() };
      if (!mayCountShops(caller)) return health;
      return {
        ...health,
        shops: directory.counts().open,
        opening: directory.counts().opening,
        ...compute.load,
        shop_threads: [...threads],
        quarantined,
        streams: streams.open,
      };
    },
  );
  app.get(
    '/metrics',
    {
      config: { role: 'view' },
      schema: {
        tags: ['service'],
        operationId: 'metrics',
        summary: 'Counts and times, in the format of Prometheus',
        response: answersOf({
          200: { description: 'Metrics.', content: { 'text/plain': { schema: z.string() } } },
        }),
      },
    },
    async ({ caller }, reply) => {
      if (!mayCountShops(caller)) {
        const problem = 'the token is limited to some shops, and the figures cover all';
        throw new ServiceRefusal(403, 'forbidden', problem, 'use a token without shops');
      }
      const figures = await registry.metrics();
      return reply.type(registry.contentType).serializer(String).send(figures);
    },
  );
}

/** Counts requests by route, not by address, so that callers cannot create names of metrics. */
function collectMetrics(
  app: FastifyInstance,
  { compute, streams, directory }: ServiceContext,
): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'alas_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const times = new Histogram({
    name: 'alas_request_seconds',
    help: 'Seconds from the headers of a request to the end of its answer, without streams.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('alas_shops_open', 'Open shops.', () => directory.counts().open);
  gauge('alas_shops_opening', 'Shops that are not open yet.', () => directory.counts().opening);
  gauge('alas_work_working', 'Requests being computed.', () => compute.load.working);
  gauge('alas_work_waiting', 'Requests waiting for a thread.', () => compute.load.waiting);
  gauge('alas_streams_open', 'Open event streams.', () => streams.open);
  onAnswerEnd(app, ({ request, reply, seconds, isGone }) => {
    const route = request.routeOptions.url ?? 'none';
    // Callers may send any word as a method.
    const method = request.is404 ? 'any' : request.method;
    requests.inc({ method, route, status: isGone ? 'gone' : String(reply.statusCode) });
    const type = String(reply.getHeader('content-type') ?? '');
    if (!isGone && !type.startsWith('text/event-stream')) {
      times.observe({ method, route }, seconds);
    }
  });
  return registry;
}
