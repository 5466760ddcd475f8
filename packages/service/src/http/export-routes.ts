import { PLAN_FILE_TYPES, type PlanFileFormat } from 'alas-jssp/internal/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { labelSchema } from '../api/common.js';
import { calendarSchema } from '../api/shop-schemas.js';
import type { ExportWork } from '../compute/export-work.js';
import { answersOf } from './answers.js';
import { calendarKey } from './calendar-keys.js';
import type { Routes, ServiceContext } from './context.js';
import { whenGone } from './event-stream.js';
import { shopParams } from './shop-routes.js';
import type { AccessToken } from './tokens.js';

const tags = ['shops'];
const machine = labelSchema.optional().meta({ description: 'Operations on this machine only.' });
const version = z
  .string()
  .regex(/^\d{1,9}$/, 'give a whole number')
  .transform(Number)
  .optional();

const file = (...formats: PlanFileFormat[]) => ({
  description: 'The file.',
  content: Object.fromEntries(
    formats.map((format) => [PLAN_FILE_TYPES[format].split(';', 1)[0], { schema: z.string() }]),
  ),
});

/** Adds the routes that export the plan of a shop to other programs: workbooks, and calendars to subscribe to. */
export function addExportRoutes(
  app: Routes,
  context: ServiceContext,
  tokens: readonly AccessToken[],
): void {
  app.get(
    '/shops/:id/export',
    {
      config: { role: 'view' },
      schema: {
        tags,
        operationId: 'exportShop',
        summary: 'A version as a workbook (xlsx), as its operations (csv) or as a calendar (ics)',
        params: shopParams,
        querystring: z.strictObject({
          format: z.enum(['xlsx', 'csv', 'ics'], 'give "xlsx", "csv" or "ics"'),
          machine,
          version,
        }),
        response: answersOf({ 200: file('xlsx', 'csv', 'ics') }, [404, 409, 429]),
      },
    },
    async (request, reply) => {
      const { format, ...part } = request.query;
      return sendFile(context, request, reply, request.params.id, { format, ...part });
    },
  );
  app.get(
    '/shops/:id/calendar.ics',
    {
      config: { role: 'view', takesCalendarKey: true },
      schema: {
        tags,
        operationId: 'calendarOfShop',
        summary: 'The current plan as a calendar, for calendar programs that subscribe to it',
        params: shopParams,
        querystring: z.strictObject({
          machine,
          key: z.string().max(100).optional().meta({
            description: 'Instead of a token: the key in the addresses of /shops/{id}/calendars.',
          }),
        }),
        response: answersOf({ 200: file('ics') }, [404, 409, 429]),
      },
    },
    async (request, reply) => {
      const { machine } = request.query;
      return sendFile(context, request, reply, request.params.id, { format: 'ics', machine });
    },
  );
  app.get(
    '/shops/:id/calendars',
    {
      config: { role: 'view' },
      schema: {
        tags,
        operationId: 'calendarsOfShop',
        summary: 'Addresses of calendars to subscribe to: one of the shop, one per machine',
        params: shopParams,
        response: answersOf({ 200: z.array(calendarSchema) }, [404]),
      },
    },
    async (request) => {
      const { id } = request.params;
      const state = await context.shopsOf(request).state(id, { next: 0 });
      if (state.time_scale === null) return [];
      const token = tokens.find(({ name }) => name === request.caller.name)?.token;
      const key = token === undefined ? {} : { key: calendarKey(token, id) };
      return [null, ...state.machine_states.map((one) => one.machine)].map((one) => {
        const query = new URLSearchParams({ ...(one === null ? {} : { machine: one }), ...key });
        const path = `shops/${encodeURIComponent(id)}/calendar.ics`;
        return { machine: one, path: query.size === 0 ? path : `${path}?${query}` };
      });
    },
  );
}

async function sendFile(
  { shopsOf, compute }: ServiceContext,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  { format, ...part }: Pick<ExportWork, 'format' | 'machine'> & { version?: number | undefined },
): Promise<unknown> {
  const followed = await shopsOf(request).schedule(id, part.version);
  const work: ExportWork = { ...followed, format, shop: id, machine: part.machine };
  const { name: caller } = request.caller;
  const content = await compute.begin('export', work, { caller, signal: whenGone(reply) });
  const name = `${id}-version-${followed.version}.${format}`;
  reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .type(PLAN_FILE_TYPES[format]);
  return reply.send(typeof content === 'string' ? content : Buffer.from(content as Uint8Array));
}
