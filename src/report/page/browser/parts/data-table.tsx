import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { NOTHING } from '../../../format.js';

/** A column of a table that readers can sort. */
export interface TableColumn<Row> {
  readonly key: string;
  readonly header: string;
  /** Meaning of the column, with its unit: shown on hover and to screen readers. */
  readonly about: string;
  /** Sort key of the rows; null comes last. */
  readonly value: (row: Row) => number | string | null;
  /** Default: the value itself. */
  readonly show?: (row: Row) => ComponentChild;
  /** Hidden on phones, unless the reader selects all columns. */
  readonly minor?: boolean;
  /** Whether low values come first; default true. */
  readonly ascending?: boolean;
}

/** The texts of a table besides its caption and headers. */
interface TableTexts {
  readonly nothing: (caption: string) => string;
  readonly fewer: string;
  readonly allColumns: string;
  readonly allRows: (rows: number) => string;
}

const ENGLISH: TableTexts = {
  nothing: (caption) => `${caption}: nothing to show.`,
  fewer: 'fewer columns',
  allColumns: 'all columns',
  allRows: (rows) => `show all ${rows} rows`,
};

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly id: (row: Row) => string;
  /** Column that the table is sorted by at first; default: the order of the rows. */
  readonly sortBy?: string;
  /** Rows that are shown at first. */
  readonly most?: number;
  readonly mark?: (row: Row) => string | undefined;
  /** Default: English. */
  readonly texts?: TableTexts;
}

interface Order {
  readonly key: string;
  readonly ascending: boolean;
}

/** A table that can be sorted by its columns, and shows only the first rows of many. */
export function DataTable<Row>(props: Props<Row>) {
  const { caption, columns, rows, id, sortBy, most = 50, mark, texts = ENGLISH } = props;
  const [order, setOrder] = useState<Order | null>(
    sortBy === undefined ? null : { key: sortBy, ascending: true },
  );
  const [isWhole, setWhole] = useState(false);
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    // Paper has no button for the hidden rows.
    const showAll = () => setWhole(true);
    addEventListener('beforeprint', showAll);
    return () => removeEventListener('beforeprint', showAll);
  }, []);
  const sorted = useMemo(() => sortRows(rows, columns, order), [rows, columns, order]);
  const shown = isWhole ? sorted : sorted.slice(0, most);
  if (rows.length === 0) return <p class="empty">{texts.nothing(caption)}</p>;
  return (
    <div class={isWide ? 'table wide' : 'table'}>
      {columns.some(({ minor }) => minor) && (
        <button type="button" class="phones" onClick={() => setWide(!isWide)}>
          {isWide ? texts.fewer : texts.allColumns}
        </button>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={caption}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeaderCell
                  key={column.key}
                  column={column}
                  isText={isText(column, rows)}
                  order={order}
                  sort={setOrder}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={id(row)} class={mark?.(row)}>
                {columns.map((column) => (
                  <DataCell key={column.key} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {sorted.length > shown.length && (
        <button type="button" onClick={() => setWhole(true)}>
          {texts.allRows(sorted.length)}
        </button>
      )}
    </div>
  );
}

interface HeaderProps<Row> {
  readonly column: TableColumn<Row>;
  readonly isText: boolean;
  readonly order: Order | null;
  readonly sort: (order: Order) => void;
}

function HeaderCell<Row>({ column, isText, order, sort }: HeaderProps<Row>) {
  const { key, header, about, minor, ascending = true } = column;
  const isSorted = order?.key === key;
  const next = isSorted ? !order.ascending : ascending;
  const sign = isSorted ? (order.ascending ? ' ▲' : ' ▼') : '';
  return (
    <th
      scope="col"
      class={classOf(minor, isText)}
      aria-sort={isSorted ? (order.ascending ? 'ascending' : 'descending') : undefined}
    >
      <button type="button" title={about} onClick={() => sort({ key, ascending: next })}>
        {header}
        {sign}
      </button>
    </th>
  );
}

function DataCell<Row>({
  column: { value, show, minor },
  row,
}: {
  column: TableColumn<Row>;
  row: Row;
}) {
  const raw = value(row);
  return <td class={classOf(minor, typeof raw === 'string')}>{show?.(row) ?? raw ?? NOTHING}</td>;
}

function classOf(minor: boolean | undefined, isText: boolean): string | undefined {
  const names = [minor ? 'minor' : '', isText ? '' : 'number'].filter((name) => name !== '');
  return names.length === 0 ? undefined : names.join(' ');
}

function isText<Row>({ value }: TableColumn<Row>, rows: readonly Row[]): boolean {
  return rows.some((row) => typeof value(row) === 'string');
}

const { compare } = new Intl.Collator('en', { numeric: true });

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  order: Order | null,
): readonly Row[] {
  const column = columns.find(({ key }) => key === order?.key);
  if (column === undefined || order === null) return rows;
  const sign = order.ascending ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [one, other] = [column.value(a), column.value(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
    return sign * compare(String(one), String(other));
  });
}
