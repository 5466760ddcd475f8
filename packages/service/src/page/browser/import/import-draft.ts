import type { ColumnsAnswer, ImportRequest } from '../../../api/import-schemas.js';

/** A field of orders or operations. */
type DraftField = keyof ColumnsAnswer['files'][number]['fields'];

/** A CSV file with the columns that the service recognized. */
export interface DraftTable {
  readonly kind: ColumnsAnswer['files'][number]['kind'];
  readonly name: string;
  /** Its bytes in Base64. */
  readonly content: string;
  readonly columns: ColumnsAnswer['files'][number];
  /** Columns that the user chose, by field. */
  readonly chosen: Readonly<Partial<Record<DraftField, string>>>;
}

/** A JSON file of the import. */
export interface DraftDocument {
  readonly kind: 'calendar' | 'map';
  readonly name: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** The files of a shop, and the settings to read them. */
export interface ImportDraft {
  readonly files: readonly (DraftTable | DraftDocument)[];
  /** The beginning of time, in the format of `datetime-local`. */
  readonly epoch: string;
  readonly zone: string;
  readonly times: 'minutes' | 'seconds' | 'hours';
  readonly dates: string;
  readonly decimal: 'auto' | '.' | ',';
}

/** The date formats of mappings, each with an example. */
export const DATE_FORMS: readonly (readonly [form: string, example: string])[] = [
  ['yyyy-mm-dd', '2026-11-24, 24.11.2026'],
  ['dd/mm/yyyy', '24/11/2026'],
  ['mm/dd/yyyy', '11/24/2026'],
];

const OF_ORDERS: readonly DraftField[] = [
  'order',
  'article',
  'customer',
  'quantity',
  'release',
  'due',
  'weight',
];
const OF_OPERATIONS: readonly DraftField[] = [
  'step',
  'operation',
  'machine',
  'setup',
  'per_piece',
  'duration',
  'family',
  'operator',
  'setup_operator',
  'tool',
  'after',
  'min_wait',
  'max_wait',
];

/** The kinds of CSV files, as users choose among them. */
export const TABLE_KINDS: readonly DraftTable['kind'][] = [
  'orders',
  'routings',
  'machines',
  'setups',
  'transport',
  'operators',
];

/** Whether the columns of a file may have other headings than the usual ones. */
export function hasFields({ kind }: DraftTable): boolean {
  return kind === 'orders' || kind === 'routings';
}

/** The fields that a file of orders or routings may have columns for. */
export function fieldsOf({ files }: ImportDraft, table: DraftTable): readonly DraftField[] {
  if (table.kind === 'routings') return ['article', ...OF_OPERATIONS];
  const hasRoutings = files.some(({ kind }) => kind === 'routings');
  return hasRoutings ? OF_ORDERS : [...OF_ORDERS, ...OF_OPERATIONS];
}

/** The fault of a draft, if the page can find one without the service. */
export function faultOf({
  files,
}: ImportDraft): 'no_orders' | DraftTable['kind'] | DraftDocument['kind'] | null {
  const kinds = files.map(({ kind }) => kind);
  const twice = kinds.find((kind, i) => kinds.indexOf(kind) !== i);
  if (twice !== undefined) return twice;
  return kinds.includes('orders') ? null : 'no_orders';
}

/** The request of a draft. */
export function importRequest(draft: ImportDraft): ImportRequest {
  const table = (kind: DraftTable['kind']) =>
    draft.files.find((file): file is DraftTable => file.kind === kind);
  const document = (kind: DraftDocument['kind']) =>
    draft.files.find((file): file is DraftDocument => file.kind === kind)?.document;
  const orders = table('orders') as DraftTable;
  const routings = table('routings');
  const calendar = document('calendar');
  const map = document('map') ?? {};
  const sent = ({ name, content }: DraftTable) => ({ name, content });
  const tables = TABLE_KINDS.slice(1).flatMap((kind) => {
    const found = table(kind);
    return found === undefined ? [] : [[kind, sent(found)] as const];
  });
  return {
    orders: sent(orders),
    ...Object.fromEntries(tables),
    ...(calendar === undefined ? {} : { calendar }),
    map: {
      ...map,
      times: draft.times,
      dates: draft.dates,
      ...(draft.decimal === 'auto' ? {} : { decimal: draft.decimal }),
      columns: { ...(map.columns as object | undefined), ...orders.chosen },
      routing_columns: { ...(map.routing_columns as object | undefined), ...routings?.chosen },
    },
    ...(draft.epoch === '' ? {} : { epoch: draft.epoch }),
    ...(draft.zone === '' ? {} : { zone: draft.zone }),
  };
}

/** A draft with the settings of a mapping. */
export function withMapping(draft: ImportDraft, map: DraftDocument['document']): ImportDraft {
  const { times, dates, decimal, time_scale } = map as Partial<ImportDraft> & {
    readonly time_scale?: { readonly epoch?: string; readonly zone?: string };
  };
  return {
    ...draft,
    times: times ?? draft.times,
    dates: dates === undefined || dates === 'dd.mm.yyyy' ? draft.dates : dates,
    decimal: decimal ?? draft.decimal,
    epoch: time_scale?.epoch?.slice(0, 16) ?? draft.epoch,
    zone: time_scale?.zone ?? draft.zone,
  };
}

/** Derives a shop id from the name of a file: `auftraege-2026`. */
export function shopIdOf(file: string): string {
  const plain = file
    .replace(/\.csv$/i, '')
    .normalize('NFKD')
    .replaceAll(/([aou])\u0308/gi, '$1e')
    .replaceAll('ß', 'ss')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[^A-Za-z0-9]+|-+$/g, '');
  return plain.slice(0, 100) || 'shop';
}
