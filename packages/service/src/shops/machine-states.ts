import { labelsOf, type ReportedDowntime, reportedEnd } from 'alas-jssp/internal/service';
import { type Instance, machineSequences, type Schedule } from 'alas-jssp/jssp';
import type { ShopStateAnswer } from '../api/shop-schemas.js';
import { wireOperation, wireTime } from '../api/wire.js';

type MachineState = ShopStateAnswer['machine_states'][number];
type ShopCalendar = Instance['calendar'];

/** The downtimes of a shop. */
interface ShopDowntimes {
  /** All known downtimes, also those of a waiting proposal. */
  readonly known: ShopCalendar;
  /** The downtimes of the shop when it was opened: nights and breaks. */
  readonly planned: ShopCalendar;
  readonly reported: readonly ReportedDowntime[];
}

/**
 * The states of the machines at a time: running and next operations, reported and planned downtimes. A breakdown
 * within a break counts as a breakdown. O(N log N).
 */
export function machineStates(
  schedule: Schedule,
  now: number,
  next: number,
  downtimes: ShopDowntimes,
): MachineState[] {
  const { instance, start, end } = schedule;
  const { timeScale, machineOffset, machines } = instance;
  const sequences = machineSequences(schedule);
  const labels = labelsOf(instance);
  return Array.from({ length: machines }, (_, k): MachineState => {
    const sequence = [...sequences.subarray(machineOffset[k], machineOffset[k + 1])];
    const running = sequence.findLast((op) => start[op] <= now && end[op] > now);
    const coming = sequence.filter((op) => start[op] > now).slice(0, next);
    const stopped = stopOf(downtimes, k, labels.machine(k), now);
    const until = stopped && wireTime(timeScale, stopped.until);
    return {
      machine: labels.machine(k),
      status: stopped?.status ?? (running === undefined ? 'idle' : 'running'),
      running: running === undefined ? null : wireOperation(schedule, running),
      down_until: stopped?.status === 'down' ? (until ?? null) : null,
      closed_until: stopped?.status === 'closed' ? (until ?? null) : null,
      next: coming.map((op) => wireOperation(schedule, op)),
    };
  });
}

/** The reason and the end of a downtime of a machine at a time; undefined if it is available. */
function stopOf(
  { known, planned, reported }: ShopDowntimes,
  machine: number,
  label: string,
  now: number,
): { readonly status: 'down' | 'closed'; readonly until: number } | undefined {
  const until = downtimeEnd(known, machine, now);
  if (until === undefined) return undefined;
  const reportedUntil = reportedEnd(reported, label, now);
  if (reportedUntil !== undefined) return { status: 'down', until: reportedUntil };
  const closedUntil = downtimeEnd(planned, machine, now);
  if (closedUntil === undefined) return { status: 'down', until };
  return { status: 'closed', until: closedUntil };
}

function downtimeEnd(calendar: ShopCalendar, machine: number, now: number): number | undefined {
  if (calendar === null) return undefined;
  const { offset, from, to } = calendar;
  for (let i = offset[machine]; i < offset[machine + 1]; i++) {
    if (from[i] <= now && to[i] > now) return to[i];
  }
  return undefined;
}

/** A reported downtime in the API format. */
export function wireDowntime(
  scale: Instance['timeScale'],
  { machine, from, to, estimated }: ReportedDowntime,
): ShopStateAnswer['breakdowns'][number] {
  return {
    machine,
    from: wireTime(scale, from),
    to: wireTime(scale, to),
    estimated,
    from_units: from,
    to_units: to,
  };
}
