import { DataTable, type TableColumn } from 'alas-jssp/page/parts';
import { useMemo, useState } from 'preact/hooks';
import {
  detailHeadings,
  filterOrders,
  type OrderFilter,
  type OrderRow,
  ordersAt,
} from '../live/orders.js';
import type { FollowedShop } from '../live/shop-feed.js';
import type { ShopWords } from '../live/shop-words.js';
import { texts } from '../texts.js';

interface Props {
  readonly shop: FollowedShop;
  readonly now: number;
  readonly words: ShopWords;
  /** Shows an operation in the chart. */
  readonly select: (operation: number) => void;
}

/**
 * The orders of a shop with their due dates, searched, filtered and sorted; each links to its operation in the chart.
 */
export function OrderList({ shop: { followed }, now, words, select }: Props) {
  const { orders: text } = texts;
  const [filter, setFilter] = useState<OrderFilter>('open');
  const [search, setSearch] = useState('');
  const orders = useMemo(() => ordersAt(followed, now), [followed, now]);
  const late = orders.filter(({ slack }) => slack !== null && slack < 0).length;
  const shown = filterOrders(orders, filter, search, words.job);
  return (
    <section class="orders">
      <h2>{text.heading(late)}</h2>
      <div class="order-tools">
        <input
          type="search"
          value={search}
          placeholder={text.search}
          aria-label={text.search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <select
          value={filter}
          aria-label={text.filter}
          onChange={({ currentTarget }) => setFilter(currentTarget.value as OrderFilter)}
        >
          {(['open', 'late', 'all'] as const).map((one) => (
            <option key={one} value={one}>
              {text.filters[one]}
            </option>
          ))}
        </select>
      </div>
      {shown.length === 0 && <p class="quiet">{text.none}</p>}
      {shown.length > 0 && (
        <DataTable
          caption={text.caption(shown.length, orders.length)}
          columns={columnsOf(orders, words, select)}
          rows={shown}
          id={({ job }) => String(job)}
          sortBy="slack"
          most={25}
          mark={({ slack }) => (slack !== null && slack < 0 ? 'late' : undefined)}
          texts={texts.table}
        />
      )}
    </section>
  );
}

function columnsOf(
  orders: readonly OrderRow[],
  words: ShopWords,
  select: Props['select'],
): TableColumn<OrderRow>[] {
  const { orders: text } = texts;
  const time = (value: number | null) => (value === null ? text.never : words.time(value));
  return [
    {
      key: 'order',
      header: text.order,
      about: text.about.order,
      value: ({ job }) => words.job(job),
      show: ({ job, operation }) => (
        <button type="button" class="jump" onClick={() => select(operation)}>
          {words.job(job)}
        </button>
      ),
    },
    {
      key: 'status',
      header: text.status,
      about: text.about.status,
      value: ({ status }) => text.statuses[status],
      minor: true,
    },
    {
      key: 'due',
      header: text.due,
      about: text.about.due,
      value: ({ due }) => due,
      show: ({ due }) => time(due),
    },
    {
      key: 'end',
      header: text.end,
      about: text.about.end,
      value: ({ end }) => end,
      show: ({ end }) => time(end),
      minor: true,
    },
    {
      key: 'slack',
      header: text.slack,
      about: text.about.slack,
      value: ({ slack }) => slack,
      show: ({ slack }) => {
        if (slack === null) return text.never;
        if (slack >= 0) return words.duration(slack);
        return <strong class="warn">{text.late(words.duration(-slack))}</strong>;
      },
    },
    ...detailHeadings(orders).map(
      (heading): TableColumn<OrderRow> => ({
        key: `detail ${heading}`,
        header: text.details[heading] ?? heading,
        about: text.about.detail(heading),
        value: ({ details }) => details[heading] ?? null,
        minor: true,
      }),
    ),
  ];
}
