import { InputError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { policySchema } from '../api/common.js';
import {
  declineSchema,
  dryRunSchema,
  newShopSchema,
  outcomeSchema,
  reportSchema,
  shopSummarySchema,
  withdrawalSchema,
} from '../api/shop-schemas.js';
import { answersOf } from './answers.js';
import {
  dryRunFlag,
  isDryRun,
  keyedCallerOf,
  keyHeaders,
  noQuery,
  outcomeAnswers,
} from './command-request.js';
import type { Routes, ServiceContext } from './context.js';
import { shopParams } from './shop-routes.js';

const tags = ['shops'];
/** Adds the routes that open and close shops and send them commands. */
export function addCommandRoutes(app: Routes, context: ServiceContext): void {
  addOpening(app, context);
  addEvents(app, context);
  addWithdrawals(app, context);
  addDecisions(app, context);
}
const dryRunQuery = z.strictObject({
  'dry-run': dryRunFlag,
  policy: z
    .union([z.string().max(10_000), z.array(z.string().max(10_000)).max(8)])
    .optional()
    .meta({
      description: 'A policy to try in a dry run, by name or as JSON; can be repeated.',
    }),
});

function addEvents(app: Routes, { shopsOf }: ServiceContext): void {
  app.post(
    '/shops/:id/events',
    {
      config: {
        role: (request) => (isDryRun(request) ? 'view' : 'report'),
        isTranslated: true,
        largeBody: 'report',
      },
      schema: {
        tags,
        operationId: 'reportEvents',
        summary: 'Reports events to a shop, or computes their cost in a dry run',
        params: shopParams,
        headers: keyHeaders,
        querystring: dryRunQuery,
        body: reportSchema,
        response: answersOf(
          { 200: z.union([outcomeSchema, dryRunSchema]) },
          [404, 409, 413, 415, 422],
        ),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { policy } = request.query;
      if (!isDryRun(request)) {
        if (policy === undefined) {
          const text = await shopsOf(request).reportJson(id, request.body, keyedCallerOf(request));
          return reply.type('application/json; charset=utf-8').serializer(String).send(text);
        }
        throw new InputError(
          'bad_request',
          'only dry runs try policies',
          'add dry-run to the query, or choose a repair row by `row` in the body',
          { path: '$.query.policy' },
        );
      }
      if (policy !== undefined && request.body.row !== undefined) {
        const problem = 'the body has a row and the query has a policy';
        throw new InputError('bad_request', problem, 'omit one of them', { path: '$.row' });
      }
      const policies = policy === undefined ? undefined : [policy].flat().map(readPolicy);
      return shopsOf(request).tryOut(id, request.body, keyedCallerOf(request), policies);
    },
  );
}

function addWithdrawals(app: Routes, { shopsOf }: ServiceContext): void {
  app.post(
    '/shops/:id/withdraw',
    {
      config: { role: 'report', isTranslated: true, largeBody: 'withdrawal' },
      schema: {
        tags,
        operationId: 'withdrawReport',
        summary: 'Withdraws a mistaken report, or corrects it',
        params: shopParams,
        headers: keyHeaders,
        querystring: noQuery,
        body: withdrawalSchema,
        response: outcomeAnswers,
      },
    },
    async (request) =>
      shopsOf(request).withdraw(request.params.id, request.body, keyedCallerOf(request)),
  );
}

function addDecisions(app: Routes, { shopsOf }: ServiceContext): void {
  const proposal = shopParams.extend({ name: z.string().min(1).max(100) });
  app.post(
    '/shops/:id/proposals/:name/approve',
    {
      config: { role: 'decide', isTranslated: true },
      schema: {
        tags,
        operationId: 'approveProposal',
        summary: 'Accepts the waiting proposal',
        params: proposal,
        headers: keyHeaders,
        querystring: noQuery,
        response: outcomeAnswers,
      },
    },
    async (request) => {
      requireNoBody(request);
      const { id, name } = request.params;
      return shopsOf(request).approve(id, name, keyedCallerOf(request));
    },
  );
  app.post(
    '/shops/:id/proposals/:name/decline',
    {
      config: { role: 'decide', isTranslated: true },
      schema: {
        tags,
        operationId: 'declineProposal',
        summary: 'Declines the waiting proposal; the version before it remains',
        params: proposal,
        headers: keyHeaders,
        querystring: noQuery,
        body: declineSchema.nullish(),
        response: outcomeAnswers,
      },
    },
    async (request) => {
      const { id, name } = request.params;
      return shopsOf(request).decline(id, name, request.body?.reason ?? '', keyedCallerOf(request));
    },
  );
}

function addOpening(app: Routes, { shopsOf }: ServiceContext): void {
  app.post(
    '/shops',
    {
      config: { role: 'decide', isTranslated: true, largeBody: 'shop' },
      schema: {
        tags,
        operationId: 'createShop',
        summary: 'Opens a shop',
        headers: keyHeaders,
        querystring: noQuery,
        body: newShopSchema,
        response: answersOf({ 201: shopSummarySchema }, [404, 409, 413, 415, 422]),
      },
    },
    async (request, reply) => {
      const shop = await shopsOf(request).create(request.body, keyedCallerOf(request));
      return reply.code(201).header('location', `/shops/${shop.id}`).send(shop);
    },
  );
  app.post(
    '/shops/:id/close',
    {
      config: { role: 'decide', isTranslated: true },
      schema: {
        tags,
        operationId: 'closeShop',
        summary: 'Closes a shop; its story remains',
        params: shopParams,
        headers: keyHeaders,
        querystring: noQuery,
        response: answersOf({ 200: shopSummarySchema }, [404, 409, 413, 415]),
      },
    },
    async (request) => {
      requireNoBody(request);
      return shopsOf(request).close(request.params.id, keyedCallerOf(request));
    },
  );
  app.post(
    '/shops/:id/release',
    {
      config: { role: 'decide', isTranslated: true },
      schema: {
        tags,
        operationId: 'releaseShop',
        summary: 'Releases a shop that was quarantined because its computation did not return',
        params: shopParams,
        querystring: noQuery,
        response: answersOf({ 200: z.object({ id: z.string() }) }, [404, 409, 413, 415]),
      },
    },
    async (request) => {
      requireNoBody(request);
      const { id } = request.params;
      await shopsOf(request).release(id);
      return { id };
    },
  );
}

/** Refuses a body with content on routes without one. @throws InputError `bad_request` */
function requireNoBody({ body }: FastifyRequest): void {
  if (body === undefined || body === null) return;
  if (isObject(body) && Object.keys(body).length === 0) return;
  const problem = 'this request takes no body';
  throw new InputError('bad_request', problem, 'send it without one', { path: '$' });
}

/** Reads a policy of a query: a name, or changes in JSON. */
function readPolicy(text: string): z.infer<typeof policySchema> {
  if (!text.trimStart().startsWith('{')) return text;
  try {
    const changes: unknown = JSON.parse(text);
    if (isObject(changes)) return changes;
  } catch {
    // Reported below.
  }
  throw new InputError(
    'bad_policy',
    'a policy of the query is not JSON',
    'give a name, or changes as a JSON object',
    { path: '$.query.policy' },
  );
}
