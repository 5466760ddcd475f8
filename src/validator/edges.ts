import type { Instance } from '../jssp/instance.js';

/** The faults of the order of a job: too early, before the transport or the least lag is over, after the greatest lag. */
type EdgeFault = 'job_precedence' | 'lag_too_short' | 'lag_too_long';

/** Receives each fault: the operation and its predecessor. */
export type EdgeListener = (fault: EdgeFault, op: number, other: number) => void;

/**
 * Checks the times between the operations of jobs with transport or a precedence graph. Operations without a usable
 * start are skipped. In a chain, their neighbours are compared with each other, except for transport.
 *
 * @param ends N completion times, −1 without a usable start
 */
export function inspectEdges(
  instance: Instance,
  starts: Int32Array,
  ends: Int32Array,
  report: EdgeListener,
): void {
  if (instance.precedence === null) inspectChains(instance, starts, ends, report);
  else inspectGraphs(instance, starts, ends, report);
}

function inspectChains(
  instance: Instance,
  starts: Int32Array,
  ends: Int32Array,
  report: EdgeListener,
): void {
  const { jobs, jobOffset, machine, machines, transport } = instance;
  for (let job = 0; job < jobs; job++) {
    let previous = -1;
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      if (ends[op] < 0) continue;
      if (previous >= 0) {
        const wait = starts[op] - ends[previous];
        if (wait < 0) report('job_precedence', op, previous);
        else if (transport !== null && previous === op - 1) {
          const moved = transport.time[machine[previous] * machines + machine[op]];
          if (wait < moved) report('lag_too_short', op, previous);
        }
      }
      previous = op;
    }
  }
}

function inspectGraphs(
  { operations, machine, machines, transport, precedence }: Instance,
  starts: Int32Array,
  ends: Int32Array,
  report: EdgeListener,
): void {
  if (precedence === null) return;
  const { offset, pred, minLag, maxLag } = precedence;
  for (let op = 0; op < operations; op++) {
    if (ends[op] < 0) continue;
    for (let edge = offset[op]; edge < offset[op + 1]; edge++) {
      const other = pred[edge];
      if (ends[other] < 0) continue;
      const wait = starts[op] - ends[other];
      const moved =
        transport === null ? 0 : transport.time[machine[other] * machines + machine[op]];
      if (wait < 0) report('job_precedence', op, other);
      else if (wait < moved + minLag[edge]) report('lag_too_short', op, other);
      if (maxLag[edge] >= 0 && wait > moved + maxLag[edge]) report('lag_too_long', op, other);
    }
  }
}

/**
 * The time at which everything that an operation needs from its predecessors is at its machine, with the least lags; 0
 * without any. Predecessors without a usable start do not count.
 */
export function arrivalOf(instance: Instance, op: number, ends: Int32Array): number {
  const { precedence, transport, machine, machines, jobOffset, jobOf } = instance;
  const moved = (from: number): number =>
    transport === null ? 0 : transport.time[machine[from] * machines + machine[op]];
  if (precedence === null) {
    const other = op - 1;
    return op > jobOffset[jobOf[op]] && ends[other] >= 0 ? ends[other] + moved(other) : 0;
  }
  const { offset, pred, minLag } = precedence;
  let arrival = 0;
  for (let edge = offset[op]; edge < offset[op + 1]; edge++) {
    const other = pred[edge];
    if (ends[other] < 0) continue;
    arrival = Math.max(arrival, ends[other] + moved(other) + minLag[edge]);
  }
  return arrival;
}

/** The transport and the lags of the edge between two operations of a job. */
export function edgeBetween(
  { precedence, transport, machine, machines }: Instance,
  other: number,
  op: number,
): { readonly transport: number; readonly minLag: number; readonly maxLag: number } {
  const moved = transport === null ? 0 : transport.time[machine[other] * machines + machine[op]];
  if (precedence === null) return { transport: moved, minLag: 0, maxLag: -1 };
  const edge = precedence.pred.indexOf(other, precedence.offset[op]);
  return { transport: moved, minLag: precedence.minLag[edge], maxLag: precedence.maxLag[edge] };
}
