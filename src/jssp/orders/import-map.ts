import { readBytes } from '@alas-jssp/core/bytes';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import { parseJson } from '@alas-jssp/core/json-text';
import * as z from 'zod';

/** The name and version of the JSON format of mappings. */
export const MAP_SCHEMA = 'alas-jssp/import-map@1';

/** The fields of orders and operations, and the English headings that are recognized without a mapping. */
export const IMPORT_FIELDS = {
  order: ['order', 'job', 'work order', 'order number', 'order no'],
  article: ['article', 'part', 'product', 'item', 'material'],
  customer: ['customer', 'client'],
  quantity: ['quantity', 'qty', 'pieces', 'amount'],
  release: ['release', 'start date', 'earliest start'],
  due: ['due', 'due date', 'delivery', 'delivery date'],
  weight: ['weight', 'priority'],
  step: ['step', 'position', 'pos', 'sequence', 'operation no', 'operation number', 'op'],
  operation: ['operation', 'operation name', 'description'],
  machine: ['machine', 'resource', 'work center', 'work centre', 'workcenter'],
  setup: ['setup', 'setup time', 'setup minutes'],
  per_piece: ['per piece', 'time per piece', 'run time', 'minutes per piece', 'cycle time'],
  duration: ['duration', 'time', 'minutes', 'total time'],
  family: ['setup family', 'family', 'setup group'],
  operator: ['operator', 'operators', 'worker', 'workers'],
  setup_operator: ['setup operator', 'setter', 'setup by'],
  tool: ['tool', 'tools', 'fixture', 'mould', 'mold'],
  after: ['after', 'predecessor', 'predecessors', 'previous steps'],
  min_wait: ['min wait', 'minimum wait', 'waiting time', 'cooling time', 'drying time'],
  max_wait: ['max wait', 'maximum wait', 'shelf life'],
} as const;

/**
 * The German headings. If a file has any of them, numbers are read as in 1.000,5 unless a mapping specifies otherwise.
 */
export const GERMAN_HEADINGS: Readonly<Record<ImportField, readonly string[]>> = {
  order: [
    'auftrag',
    'auftragsnummer',
    'auftrags nr',
    'auftragsnr',
    'auftrag nr',
    'fertigungsauftrag',
  ],
  article: ['artikel', 'artikelnummer', 'artikel nr', 'teil', 'teilenummer', 'produkt'],
  customer: ['kunde', 'kundenname', 'auftraggeber'],
  quantity: ['menge', 'stückzahl', 'stück', 'anzahl', 'losgröße'],
  release: ['freigabe', 'start', 'starttermin', 'startdatum', 'frühester start', 'frühestens'],
  due: ['fällig', 'fällig am', 'fälligkeit', 'termin', 'liefertermin', 'lieferdatum', 'endtermin'],
  weight: ['priorität', 'prio'],
  step: [
    'schritt',
    'folge',
    'arbeitsgang nr',
    'arbeitsgangnummer',
    'ag nr',
    'ag',
    'vorgang nr',
    'vorgangsnummer',
  ],
  operation: ['arbeitsgang', 'vorgang', 'bezeichnung', 'arbeitsgangbezeichnung', 'tätigkeit'],
  machine: ['maschine', 'arbeitsplatz', 'anlage', 'ressource'],
  setup: ['rüsten', 'rüstzeit', 'einrichten', 'einrichtezeit', 'tr'],
  per_piece: ['stückzeit', 'zeit je stück', 'zeit pro stück', 'minuten je stück', 'te'],
  duration: ['dauer', 'zeit', 'minuten', 'bearbeitungszeit', 'gesamtzeit', 'belegungszeit'],
  family: ['rüstfamilie', 'rüstgruppe'],
  operator: ['bediener', 'mitarbeiter', 'werker', 'personal'],
  setup_operator: ['einrichter', 'rüster'],
  tool: ['werkzeug', 'werkzeuge', 'vorrichtung'],
  after: ['vorgänger', 'nachfolger von'],
  min_wait: ['wartezeit', 'mindestwartezeit', 'liegezeit', 'abkühlzeit', 'trockenzeit'],
  max_wait: ['höchstwartezeit', 'maximale wartezeit'],
};

/** A field of an order or an operation. */
export type ImportField = keyof typeof IMPORT_FIELDS;

const heading = z.string('give the heading of a column').min(1);
const columns = z
  .strictObject(
    Object.fromEntries(
      Object.keys(IMPORT_FIELDS).map((field) => [field, heading.optional()]),
    ) as Record<ImportField, z.ZodOptional<typeof heading>>,
    `give an object with some of the keys ${Object.keys(IMPORT_FIELDS).join(', ')}`,
  )
  .default({});

const mapSchema = z.strictObject(
  {
    schema: z.literal(MAP_SCHEMA, `give "${MAP_SCHEMA}", and use that format`),
    /** The headings of the columns of orders, if they are not in {@link IMPORT_FIELDS}. */
    columns,
    /** Those of the file with the routings, if it is separate. */
    routing_columns: columns,
    /** Headings of columns that are texts only, although they look like a field: `["tool"]`. */
    keep: z.array(heading, 'give a list of headings').optional(),
    /** The unit of work times in the files. */
    times: z
      .enum(['seconds', 'minutes', 'hours'], 'give "seconds", "minutes" or "hours"')
      .default('minutes'),
    /** The format of dates; ISO 8601 is always understood. */
    dates: z
      .enum(
        ['yyyy-mm-dd', 'dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy'],
        'give "yyyy-mm-dd", "dd.mm.yyyy", "dd/mm/yyyy" or "mm/dd/yyyy"',
      )
      .default('yyyy-mm-dd'),
    /** The decimal separator; default: a point, or a comma with German headings. */
    decimal: z.enum(['.', ','], 'give "." or ","').optional(),
    /** The meaning of times; an omitted epoch or zone must be given with the command. */
    time_scale: z
      .strictObject(
        {
          epoch: z.string('give a time like "2026-11-23T06:00"').optional(),
          unit: z.int('give the seconds of a unit: 60 for minutes').min(1).max(86_400).default(60),
          zone: z.string('give a time zone like "Europe/Berlin"').optional(),
        },
        'give an object with some of the keys epoch, unit, zone',
      )
      .default({ unit: 60 }),
  },
  'give an object with the key schema and, if need be, columns, routing_columns, keep, times, dates, decimal, time_scale',
);

/** How the files of a shop are read. */
export type ImportMap = z.infer<typeof mapSchema>;

/** The default mapping: headings as in {@link IMPORT_FIELDS}, minutes, dates of ISO 8601. */
export const defaultImportMap: ImportMap = mapSchema.parse({ schema: MAP_SCHEMA });

/**
 * Reads a mapping from a JSON file, plain or gzip, as described in `docs/how-to/shop-data.md`.
 *
 * @throws InputError `bad_map` with file and JSON path of a missing, unknown or invalid part
 */
export function readImportMap(file: string): ImportMap {
  return parseImportMap(parseJson(readBytes(file), file), file);
}

/** Parses a mapping from a JSON document, as {@link readImportMap} does from a file. */
export function parseImportMap(document: unknown, file?: string): ImportMap {
  const read = checkJson(mapSchema, document);
  if (read.fault !== undefined) throw faultError('bad_map', read.fault, file);
  return read.data;
}
