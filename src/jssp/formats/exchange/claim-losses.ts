import { operationAt, type Plan } from '../../plan.js';
import type { Schedule } from '../../schedule.js';
import type { FormatLoss } from './losses.js';

/** The claims of a plan that its schedule does not have: formats of schedules make another plan of a wrong one. */
export function claimLosses(
  plan: Plan,
  { instance, start, end, makespan }: Schedule,
): FormatLoss[] {
  const { machine, modes } = instance;
  const seen = new Set<number>();
  let [unwritten, changed] = [0, 0];
  for (const entry of plan.entries) {
    const op = operationAt(instance, entry.job, entry.step);
    if (op < 0 || seen.has(op) || start[op] !== entry.start) unwritten++;
    else if (machine[op] !== entry.machine || end[op] !== entry.end) changed++;
    else if (modes !== null && entry.mode !== undefined) {
      if (modes.chosen[op] - modes.offset[op] !== entry.mode) changed++;
    }
    seen.add(op);
  }
  const losses: FormatLoss[] = [];
  const add = (note: string) => losses.push({ feature: 'claims', effect: 'none', note });
  if (unwritten > 0) {
    add(`entries without an operation or a time of their own are not written: ${unwritten}`);
  }
  if (changed > 0) {
    add(`entries with another machine or end than the shop's get those of the shop: ${changed}`);
  }
  const claimed = plan.makespan ?? null;
  if (claimed !== null && claimed !== makespan) {
    add(`the claimed makespan, ${claimed}, is not written`);
  }
  return losses;
}

/** The loss of a format of entries without a makespan, if it is not the end of the last one. */
export function makespanLosses({ entries, makespan }: Plan): FormatLoss[] {
  const claimed = makespan ?? null;
  if (claimed === null) return [];
  if (claimed === entries.reduce((latest, { end }) => Math.max(latest, end), 0)) return [];
  const note = `the claimed makespan, ${claimed}, is not written`;
  return [{ feature: 'claims', effect: 'none', note }];
}
