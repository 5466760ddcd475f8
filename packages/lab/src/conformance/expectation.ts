// What a run must do outside, written down as a partial order: parts in a row, and parts of which
// nobody says which comes first. A trace fits if it is one of its linearisations.

import type { TraceRow } from './stub.js';

/**
 * `graph`: parts in the order of `edges` between them, of which those in `free` may be broken off.
 */
export type Part =
  | string
  | { readonly row: readonly Part[] }
  | { readonly together: readonly Part[] }
  | {
      readonly graph: readonly Part[];
      readonly edges: readonly (readonly [number, number])[];
      readonly free?: readonly number[];
    }
  | { readonly upTo: Part }
  | { readonly maybe: Part }
  | { readonly given: string; readonly part: Part }
  | { readonly pause: readonly [least: number, most: number] };

/** The parts one after the other. */
export const row = (...parts: readonly Part[]): Part => ({ row: parts });

/** The parts in any order, also mixed. */
export const together = (...parts: readonly Part[]): Part => ({ together: parts });

/** As much of a part as there was time for: nothing of it without what comes before that in it. */
export const upTo = (part: Part): Part => ({ upTo: part });

/** A part that may be there or not, whatever comes before it; of one that is given by an event: also without that. */
export const maybe = (part: Part): Part => ({ maybe: part });

/** A part that is there if, and only if, an event is. */
export const given = (event: string, part: Part): Part => ({ given: event, part });

/** Seconds that pass between what stands before and after it in a row. */
export const pause = (least: number, most: number = Number.POSITIVE_INFINITY): Part => ({
  pause: [least, most],
});

const times = (attempt: number) => (attempt === 1 ? '' : ` #${attempt}`);

/** The step is called, and succeeds. */
export const done = (path: string, attempt: number = 1) =>
  row(`start ${path}${times(attempt)}`, `ok ${path}${times(attempt)}`);

/** The step is called, and fails. */
export const failed = (path: string, error: string, attempt: number = 1) =>
  row(`start ${path}${times(attempt)}`, `error ${path}${times(attempt)} ${error}`);

/** The step is called, and never answers. */
export const hung = (path: string, attempt: number = 1) => `start ${path}${times(attempt)}`;

/** The effect is undone. */
export const undone = (path: string, attempt: number = 1) =>
  row(`compensate ${path}${times(attempt)}`, `compensated ${path}${times(attempt)}`);

/** The compensator fails. */
export const notUndone = (path: string, error: string, attempt: number = 1) =>
  row(`compensate ${path}${times(attempt)}`, `compensate-error ${path}${times(attempt)} ${error}`);

/** The message comes. */
export const came = (path: string) => row(`wait ${path}`, `waited ${path}`);

/** The approval is given. */
export const approved = (path: string) => row(`approve ${path}`, `approved ${path}`);

/** The approval is refused. */
export const denied = (path: string, error: string) =>
  row(`approve ${path}`, `approve-error ${path} ${error}`);

/** The name of an event. */
export const eventOf = ({
  kind,
  path,
  attempt,
  error,
}: Pick<TraceRow, 'kind' | 'path' | 'attempt' | 'error'>) =>
  `${kind} ${path}${times(attempt)}${error === undefined ? '' : ` ${error}`}`;

/**
 * How an event is expected: `within` are the parts around it that may be broken off.
 */
type Due = { within: readonly number[]; maybe?: boolean; given?: string };

/**
 * A partial order, laid out.
 */
interface Order {
  events: Map<string, Due>;
  /** Pairs: if both are there, the first comes first. */
  before: [string, string][];
  pauses: { after: string; until: string; least: number; most: number }[];
}

