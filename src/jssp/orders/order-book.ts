import { InputError } from '@alas-jssp/core/errors';
import { detailText, type JobDetails } from '../job-details.js';
import { alternativesIn } from './alternatives.js';
import { type PlainColumns, wordsOfField } from './headings.js';
import type { ImportField, ImportMap } from './import-map.js';
import { type ImportFile, type ImportRow, type ImportTable, readImportTable } from './table.js';

/** The orders of a shop, and how their files were read. */
export interface OrderBook {
  readonly orders: readonly ShopOrder[];
  /** Headings of columns that are kept with the orders. */
  readonly kept: readonly string[];
  /** Columns that are not understood, with the reason why they are not kept. */
  readonly dropped: readonly DroppedColumn[];
  /** Files that are not in UTF-8, and their encodings. */
  readonly encodings: readonly Pick<ImportTable, 'file' | 'encoding'>[];
}

/** A column that is neither understood nor kept. */
interface DroppedColumn {
  readonly file: string;
  readonly heading: string;
  readonly reason: 'differs within an order' | 'is of a routing, not of an order' | 'is empty';
}

/** An order from the files of a shop. */
export interface ShopOrder {
  readonly name: string;
  /** The row of the order. */
  readonly row: ImportRow;
  /** As written; '' for none. */
  readonly release: string;
  readonly due: string;
  readonly weight: number | undefined;
  /** Its other columns, by heading. */
  readonly details: JobDetails;
  readonly operations: readonly ShopOperation[];
}

/** An operation of an order. */
export interface ShopOperation {
  /** Its first row. */
  readonly row: ImportRow;
  readonly name: string;
  /** The number of its step as written; '' if steps have no numbers. */
  readonly step: string;
  /** The text of a field on which its rows agree; '' if none has one. */
  readonly said: (field: ImportField) => string;
  /** The ways in which it can be done, at least one. */
  readonly ways: readonly ShopWay[];
}

/** A row of an operation: machines or groups of machines that take the same time for it. */
export interface ShopWay {
  readonly row: ImportRow;
  readonly machines: readonly string[];
  /** The total time, in the unit of the file. */
  readonly time: number;
}

/**
 * Reads orders and their operations: from one file with a row for each operation, or from a file of orders and a file
 * of routings, where all orders of one article share a routing.
 *
 * @throws InputError with file, line and order
 */
export function readOrders(
  files: { readonly orders: ImportFile; readonly routings?: ImportFile | undefined },
  map: ImportMap,
  { hasSetups = false }: { readonly hasSetups?: boolean } = {},
): OrderBook {
  // Without times of setups between families, a family is a text like others.
  const plain: PlainColumns = { keep: map.keep, without: hasSetups ? [] : ['family'] };
  const table = readImportTable(files.orders, map.columns, { ...map, ...plain });
  const { routings } = files;
  if (routings === undefined) return bookOf(table, readOperationsByOrder(table), []);
  const steps = readImportTable(routings, map.routing_columns, { ...map, ...plain });
  return bookOf(table, joinRoutings(table, steps), [steps]);
}

/** An order with its rows in the file of orders. */
type ReadOrder = Omit<ShopOrder, 'details'> & { readonly rows: readonly ImportRow[] };

/** Fields that are kept with an order unchanged. */
const KEPT_FIELDS = ['article', 'customer', 'quantity'] as const;

