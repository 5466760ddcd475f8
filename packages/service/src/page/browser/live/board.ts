import { type DowntimeColumns, machineOrder, type ScheduleView } from 'alas-jssp/page';
import type { ShopStateAnswer } from '../../../api/shop-schemas.js';

/** Reported downtimes that are not over. */
export type Breakdowns = ShopStateAnswer['breakdowns'];

/** The label of a machine in answers. */
function labelOf({ names }: ScheduleView, machine: number): string {
  return names?.machines?.[machine] || `Machine${machine}`;
}

/** The state of a machine at a time: `down` is broken, `closed` is outside of its shifts. */
export interface MachineNow {
  readonly machine: number;
  readonly status: 'running' | 'idle' | 'down' | 'closed';
  /** The operation that has started and is not finished; −1 for none. */
  readonly running: number;
  /** The end of the current downtime; null for none. */
  readonly until: number | null;
  /** The next operations, in order. */
  readonly next: readonly number[];
}

/**
 * The states of the machines at a time, in a schedule.
 *
 * @param facts the schedule with the known downtimes: a proposal includes breakdowns that wait for a decision
 */
export function machinesAt(
  view: ScheduleView,
  plan: ScheduleView,
  now: number,
  most: number,
  facts: ScheduleView = view,
  breakdowns: Breakdowns = [],
): MachineNow[] {
  const machines = Array.from({ length: view.machines }, () => ({
    running: -1,
    next: [] as number[],
  }));
  view.start.forEach((start, op) => {
    const machine = machines[view.machine[op]];
    if (start > now) machine.next.push(op);
    else if (start >= 0 && view.end[op] > now) machine.running = op;
  });
  return machineOrder(view).map((machine) => {
    const { running, next } = machines[machine];
    const downtime = downtimeEnd(facts, machine, now);
    const broken = reportedEnd(breakdowns, labelOf(view, machine), now);
    const closed = downtimeEnd(plan, machine, now);
    const isClosed = downtime !== null && broken === undefined && closed !== null;
    const until = downtime === null ? null : isClosed ? closed : (broken ?? downtime);
    const works = running >= 0 ? 'running' : 'idle';
    const status = until === null ? works : isClosed ? 'closed' : 'down';
    next.sort((a, b) => view.start[a] - view.start[b]);
    return { machine, status, running, until, next: next.slice(0, most) };
  });
}

/** The end of the last reported breakdown of a machine that is not over at a time; undefined if there is none. */
function reportedEnd(breakdowns: Breakdowns, label: string, now: number): number | undefined {
  const current = breakdowns.filter(
    ({ machine, from_units, to_units }) => machine === label && from_units <= now && now < to_units,
  );
  return current.length === 0 ? undefined : Math.max(...current.map(({ to_units }) => to_units));
}

/** Reported downtimes in the format of the chart. */
export function brokenTimes(view: ScheduleView, breakdowns: Breakdowns): DowntimeColumns {
  const labels = Array.from({ length: view.machines }, (_, k) => labelOf(view, k));
  return {
    machine: breakdowns.map(({ machine }) => labels.indexOf(machine)),
    from: breakdowns.map(({ from_units }) => from_units),
    to: breakdowns.map(({ to_units }) => to_units),
    resumable: breakdowns.map(() => true),
  };
}

function downtimeEnd({ downtimes }: ScheduleView, machine: number, now: number): number | null {
  const { from, to } = downtimes;
  const at = downtimes.machine.findIndex((k, i) => k === machine && from[i] <= now && now < to[i]);
  return at < 0 ? null : to[at];
}
