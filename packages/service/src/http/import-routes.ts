import * as z from 'zod';
import {
  columnsAnswerSchema,
  columnsRequestSchema,
  importAnswerSchema,
  importRequestSchema,
} from '../api/import-schemas.js';
import { answersOf } from './answers.js';
import type { Routes, ServiceContext } from './context.js';
import { sendComputed } from './work-routes.js';

/** Adds the routes that convert the files of a shop to an instance; they open and store nothing. */
export function addImportRoutes(app: Routes, context: ServiceContext): void {
  const problems = [413, 415, 429] as const;
  const config = { role: 'decide', largeBody: 'computed' } as const;
  const common = { tags: ['import'], querystring: z.strictObject({}) };
  app.post(
    '/import',
    {
      config,
      schema: {
        ...common,
        operationId: 'importFiles',
        summary: 'Makes an instance from orders, routings and shifts',
        body: importRequestSchema,
        response: answersOf({ 200: importAnswerSchema }, problems),
      },
    },
    async (request, reply) => sendComputed('import', request, reply, context),
  );
  app.post(
    '/import/columns',
    {
      config,
      schema: {
        ...common,
        operationId: 'columnsOfFiles',
        summary: 'Suggests the meaning of each column of such files',
        body: columnsRequestSchema,
        response: answersOf({ 200: columnsAnswerSchema }, problems),
      },
    },
    async (request, reply) => sendComputed('columns', request, reply, context),
  );
}
