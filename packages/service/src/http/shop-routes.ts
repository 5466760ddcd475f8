import * as z from 'zod';
import { timeSchema } from '../api/common.js';
import {
  changeSchema,
  listedShopSchema,
  movesSchema,
  shopIdSchema,
  shopStateSchema,
} from '../api/shop-schemas.js';
import { answersOf, streamOf } from './answers.js';
import type { Routes, ServiceContext } from './context.js';
import type { ServerEvent } from './event-stream.js';

/** The shop id in an address. */
export const shopParams = z.object({ id: shopIdSchema });

const tags = ['shops'];
const wholeText = z.string().regex(/^\d{1,9}$/, 'give a whole number');
const whole = wholeText.transform(Number).optional();
const versionOf = z
  .union([z.literal('proposal'), wholeText.transform(Number)])
  .optional()
  .meta({ description: 'The number of a version, or `proposal` for the waiting one.' });

/** Adds the routes that read shops: one call of the directory each. */
export function addShopRoutes(app: Routes, { shopsOf, streams }: ServiceContext): void {
  app.get(
    '/shops',
    {
      config: { role: 'view', isTranslated: true },
      schema: {
        tags,
        operationId: 'listShops',
        summary: 'Lists all shops',
        response: answersOf({ 200: z.array(listedShopSchema) }),
      },
    },
    async (request) => [...(await shopsOf(request).list())],
  );
  app.get(
    '/shops/:id',
    {
      config: { role: 'view', isTranslated: true },
      schema: {
        tags,
        operationId: 'showShop',
        summary:
          'The current state of a shop: machines, their next operations, late jobs, the proposal',
        params: shopParams,
        querystring: z.strictObject({
          next: whole.meta({ description: 'Upcoming operations per machine; default 3.' }),
        }),
        response: answersOf({ 200: shopStateSchema }, [404]),
      },
    },
    async (request) => {
      return shopsOf(request).state(request.params.id, { next: request.query.next });
    },
  );
  addVersionRoutes(app, { shopsOf });
  addHistoryRoutes(app, { shopsOf });
  app.get(
    '/shops/:id/changes',
    {
      config: { role: 'view', isTranslated: true },
      schema: {
        tags,
        operationId: 'followShop',
        summary: 'Changes of a shop as server-sent events, each called `change`',
        params: shopParams,
        querystring: z.strictObject({
          after: z
            .string()
            .max(100)
            .optional()
            .meta({ description: 'Instead of Last-Event-ID, for clients that cannot send it.' }),
        }),
        headers: z.looseObject({ 'last-event-id': z.string().max(100).optional() }),
        response: answersOf({ 200: streamOf(changeSchema, 'Changes, as they occur.') }, [404]),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const directory = shopsOf(request);
      const after = request.headers['last-event-id'] ?? request.query.after;
      // A missing shop is a problem of its own, not an event of the stream.
      await directory.state(id, { next: 0 });
      return streams.send(reply, (signal) => asServerEvents(directory.changes(id, after, signal)));
    },
  );
}

async function* asServerEvents(
  changes: AsyncIterable<z.infer<typeof changeSchema>>,
): AsyncIterable<ServerEvent> {
  for await (const change of changes) yield { id: change.id, event: 'change', data: change };
}

function addVersionRoutes(app: Routes, { shopsOf }: Pick<ServiceContext, 'shopsOf'>): void {
  app.get(
    '/shops/:id/view',
    {
      config: { role: 'view', isTranslated: true },
      schema: {
        tags,
        operationId: 'viewShop',
        summary: 'A version in columns, for charts; operations and times are numbers',
        params: shopParams,
        querystring: z.strictObject({ version: versionOf }),
        response: answersOf({ 200: z.looseObject({}) }, [404, 409]),
      },
    },
    async (request) => shopsOf(request).view(request.params.id, request.query.version),
  );
  app.get(
    '/shops/:id/moves',
    {
      config: { role: 'view', isTranslated: true },
      schema: {
        tags,
        operationId: 'movesOfShop',
        summary: 'The moves of a version, with their causes, a page at a time',
        params: shopParams,
        querystring: z.strictObject({
          version: versionOf,
          from: whole.meta({
            description: 'The first move of the page, from 0: `next` of the previous page.',
          }),
        }),
        response: answersOf({ 200: movesSchema }, [404, 409]),
      },
    },
    async (request) => {
      const { version, from } = request.query;
      return shopsOf(request).moves(request.params.id, version, from);
    },
  );
  app.get(
    '/shops/:id/plan',
    {
      config: { role: 'view', isTranslated: true },
      schema: {
        tags,
        operationId: 'planOfShop',
        summary: 'A version as a plan: by its number, or the current one at a given time',
        params: shopParams,
        querystring: z.strictObject({
          version: whole,
          time: z
            .string()
            .max(64)
            .transform((text) => (/^\d{1,10}$/.test(text) ? Number(text) : text))
            .pipe(timeSchema)
            .optional(),
        }),
        response: answersOf({ 200: z.looseObject({}) }, [404, 409]),
      },
    },
    async (request) => {
      const { version, time } = request.query;
      return shopsOf(request).plan(request.params.id, {
        ...(version === undefined ? {} : { version }),
        ...(time === undefined ? {} : { time }),
      });
    },
  );
}

function addHistoryRoutes(app: Routes, { shopsOf }: Pick<ServiceContext, 'shopsOf'>): void {
  app.get(
    '/shops/:id/history',
    {
      config: { role: 'view', isTranslated: true },
      schema: {
        tags,
        operationId: 'historyOfShop',
        summary: 'The changes of the last instants, latest first',
        params: shopParams,
        querystring: z.strictObject({
          most: whole.meta({ description: 'Instants; default: 100.' }),
        }),
        response: answersOf({ 200: z.array(changeSchema) }, [404]),
      },
    },
    async (request) => {
      const { params, query } = request;
      return [...(await shopsOf(request).lastChanges(params.id, query.most))];
    },
  );
  app.get(
    '/shops/:id/story',
    {
      config: { role: 'view', isTranslated: true },
      schema: {
        tags,
        operationId: 'storyOfShop',
        summary: 'The story of a shop, in lines',
        params: shopParams,
        querystring: z.strictObject({
          most: whole.meta({ description: 'Instants, the last ones; default: all.' }),
        }),
        response: answersOf({ 200: z.object({ lines: z.array(z.string()) }) }, [404]),
      },
    },
    async (request) => {
      const { params, query } = request;
      return { lines: [...(await shopsOf(request).story(params.id, query.most))] };
    },
  );
}
