// @ts-check
// What a run must do outside, written down as a partial order: parts in a row, and parts of which
// nobody says which comes first. A trace fits if it is one of its linearisations.

/** @typedef {import('./stub.mjs').TraceRow} TraceRow */

/**
 * @typedef {string
 *   | { readonly row: readonly Part[] }
 *   | { readonly together: readonly Part[] }
 *   | { readonly upTo: Part }
 *   | { readonly given: string, readonly part: Part }
 *   | { readonly pause: readonly [least: number, most: number] }} Part
 */

/** The parts one after the other. @param {readonly Part[]} parts @returns {Part} */
export const row = (...parts) => ({ row: parts });

/** The parts in any order, also mixed. @param {readonly Part[]} parts @returns {Part} */
export const together = (...parts) => ({ together: parts });

/** As much of a part as there was time for: nothing of it without what comes before that in it. @param {Part} part @returns {Part} */
export const upTo = (part) => ({ upTo: part });

/** A part that is there if, and only if, an event is. @param {string} event @param {Part} part @returns {Part} */
export const given = (event, part) => ({ given: event, part });

/** Seconds that pass between what stands before and after it in a row. @param {number} least @param {number} [most] @returns {Part} */
export const pause = (least, most = Number.POSITIVE_INFINITY) => ({ pause: [least, most] });

const times = (/** @type {number} */ attempt) => (attempt === 1 ? '' : ` #${attempt}`);

/** The step is called, and succeeds. @param {string} path @param {number} [attempt] */
export const done = (path, attempt = 1) =>
  row(`start ${path}${times(attempt)}`, `ok ${path}${times(attempt)}`);

/** The step is called, and fails. @param {string} path @param {string} error @param {number} [attempt] */
export const failed = (path, error, attempt = 1) =>
  row(`start ${path}${times(attempt)}`, `error ${path}${times(attempt)} ${error}`);

/** The step is called, and never answers. @param {string} path @param {number} [attempt] */
export const hung = (path, attempt = 1) => `start ${path}${times(attempt)}`;

/** The effect is undone. @param {string} path @param {number} [attempt] */
export const undone = (path, attempt = 1) =>
  row(`compensate ${path}${times(attempt)}`, `compensated ${path}${times(attempt)}`);

/** The compensator fails. @param {string} path @param {string} error @param {number} [attempt] */
export const notUndone = (path, error, attempt = 1) =>
  row(`compensate ${path}${times(attempt)}`, `compensate-error ${path}${times(attempt)} ${error}`);

/** The message comes. @param {string} path */
export const came = (path) => row(`wait ${path}`, `waited ${path}`);

/** The approval is given. @param {string} path */
export const approved = (path) => row(`approve ${path}`, `approved ${path}`);

/** The approval is refused. @param {string} path @param {string} error */
export const denied = (path, error) => row(`approve ${path}`, `approve-error ${path} ${error}`);

/** The name of an event. @param {Pick<TraceRow, 'kind' | 'path' | 'attempt' | 'error'>} traced */
export const eventOf = ({ kind, path, attempt, error }) =>
  `${kind} ${path}${times(attempt)}${error === undefined ? '' : ` ${error}`}`;

/**
 * A partial order, laid out.
 *
 * @typedef {object} Order
 * @property {Map<string, { optional: boolean, given?: string }>} events
 * @property {[string, string][]} before pairs: if both are there, the first comes first
 * @property {[string, string][]} needs pairs: the second is there only if the first is
 * @property {{ after: string, until: string, least: number, most: number }[]} pauses
 */

/**
 * Lays an expectation out.
 *
 * @param {Part} part
 * @returns {Order}
 */
export function orderOf(part) {
  /** @type {Order} */
  const order = { events: new Map(), before: [], needs: [], pauses: [] };

  /**
   * @param {Part} at
   * @param {{ optional: boolean, given?: string }} how
   * @returns {string[]} the events in it
   */
  const visit = (at, how) => {
    if (typeof at === 'string') {
      if (order.events.has(at)) throw new Error(`the expectation has ${at} twice`);
      order.events.set(at, how);
      return [at];
    }
    if ('together' in at) return at.together.flatMap((one) => visit(one, how));
    if ('upTo' in at) return visit(at.upTo, { ...how, optional: true });
    if ('given' in at) return visit(at.part, { optional: true, given: at.given });
    if ('pause' in at) return [];
    /** @type {string[]} */
    const all = [];
    /** @type {readonly [number, number] | undefined} */
    let wait;
    for (const one of at.row) {
      if (typeof one === 'object' && 'pause' in one) {
        wait = one.pause;
        continue;
      }
      const events = visit(one, how);
      const last = all.at(-1);
      for (const earlier of all) for (const later of events) order.before.push([earlier, later]);
      if (how.optional) {
        for (const earlier of all) for (const later of events) order.needs.push([earlier, later]);
      }
      if (wait !== undefined && last !== undefined && events.length > 0) {
        const [least, most] = wait;
        order.pauses.push({ after: last, until: events[0], least, most });
      }
      wait = undefined;
      all.push(...events);
    }
    return all;
  };
  visit(part, { optional: false });
  return order;
}

/**
 * How a trace departs from an expectation; nothing if it is one of its linearisations.
 *
 * @param {Part} part
 * @param {readonly TraceRow[]} trace
 * @param {{ slack?: number }} [options] seconds by which clocks may be wrong
 * @returns {string[]}
 */
export function findDepartures(part, trace, { slack = 0.05 } = {}) {
  const { events, before, needs, pauses } = orderOf(part);
  /** @type {Map<string, number>} */
  const places = new Map();
  const problems = [];
  for (const [place, traced] of trace.entries()) {
    const event = eventOf(traced);
    if (!events.has(event)) problems.push(`not expected: ${event}`);
    else if (places.has(event)) problems.push(`twice: ${event}`);
    else places.set(event, place);
  }
  for (const [event, { optional, given: reason }] of events) {
    const isDue = reason === undefined ? !optional : places.has(reason);
    if (isDue && !places.has(event)) problems.push(`missing: ${event}`);
    if (!isDue && reason !== undefined && places.has(event)) {
      problems.push(`not expected without ${reason}: ${event}`);
    }
  }
  for (const [earlier, later] of needs) {
    // What another reason brings about does not need what stands before it.
    if (events.get(earlier)?.given !== events.get(later)?.given) continue;
    if (places.has(later) && !places.has(earlier)) problems.push(`${later} without ${earlier}`);
  }
  for (const [earlier, later] of before) {
    const [first, second] = [places.get(earlier), places.get(later)];
    if (first !== undefined && second !== undefined && first > second) {
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
