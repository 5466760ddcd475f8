import { machineOrder, type ScheduleView } from 'alas-jssp/page';
import type { ShopWords } from '../live/shop-words.js';

/** The kinds of events in the report form. */
export type DraftKind =
  | 'breakdown'
  | 'maintenance'
  | 'restored'
  | 'duration'
  | 'delay'
  | 'arrival'
  | 'cancellation'
  | 'capacity'
  | 'alternative';

/** An operation of an arriving order. Durations are in units of the shop; null until they are entered. */
export interface DraftOperation {
  readonly name: string;
  readonly machine: number;
  readonly duration: number | null;
}

/** An operation without input. */
export const EMPTY_OPERATION: DraftOperation = { name: '', machine: 0, duration: null };

/** The draft of an event. It has the fields of all kinds, so that a change of the kind keeps the input. */
export interface EventDraft {
  readonly kind: DraftKind;
  readonly machine: number;
  readonly job: number;
  /** The affected operation; −1 for none. */
  readonly operation: number;
  /** The downtime of a machine; null: unknown. */
  readonly downFor: number | null;
  /** The begin and the end of maintenance, in the format of {@link due}. */
  readonly from: string;
  readonly until: string;
  readonly resumable: boolean;
  /** The operator or tool of which there is less, −1 for none, and the number that is left. */
  readonly resource: number;
  readonly left: number;
  /** The additional duration of an operation, or the wait for material; its duration on another machine. */
  readonly longer: number | null;
  readonly name: string;
  /** The input of the form: a number, or a local time; empty for none. */
  readonly due: string;
  readonly weight: number;
  readonly operations: readonly DraftOperation[];
  /** The time since the last event, in a shop without a clock; null: none. */
  readonly after: number | null;
}

/** Creates the draft of an event for a machine or an operation. */
export function newDraft(
  kind: DraftKind,
  view: ScheduleView,
  { jobOf }: ShopWords,
  about: {
    readonly machine?: number;
    readonly operation?: number;
    readonly resource?: number;
    readonly now: number;
  },
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
    resource: about.resource ?? (view.resources === null ? -1 : 0),
    left: 0,
    longer: null,
    name: '',
    due: '',
    weight: 1,
    operations: [EMPTY_OPERATION],
    after: null,
  };
}

/** Jobs with unfinished operations. */
export function openJobs(view: ScheduleView, now: number): number[] {
  return Array.from({ length: view.jobs }, (_, job) => job).filter(
    (job) => openOperations(view, job, now).length > 0,
  );
}

/** The unfinished operations of a job, in their order. */
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

/** The operations of the draft's job to which its event can happen. */
export function fittingOperations(
  { kind, job }: Pick<EventDraft, 'kind' | 'job'>,
  view: ScheduleView,
  now: number,
): number[] {
  const open = openOperations(view, job, now);
  // Only operations that have not started can wait for material, or go to another machine.
  const mustWait = kind === 'delay' || kind === 'alternative';
  return mustWait ? open.filter((op) => view.start[op] > now) : open;
}

/** The operation of a draft: the chosen one, or the first to which its event can happen; −1 for none. */
export function operationOf(draft: EventDraft, view: ScheduleView, now: number): number {
  const fitting = fittingOperations(draft, view, now);
  return fitting.includes(draft.operation) ? draft.operation : (fitting[0] ?? -1);
}

/**
 * Converts a draft to an event of a request; null while input is missing. The event has no time of its own: it happens
 * at the time of the report, which the service sets.
 */
export function eventOf(
  draft: EventDraft,
  view: ScheduleView,
  words: ShopWords,
  now: number,
): object | null {
  const { kind, longer } = draft;
  const operation = operationOf(draft, view, now);
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
    case 'capacity': {
      const resource = view.resources?.names[draft.resource];
      if (resource === undefined) return null;
      const end = draft.downFor === null ? {} : { to: now + draft.downFor };
      return { kind, resource, amount: draft.left, ...end };
    }
    case 'alternative':
      if (longer === null || operation < 0) return null;
      return { kind, job, step, machine, duration: longer };
  }
}

/** The working time of an operation, without the downtimes that interrupt it. */
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

/** Converts a time of the form to that of a request. */
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