/** The orders with their other columns, and how the files were read. */
function bookOf(
  table: ImportTable,
  orders: readonly ReadOrder[],
  routings: readonly ImportTable[],
): OrderBook {
  const { file } = table;
  const dropped: DroppedColumn[] = [];
  const drop = (heading: string, reason: DroppedColumn['reason'], at = file) =>
    dropped.push({ file: at, heading, reason });
  const columns: { readonly heading: string; readonly texts: readonly string[] }[] = [];
  const keep = (heading: string, cell: (row: ImportRow) => string) => {
    const said = orders.map(({ rows }) => new Set(rows.map(cell).filter((text) => text !== '')));
    if (said.every(({ size }) => size === 0)) drop(heading, 'is empty');
    else if (said.some(({ size }) => size > 1)) drop(heading, 'differs within an order');
    else columns.push({ heading, texts: said.map(([text = '']) => detailText(text)) });
  };
  for (const field of KEPT_FIELDS)
    if (table.fields.has(field)) keep(field, (row) => row.text(field));
  for (const heading of table.others) keep(heading, (row) => row.other(heading));
  for (const routing of routings) {
    for (const heading of routing.others) {
      drop(heading, 'is of a routing, not of an order', routing.file);
    }
  }
  return {
    orders: orders.map(({ rows: _rows, ...order }, i) => {
      const said = columns.filter(({ texts }) => texts[i] !== '');
      const details = Object.fromEntries(said.map(({ heading, texts }) => [heading, texts[i]]));
      return { ...order, details };
    }),
    kept: columns.map(({ heading }) => heading),
    dropped,
    encodings: [table, ...routings].filter(({ encoding }) => encoding !== 'UTF-8'),
  };
}

/** Orders of a file with a row for each operation. The data of an order are in one of its rows, or repeated in all. */
function readOperationsByOrder(table: ImportTable): ReadOrder[] {
  requireColumns(table, ['order', 'machine']);
  requireTimes(table);
  return Array.from(groupRows(table, 'order'), ([name, rows]) => {
    const [row] = rows;
    const said = (field: ImportField) => findAgreedRow(rows, field);
    const quantity = quantityOf(said('quantity'));
    return {
      name,
      row,
      rows,
      release: said('release')?.text('release') ?? '',
      due: said('due')?.text('due') ?? '',
      weight: weightOf(said('weight')),
      operations: sortBySteps(rows).map((group) => readOperation(group, undefined, quantity)),
    };
  });
}

/** Orders of a file with a row for each, with the operations of their article. */
function joinRoutings(orders: ImportTable, routings: ImportTable): ReadOrder[] {
  requireColumns(orders, ['order', 'article']);
  requireColumns(routings, ['article', 'machine']);
  requireTimes(routings);
  const rowsOf = groupRows(routings, 'article');
  return Array.from(groupRows(orders, 'order'), ([name, [row, again]]) => {
    if (again !== undefined) {
      throw again.error(`it is also in line ${row.line}`, 'give each order one row');
    }
    const article = row.text('article');
    const rows = rowsOf.get(article);
    if (rows === undefined) {
      const problem = `there is no routing of the article ${JSON.stringify(article)} in ${routings.file}`;
      throw row.error(problem, 'add its operations there, or correct the article');
    }
    const quantity = quantityOf(row);
    return {
      name,
      row,
      rows: [row],
      release: row.text('release'),
      due: row.text('due'),
      weight: weightOf(row),
      operations: sortBySteps(rows).map((group) => readOperation(group, row, quantity)),
    };
  });
}

function readOperation(
  rows: readonly ImportRow[],
  orderRow: ImportRow | undefined,
  quantity: number,
): ShopOperation {
  const [row] = rows;
  const said = (field: ImportField) => findAgreedRow(rows, field)?.text(field) ?? '';
  const ways = rows.map((one) => readWay(one, orderRow ?? one, quantity));
  return { row, name: row.text('operation'), step: row.text('step'), said, ways };
}

function readWay(row: ImportRow, orderRow: ImportRow, quantity: number): ShopWay {
  const machines = alternativesIn(row.text('machine'));
  if (machines.length === 0)
    throw row.error('the machine is missing', 'name one', missing('machine'));
  const fixed = row.number('duration');
  const setup = row.number('setup');
  const each = row.number('per_piece');
  if (fixed === undefined && setup === undefined && each === undefined) {
    throw row.error(
      'there is no time',
      'give the time per piece and the setup, or the duration in all',
    );
  }
  if (fixed !== undefined && each !== undefined) {
    throw row.error(
      'there are a duration and a time per piece',
      'give the duration of the whole order, or what each piece takes',
    );
  }
  if (each !== undefined && quantity < 0) {
    const problem = 'there is no quantity, but a time per piece';
    throw orderRow.error(problem, 'give the number of pieces', missing('quantity'));
  }
  const time = (setup ?? 0) + (fixed ?? 0) + (each ?? 0) * Math.max(0, quantity);
  return { row, machines, time };
}