/** Lays an expectation out. */
export function orderOf(part: Part): Order {
  const order: Order = { events: new Map(), before: [], pauses: [] };
  let breaks = 0;

  /** @returns the events in it */
  const visit = (at: Part, due: Due): string[] => {
    if (typeof at === 'string') {
      if (order.events.has(at)) throw new Error(`the expectation has ${at} twice`);
      order.events.set(at, due);
      return [at];
    }
    if ('pause' in at) return [];
    if ('together' in at) return at.together.flatMap((one) => visit(one, due));
    if ('upTo' in at) return visit(at.upTo, { ...due, within: [...due.within, breaks++] });
    if ('maybe' in at) return visit(at.maybe, { ...due, maybe: true });
    if ('given' in at) return visit(at.part, { ...due, given: at.given });
    if ('graph' in at) {
      const free = { ...due, within: [...due.within, breaks++] };
      const parts = at.graph.map((one, k) => visit(one, at.free?.includes(k) ? free : due));
      for (const [from, to] of closureOf(at.edges)) relate(order, parts[from], parts[to]);
      return parts.flat();
    }

    const all: string[] = [];

    let wait: readonly [number, number] | undefined;
    for (const one of at.row) {
      if (typeof one === 'object' && 'pause' in one) {
        wait = one.pause;
        continue;
      }
      const events = visit(one, due);
      const last = all.at(-1);
      relate(order, all, events);
      if (wait !== undefined && last !== undefined && events.length > 0) {
        const [least, most] = wait;
        order.pauses.push({ after: last, until: events[0], least, most });
      }
      wait = undefined;
      all.push(...events);
    }
    return all;
  };
  visit(part, { within: [] });
  return order;
}

function relate({ before }: Order, earlier: readonly string[], later: readonly string[]) {
  for (const one of earlier) for (const other of later) before.push([one, other]);
}

/** All pairs that a way leads along. */
function closureOf(edges: readonly (readonly [number, number])[]) {
  const starts = [...new Set(edges.map(([from]) => from))];
  return starts.flatMap((start) => {
    const seen = new Set([start]);
    for (const at of seen) for (const [from, to] of edges) if (from === at) seen.add(to);
    seen.delete(start);
    return [...seen].map((end) => [start, end]);
  });
}

/**
 * How a trace departs from an expectation; nothing if it is one of its linearisations.
 *
 * @param options seconds by which clocks may be wrong; whether
 *   a call that was stopped may reach the stub when others are undone
 */
export function findDepartures(
  part: Part,
  trace: readonly TraceRow[],
  { slack = 0.05, wire = false }: { slack?: number; wire?: boolean } = {},
): string[] {
  const { events, before, pauses } = orderOf(part);

  const places: Map<string, number> = new Map();
  const problems = [];
  for (const [place, traced] of trace.entries()) {
    const event = eventOf(traced);
    if (!events.has(event)) problems.push(`not expected: ${event}`);
    else if (places.has(event)) problems.push(`twice: ${event}`);
    else places.set(event, place);
  }
  for (const [event, { within, given: reason, maybe: free }] of events) {
    const isThere = places.has(event);
    const isDue = reason === undefined ? within.length === 0 : places.has(reason);
    if (isDue && !isThere && (!free || reason !== undefined)) problems.push(`missing: ${event}`);
    if (reason !== undefined && !isDue && isThere && !free) {
      problems.push(`not expected without ${reason}: ${event}`);
    }
  }
  for (const [earlier, later] of before) {
    const [first, second] = [places.get(earlier), places.get(later)];
    if (second === undefined) continue;
    if (first === undefined) {
      if (isNeeded(events.get(earlier), events.get(later))) {
        problems.push(`${later} without ${earlier}`);
      }
    } else if (first > second && !mayCross(events, earlier, later, wire)) {
      problems.push(`${later} comes before ${earlier}`);
    }
  }
  for (const { after, until, least, most } of pauses) {
    const [from, to] = [after, until].map((event) => trace[places.get(event) ?? -1]?.at);
    if (from === undefined || to === undefined) continue;
    const seconds = (to - from) / 1000;
    if (seconds >= least - slack && seconds <= most + slack) continue;
    problems.push(`${until} comes ${seconds} s after ${after}: expected ${least} to ${most}`);
  }
  return problems;
}

/**
 * Whether two events may change places after all: what is undone where the run was broken off may be
 * undone with all the rest, and a call that was stopped may still be on the wire then.
 */
function mayCross(events: Order['events'], earlier: string, later: string, wire: boolean) {
  if (events.get(earlier)?.within.length === 0 || !later.startsWith('compensate')) return false;
  if (earlier.split(' ')[1] === later.split(' ')[1]) return false;
  return wire || earlier.startsWith('compensate');
}

/**
 * Whether what may be broken off cannot go on without an event: that is in the same part, or in one
 * around it.
 */
function isNeeded(earlier: Due | undefined, later: Due | undefined) {
  if (earlier === undefined || later === undefined || earlier.within.length === 0) return false;
  if ([earlier, later].some(({ given: reason, maybe: free }) => reason !== undefined || free)) {
    return false;
  }
  return earlier.within.every((one, k) => later.within[k] === one);
}
