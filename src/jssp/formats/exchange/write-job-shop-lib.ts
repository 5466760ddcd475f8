import type { Instance } from '../../instance.js';
import { joinLines } from '../join-lines.js';
import { METADATA_KEY } from './job-shop-lib.js';
import type { FormatLoss } from './losses.js';

/** An instance in the format of another program, and the parts that it does not have there. */
export interface WrittenInstance {
  readonly text: string;
  readonly losses: readonly FormatLoss[];
}

/** Writes an instance as job_shop_lib reads it: `JobShopInstance.from_matrices(**json.load(file))`. */
export function writeJobShopLib(instance: Instance): WrittenInstance {
  return { text: `${describeJobShopLib(instance)}\n`, losses: jobShopLibLosses(instance) };
}

/** The text of an instance without a line end, which is also a part of a schedule. */
export function describeJobShopLib(instance: Instance): string {
  const { name, machines, jobs, jobOffset, machine, duration, release, modes } = instance;
  const rows = (key: string, cell: (op: number) => unknown) => {
    const row = (job: number) =>
      JSON.stringify(
        Array.from({ length: jobOffset[job + 1] - jobOffset[job] }, (_, i) =>
          cell(jobOffset[job] + i),
        ),
      );
    return `"${key}":[\n${joinLines(jobs, ',\n', row)}\n]`;
  };
  const isLast = (op: number) => op + 1 === jobOffset[instance.jobOf[op] + 1];
  const dates = (list: Int32Array) => (op: number) => {
    const date = isLast(op) ? list[instance.jobOf[op]] : -1;
    return date < 0 ? null : date;
  };
  const choice = (op: number) =>
    Array.from(new Set(modes?.machine.subarray(modes.offset[op], modes.offset[op + 1])));
  const used = (modes?.machine ?? machine).reduce((most, k) => Math.max(most, k), -1) + 1;
  const metadata = used < machines ? { [METADATA_KEY]: { machines } } : {};
  const { deadline, due } = instance;
  const parts = [
    `"name":${JSON.stringify(name)}`,
    rows('duration_matrix', (op) => duration[op]),
    rows('machines_matrix', modes === null ? (op) => machine[op] : choice),
    `"metadata":${JSON.stringify(metadata)}`,
    ...(release === null ? [] : [rows('release_dates_matrix', (op) => release[op])]),
    ...(deadline === null ? [] : [rows('deadlines_matrix', dates(deadline))]),
    ...(due === null ? [] : [rows('due_dates_matrix', dates(due))]),
  ];
  return `{${parts.join(',\n')}}`;
}

/** The parts of an instance that job_shop_lib does not have. */
export function jobShopLibLosses(instance: Instance): FormatLoss[] {
  const { weight, frozen, calendar, modes } = instance;
  const { setups, transport, precedence, resources, jobs, jobOffset, due, deadline } = instance;
  const losses: FormatLoss[] = [];
  const add = (feature: FormatLoss['feature'], effect: FormatLoss['effect'], note: string) =>
    losses.push({ feature, effect, note });
  if (modes !== null && hasUnequalModes(instance)) {
    add('alternatives', 'looser', 'the machines of an operation have one duration there');
  }
  if (frozen !== null) add('frozen', 'looser', 'starts cannot be frozen');
  if (calendar !== null) add('downtimes', 'looser', 'machines have no downtimes');
  if (setups !== null) add('setups', 'looser', 'instances have no setups');
  if (transport !== null) add('transport', 'looser', 'there are no transport times');
  if (precedence !== null)
    add('precedence', 'looser', 'the operations of a job are a chain without lags');
  if (resources !== null) add('resources', 'looser', 'there are no operators and tools');
  if (weight !== null) add('weights', 'none', 'the weights of jobs are not written');
  for (let job = 0; job < jobs; job++) {
    if (jobOffset[job] < jobOffset[job + 1]) continue;
    if ((due?.[job] ?? -1) >= 0)
      add('due-dates', 'none', `job ${job + 1} has no operation for its due date`);
    if ((deadline?.[job] ?? -1) >= 0)
      add('deadlines', 'none', `job ${job + 1} has no operation for its deadline`);
  }
  if (instance.duration.includes(0)) {
    add('zero-durations', 'stricter', 'operations of duration 0 occupy their machine there');
  }
  return [...losses, ...labelLosses(instance)];
}

/** The losses of a format of numbers, which has no names and no clock. */
export function labelLosses({ names, timeScale }: Instance): FormatLoss[] {
  const losses: FormatLoss[] = [];
  const add = (feature: FormatLoss['feature'], note: string) =>
    losses.push({ feature, effect: 'none', note });
  if (names !== null) add('names', 'names and details are not written');
  if (timeScale !== null) add('time-scale', 'the clock is not written: times are numbers');
  return losses;
}

/** Whether an operation has modes with several durations, or several modes on one machine. */
function hasUnequalModes({ modes, operations }: Instance): boolean {
  if (modes === null) return false;
  for (let op = 0; op < operations; op++) {
    const [first, stop] = [modes.offset[op], modes.offset[op + 1]];
    const machines = new Set(modes.machine.subarray(first, stop));
    if (machines.size < stop - first) return true;
    if (new Set(modes.duration.subarray(first, stop)).size > 1) return true;
  }
  return false;
}
