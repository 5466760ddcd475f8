import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { InputError } from '../../core/errors.js';
import { isObject } from '../../core/json-path.js';
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
import type { Routes, ServiceContext } from './context.js';
import { dryRunFlag, isDryRun, keyHeaders, noQuery, tellerOf, told } from './news-request.js';
import { shopParams } from './shop-routes.js';

const tags = ['shops'];
/** The routes by which shops are opened, told of news, and closed. */
export function addNewsRoutes(app: Routes, context: ServiceContext): void {
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
      description: 'Of a dry run: a policy to try, by its name or as JSON; may be repeated.',
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
        summary: 'Tells a shop of events, or tries out what they would cost',
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
    async (request) => {
      const { id } = request.params;
      const { policy } = request.query;
      if (!isDryRun(request)) {
        if (policy === undefined)
          return shopsOf(request).report(id, request.body, tellerOf(request));
        throw new InputError(
          'bad_request',
          'policies are tried in dry runs only',
          'add dry-run to the query, or choose a row of a dry run by `row` in the body',
          { path: '$.query.policy' },
        );
      }
      if (policy !== undefined && request.body.row !== undefined) {
        const problem = 'the body has a row, and the query a policy';
        throw new InputError('bad_request', problem, 'leave one of them out', { path: '$.row' });
      }
      const policies = policy === undefined ? undefined : [policy].flat().map(readPolicy);
      return shopsOf(request).tryOut(id, request.body, tellerOf(request), policies);
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
        response: told,
      },
    },
    async (request) =>
      shopsOf(request).withdraw(request.params.id, request.body, tellerOf(request)),
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
        summary: 'Accepts the proposal that waits',
        params: proposal,
        headers: keyHeaders,
        querystring: noQuery,
        response: told,
      },
    },
    async (request) => {
      requireNoBody(request);
      const { id, name } = request.params;
      return shopsOf(request).approve(id, name, tellerOf(request));
    },
  );
  app.post(
    '/shops/:id/proposals/:name/decline',
    {
      config: { role: 'decide', isTranslated: true },
      schema: {
        tags,
        operationId: 'declineProposal',
        summary: 'Declines the proposal that waits: the version before stays',
        params: proposal,
        headers: keyHeaders,
        querystring: noQuery,
        body: declineSchema.nullish(),
        response: told,
      },
    },
    async (request) => {
      const { id, name } = request.params;
      return shopsOf(request).decline(id, name, request.body?.reason ?? '', tellerOf(request));
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
      const shop = await shopsOf(request).create(request.body, tellerOf(request));
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
        summary: 'Ends a shop; its story stays',
        params: shopParams,
        headers: keyHeaders,
        querystring: noQuery,
        response: answersOf({ 200: shopSummarySchema }, [404, 409, 413, 415]),
      },
    },
    async (request) => {
      requireNoBody(request);
      return shopsOf(request).close(request.params.id, tellerOf(request));
    },
  );
  app.post(
    '/shops/:id/release',
    {
      config: { role: 'decide', isTranslated: true },
      schema: {
        tags,
        operationId: 'releaseShop',
        summary:
          'Has a shop opened again that was quarantined since its computation did not return',
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

/** Refuses a body with content where the address says everything. @throws InputError `bad_request` */
function requireNoBody({ body }: FastifyRequest): void {
  if (body === undefined || body === null) return;
  if (isObject(body) && Object.keys(body).length === 0) return;
  const problem = 'this request takes no body';
  throw new InputError('bad_request', problem, 'send it without one', { path: '$' });
}

/** A policy of a query: a name, or changes in JSON. */
function readPolicy(text: string): z.infer<typeof policySchema> {
  if (!text.trimStart().startsWith('{')) return text;
  try {
    const changes: unknown = JSON.parse(text);
    if (isObject(changes)) return changes;
  } catch {
    // Said below.
  }
  throw new InputError(
    'bad_policy',
    'a policy of the query is not JSON',
    'give a name, or changes as a JSON object',
    { path: '$.query.policy' },
  );
}
