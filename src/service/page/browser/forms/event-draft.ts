import type { ScheduleView } from '../../../../harness/page/schedule-data.js';
import { machineOrder } from '../../../../report/page/browser/gantt/chart-rows.js';
import type { ShopWords } from '../live/shop-words.js';

/** Events that can be reported on the page. */
export type DraftKind =
  | 'breakdown'
  | 'maintenance'
  | 'restored'
  | 'duration'
  | 'delay'
  | 'arrival'
  | 'cancellation';

/** An operation of an order that comes. Durations are null until they are given, and in units of the shop. */
export interface DraftOperation {
  readonly name: string;
  readonly machine: number;
  readonly duration: number | null;
}

/** An operation of which nothing is known yet. */
export const EMPTY_OPERATION: DraftOperation = { name: '', machine: 0, duration: null };

/** An event as a form has it: everything that any kind needs, so that another kind keeps what was said. */
export interface EventDraft {
  readonly kind: DraftKind;
  readonly machine: number;
  readonly job: number;
  /** The operation that it is about; −1 for none. */
  readonly operation: number;
  /** How long a machine is down; null: nobody knows. */
  readonly downFor: number | null;
  /** When maintenance begins and ends: as {@link due}. */
  readonly from: string;
  readonly until: string;
  readonly resumable: boolean;
  /** How much longer an operation takes, or how long material is waited for. */
  readonly longer: number | null;
  readonly name: string;
  /** As the form has it: a number, or a time on the wall; empty for none. */
  readonly due: string;
  readonly weight: number;
  readonly operations: readonly DraftOperation[];
  /** How long after the last event it happened, in a shop without a clock; null: at once. */
  readonly after: number | null;
}

/** A draft of an event about a machine, or an operation. */
export function newDraft(
  kind: DraftKind,
  view: ScheduleView,
  { jobOf }: ShopWords,
  about: { readonly machine?: number; readonly operation?: number; readonly now: number },
): EventDraft {
  const { operation = -1, now } = about;
  const job = operation >= 0 ? jobOf[operation] : (openJobs(view, now)[0] ?? 0);
  return {
    kind,
    machine: about.machine ?? (operation >= 0 ? view.machine[operation] : machineOrder(view)[0]),
    job,
    operation: operation >= 0 ? operation : (openOperations(view, job, now)[0] ?? -1),
    downFor: null,
    from: '',
    until: '',
    resumable: true,
    longer: null,
    name: '',
    due: '',
    weight: 1,
    operations: [EMPTY_OPERATION],
    after: null,
  };
}

/** Jobs with operations that are not done. */
export function openJobs(view: ScheduleView, now: number): number[] {
  return Array.from({ length: view.jobs }, (_, job) => job).filter(
    (job) => openOperations(view, job, now).length > 0,
  );
}

/** The operations of a job that are not done, in their order. */
export function openOperations(
  { jobOffset, end }: ScheduleView,
  job: number,
  now: number,
): number[] {
  const count = jobOffset[job + 1] - jobOffset[job];
  return Array.from({ length: count }, (_, step) => jobOffset[job] + step).filter(
    (op) => end[op] > now,
  );
}

/**
 * The event of a draft in the form of requests; null while something is missing. It happens when it is reported: the
 * service says when that is.
 */
export function eventOf(
  draft: EventDraft,
  view: ScheduleView,
  words: ShopWords,
  now: number,
): object | null {
  const { kind, longer, operation } = draft;
  const machine = words.machineLabel(draft.machine);
  const job = words.jobLabel(draft.job);
  const step = operation - view.jobOffset[draft.job] + 1;
  switch (kind) {
    case 'breakdown': {
      const end = draft.downFor === null ? {} : { to: now + draft.downFor };
      return { kind, machine, resumable: draft.resumable, ...end };
    }
    case 'maintenance': {
      const { from, until, resumable } = draft;
      if (from === '' || until === '') return null;
      const times = { from: timeOf(from, words), to: timeOf(until, words) };
      return { kind: 'breakdown', machine, resumable, ...times };
    }
    case 'restored':
      return { kind, machine };
    case 'duration': {
      if (longer === null || operation < 0) return null;
      const duration = workDurationOf(view, operation) + longer;
      return { kind, job, step, duration };
    }
    case 'delay':
      if (longer === null || operation < 0) return null;
      return { kind, job, step, until: now + longer };
    case 'arrival':
      return arrivalOf(draft, words);
    case 'cancellation':
      return { kind, job };
  }
}

/** The time that an operation works: without the downtimes that interrupt it. */
export function workDurationOf(
  { start, end, machine, downtimes }: ScheduleView,
  op: number,
): number {
  let time = end[op] - start[op];
  downtimes.machine.forEach((k, i) => {
    const [from, to] = [Math.max(downtimes.from[i], start[op]), Math.min(downtimes.to[i], end[op])];
    if (k === machine[op] && to > from) time -= to - from;
  });
  return time;
}

/** A time of a form as requests have it. */
function timeOf(text: string, { scale }: ShopWords): number | string {
  return scale === null ? Number(text) : text;
}

function arrivalOf(draft: EventDraft, words: ShopWords) {
  const { operations, weight, due } = draft;
  const name = draft.name.trim();
  if (operations.length === 0 || operations.some(({ duration }) => duration === null)) return null;
  const job = {
    ...(name === '' ? {} : { name }),
    operations: operations.map((one) => ({
      ...(one.name.trim() === '' ? {} : { name: one.name.trim() }),
      machine: words.machineLabel(one.machine),
      duration: one.duration,
    })),
    ...(due === '' ? {} : { due: timeOf(due, words) }),
    weight,
  };
  return { kind: 'arrival', job };
}
