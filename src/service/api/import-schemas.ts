import * as z from 'zod';
import { IMPORT_FIELDS, type ImportField } from '../../jssp/orders/import-map.js';
import { timeSchema } from './common.js';

// The files of a shop, as `alas-jssp import` reads them: docs/how-to/shop-data.md.

const BASE64 = /^[A-Za-z0-9+/_=\s-]*$/;

/** A file of a request: its text, or its bytes where it is not in UTF-8. */
const fileSchema = z
  .strictObject({
    name: z.string().min(1).max(200),
    text: z.string().optional(),
    content: z.string().regex(BASE64, 'give the bytes of the file in Base64').optional(),
  })
  .refine(
    ({ text, content }) => (text === undefined) !== (content === undefined),
    'give its text, or its bytes as content in Base64',
  )
  .meta({
    id: 'ImportFile',
    description: 'The `text` of a CSV file, or its bytes in Base64 (`content`), in any encoding.',
  });

export type ImportFileInput = z.infer<typeof fileSchema>;

const exampleOrders = {
  name: 'orders.csv',
  text: 'order,machine,minutes\nWO-1,Lathe,30\n',
};

/** POST /import */
export const importRequestSchema = z
  .strictObject({
    /** A row for each operation, or for each order where there are routings. */
    orders: fileSchema,
    routings: fileSchema.optional(),
    /** A mapping of docs/how-to/shop-data.md; its `schema` may be left out. */
    map: z.looseObject({}).optional(),
    /** Weekly calendars of docs/how-to/shop-data.md; their `schema` may be left out. */
    calendar: z.looseObject({}).optional(),
    /** The name of the instance. Default: that of the file of orders. */
    name: z.string().min(1).max(200).optional(),
    /** When time begins, as in 2026-11-23T06:00; goes before that of the mapping. */
    epoch: z.string().max(64).optional(),
    zone: z.string().max(64).optional(),
    /** Day up to which shifts count. */
    horizon: z.string().max(64).optional(),
  })
  .meta({ id: 'ImportRequest', examples: [{ orders: exampleOrders }] });

/** POST /import/columns */
export const columnsRequestSchema = z
  .strictObject({ files: z.array(fileSchema).min(1).max(10) })
  .meta({ id: 'ColumnsRequest', examples: [{ files: [exampleOrders] }] });

const encodingSchema = z.enum(['UTF-8', 'UTF-16', 'Windows-1252']);
const fieldSchema = z.enum(Object.keys(IMPORT_FIELDS) as [ImportField, ...ImportField[]]);

/** The answer of POST /import. */
export const importAnswerSchema = z
  .object({
    /** The instance, as POST /shops takes it. */
    instance: z.looseObject({}),
    orders: z.int(),
    operations: z.int(),
    machines: z.int(),
    /** The time up to which shifts are known; null where machines are always up. */
    shifts_until: timeSchema.nullable(),
    /** Orders that were due before time begins; they are due at its begin. */
    overdue: z.array(z.string()),
    /** Columns that are kept with the orders. */
    kept: z.array(z.string()),
    /** Columns that are not understood and not kept, and why. */
    unknown: z.array(
      z.object({
        file: z.string(),
        heading: z.string(),
        reason: z.enum(['differs within an order', 'is of a routing, not of an order', 'is empty']),
      }),
    ),
    /** Files that are not in UTF-8, and in which encoding they were read. */
    encodings: z.array(z.object({ file: z.string(), encoding: encodingSchema })),
    /** All of this in sentences. */
    remarks: z.array(z.string()),
  })
  .meta({ id: 'Import' });

/** The answer of POST /import/columns. */
export const columnsAnswerSchema = z
  .object({
    files: z.array(
      z.object({
        file: z.string(),
        encoding: encodingSchema,
        headings: z.array(z.string()),
        /** The cells of its first rows. */
        samples: z.array(z.array(z.string())),
        /** The heading that each field is found by. */
        fields: z.partialRecord(fieldSchema, z.string()),
        /** Whether its rows are orders or operations of articles. */
        kind: z.enum(['orders', 'routings']),
      }),
    ),
  })
  .meta({ id: 'ImportColumns' });

export type ImportRequest = z.infer<typeof importRequestSchema>;
export type ColumnsRequest = z.infer<typeof columnsRequestSchema>;
export type ImportAnswer = z.infer<typeof importAnswerSchema>;
export type ColumnsAnswer = z.infer<typeof columnsAnswerSchema>;
