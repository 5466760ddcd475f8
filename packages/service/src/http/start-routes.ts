import * as z from 'zod';
import { dryRunSchema, outcomeSchema, undoSchema, wishSchema } from '../api/shop-schemas.js';
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
const wishQuery = z.strictObject({ 'dry-run': dryRunFlag });

/** Adds the routes of manual planning: proposed starts, and the return to a version. */
export function addStartRoutes(app: Routes, { shopsOf }: ServiceContext): void {
  app.post(
    '/shops/:id/starts',
    {
      config: {
        role: (request) => (isDryRun(request) ? 'view' : 'decide'),
        isTranslated: true,
        largeBody: 'wish',
      },
      schema: {
        tags,
        operationId: 'proposeStarts',
        summary: 'Proposes starts chosen by the caller, or computes their cost',
        params: shopParams,
        headers: keyHeaders,
        querystring: wishQuery,
        body: wishSchema,
        response: answersOf(
          { 200: z.union([outcomeSchema, dryRunSchema]) },
          [404, 409, 413, 415, 422],
        ),
      },
    },
    async (request) => {
      const { id } = request.params;
      if (isDryRun(request))
        return shopsOf(request).tryOut(id, request.body, keyedCallerOf(request));
      return shopsOf(request).wish(id, request.body, keyedCallerOf(request));
    },
  );
  app.post(
    '/shops/:id/undo',
    {
      config: { role: 'decide', isTranslated: true },
      schema: {
        tags,
        operationId: 'undoTo',
        summary: 'Reverts to an earlier version, except for operations started since',
        params: shopParams,
        headers: keyHeaders,
        querystring: noQuery,
        body: undoSchema,
        response: outcomeAnswers,
      },
    },
    async (request) =>
      shopsOf(request).undo(request.params.id, request.body, keyedCallerOf(request)),
  );
}