/**
 * The rows of each step, by step number, or in file order if there are none. Several rows of one step are its
 * alternatives.
 */
function sortBySteps(rows: readonly ImportRow[]): readonly (readonly ImportRow[])[] {
  if (rows.every((row) => row.text('step') === '')) return rows.map((row) => [row]);
  const groups = new Map<number, ImportRow[]>();
  for (const row of rows) {
    const step = row.number('step');
    if (step === undefined)
      throw row.error('the step is missing', 'number all steps, or none', missing('step'));
    const group = groups.get(step) ?? [];
    const twin = group.find((one) => one.text('machine') === row.text('machine'));
    if (twin !== undefined && twin.text('operator') === row.text('operator')) {
      const problem = `step ${step} is also in line ${twin.line}`;
      throw row.error(
        problem,
        'give each step a number of its own, or another machine as an alternative',
      );
    }
    const other = group.find((one) => one.text('operation') !== row.text('operation'));
    if (other !== undefined) {
      const problem = `step ${step} is also in line ${other.line}, with another operation`;
      throw row.error(
        problem,
        'give each step a number of its own; alternatives have the same operation',
      );
    }
    group.push(row);
    groups.set(step, group);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

/** The rows grouped by the value of a field, in the order of first occurrence. */
function groupRows(table: ImportTable, field: 'order' | 'article'): Map<string, ImportRow[]> {
  const groups = new Map<string, ImportRow[]>();
  for (const row of table.rows) {
    const key = row.text(field);
    if (key === '')
      throw row.error(`the ${field} is missing`, `name one in each row`, missing(field));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** The first row with a value of a field; all rows with a value must agree. */
function findAgreedRow(rows: readonly ImportRow[], field: ImportField): ImportRow | undefined {
  const saying = rows.filter((row) => row.text(field) !== '');
  const other = saying.find((row) => row.text(field) !== saying[0].text(field));
  if (other === undefined) return saying[0];
  const [first] = saying;
  throw other.error(
    `the ${wordsOfField(field)} is ${JSON.stringify(other.text(field))}, and ${JSON.stringify(first.text(field))} in line ${first.line}`,
    'say the same in all rows of an order, or say it once',
  );
}

/** The number of pieces of an order; −1 if not given. */
function quantityOf(row: ImportRow | undefined): number {
  const quantity = row?.number('quantity');
  if (quantity === 0) throw (row as ImportRow).error('the quantity is 0', 'leave the order out');
  return quantity ?? -1;
}

function weightOf(row: ImportRow | undefined): number | undefined {
  const weight = row?.number('weight');
  if (row === undefined || weight === undefined || Number.isInteger(weight)) return weight;
  throw row.error(`the weight is ${row.text('weight')}`, 'give a whole number');
}

function requireColumns({ fields, rows, file }: ImportTable, wanted: readonly ImportField[]): void {
  const missing = wanted.find((field) => !fields.has(field));
  if (missing === undefined) return;
  throw new InputError(
    'bad_order',
    `there is no column for the ${wordsOfField(missing)}`,
    'add one, or name its heading in a mapping',
    { file, line: rows[0].line - 1 },
  );
}

function requireTimes(table: ImportTable): void {
  if (table.fields.has('duration') || table.fields.has('setup')) return;
  requireColumns(table, ['per_piece']);
}

/** The facts of an error about an empty cell. */
function missing(field: ImportField) {
  return { why: 'missing', field };
}
