import type { ScheduleView } from 'alas-jssp/page';

/** An order in the list. */
export interface OrderRow {
  readonly job: number;
  /** The running or the next operation; the last one of a finished order, −1 for an order without operations. */
  readonly operation: number;
  readonly status: 'done' | 'running' | 'waiting';
  readonly end: number | null;
  readonly due: number | null;
  /** The time from the end to the due date; negative: late. */
  readonly slack: number | null;
  /** The cost per unit of lateness. */
  readonly weight: number;
  /** Other attributes, such as the customer. */
  readonly details: Readonly<Record<string, string>>;
}

/** The orders of a schedule at a time, by number. */
export function ordersAt(view: ScheduleView, now: number): OrderRow[] {
  const { jobs, jobOffset, start, end, due, weight, names } = view;
  return Array.from({ length: jobs }, (_, job): OrderRow => {
    const [first, stop] = [jobOffset[job], jobOffset[job + 1]];
    let operation = first;
    while (operation < stop - 1 && end[operation] <= now) operation++;
    const last = stop > first ? end[stop - 1] : null;
    const dueTime = due === null || due[job] < 0 ? null : due[job];
    const hasBegun = stop > first && start[first] >= 0 && start[first] <= now;
    return {
      job,
      operation: stop > first ? operation : -1,
      status: last === null || last <= now ? 'done' : hasBegun ? 'running' : 'waiting',
      end: last,
      due: dueTime,
      slack: dueTime === null || last === null ? null : dueTime - last,
      weight: weight?.[job] ?? 1,
      details: names?.details?.[job] ?? {},
    };
  });
}

/** The orders that a list shows. */
export type OrderFilter = 'open' | 'late' | 'all';

/** The orders that match a filter and a search; each word of the search must be in the name or in an attribute. */
export function filterOrders(
  orders: readonly OrderRow[],
  filter: OrderFilter,
  search: string,
  name: (job: number) => string,
): OrderRow[] {
  const wanted = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return orders.filter((order) => {
    if (filter === 'open' && order.status === 'done') return false;
    if (filter === 'late' && !(order.slack !== null && order.slack < 0)) return false;
    const text = [name(order.job), ...Object.values(order.details)].join('\n').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** The names of the attributes of orders, by first appearance. */
export function detailHeadings(orders: readonly OrderRow[]): string[] {
  return [...new Set(orders.flatMap(({ details }) => Object.keys(details)))];
}
