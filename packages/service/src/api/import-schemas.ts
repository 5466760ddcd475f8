import { IMPORT_FIELDS, type ImportField } from 'alas-jssp/internal/service';
import * as z from 'zod';
import { timeSchema } from './common.js';

// The files of a shop, in the formats of `alas-jssp import`: docs/how-to/shop-data.md.

const BASE64 = /^[A-Za-z0-9+/_=\s-]*$/;

/** A file of a request: its text, or its bytes if it is not in UTF-8. */
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
    /** One row per operation, or per order if there are routings. */
    orders: fileSchema,
    routings: fileSchema.optional(),
    /** Groups of machines: machine, group. */
    machines: fileSchema.optional(),
    /** Setups between families: from, to, time, machine. */
    setups: fileSchema.optional(),
    /** Transport between machines: from, to, time. */
    transport: fileSchema.optional(),
    /** Operators and tools: operator, number, calendar. */
    operators: fileSchema.optional(),
    /** A mapping of docs/how-to/shop-data.md; its `schema` is optional. */
    map: z.looseObject({}).optional(),
    /** Weekly calendars of docs/how-to/shop-data.md; their `schema` is optional. */
    calendar: z.looseObject({}).optional(),
    /** The name of the instance. Default: the name of the file of orders. */
    name: z.string().min(1).max(200).optional(),
    /** The beginning of time, such as 2026-11-23T06:00; overrides that of the mapping. */
    epoch: z.string().max(64).optional(),
    zone: z.string().max(64).optional(),
    /** The day up to which shifts apply. */
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
    /** The instance, in the format of POST /shops. */
    instance: z.looseObject({}),
    orders: z.int(),
    operations: z.int(),
    machines: z.int(),
    /** The time up to which shifts are known; null if machines are always available. */
    shifts_until: timeSchema.nullable(),
    /** Orders that were due before the beginning of time; they become due at the beginning. */
    overdue: z.array(z.string()),
    /** Columns that are stored with the orders. */
    kept: z.array(z.string()),
    /** Columns that are neither understood nor stored, with the reason. */
    unknown: z.array(
      z.object({
        file: z.string(),
        heading: z.string(),
        reason: z.enum(['differs within an order', 'is of a routing, not of an order', 'is empty']),
      }),
    ),
    /** Files that are not in UTF-8, with their encodings. */
    encodings: z.array(z.object({ file: z.string(), encoding: encodingSchema })),
    /** The same information in sentences. */
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
        /** The heading of the column of each field. */
        fields: z.partialRecord(fieldSchema, z.string()),
        /** The kind of its rows: orders, operations of articles, or those of a table of POST /import. */
        kind: z.enum(['orders', 'routings', 'machines', 'setups', 'transport', 'operators']),
      }),
    ),
  })
  .meta({ id: 'ImportColumns' });

export type ImportRequest = z.infer<typeof importRequestSchema>;
export type ColumnsRequest = z.infer<typeof columnsRequestSchema>;
export type ImportAnswer = z.infer<typeof importAnswerSchema>;
export type ColumnsAnswer = z.infer<typeof columnsAnswerSchema>;
