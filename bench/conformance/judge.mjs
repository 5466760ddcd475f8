// @ts-check
// Whether a run did what it must: its effects by the stub's file, its end, and what the engine tells
// of itself.
import { isDeepStrictEqual } from 'node:util';
import { eventOf, findDepartures } from './expectation.mjs';

/** @typedef {import('./stub.mjs').TraceRow} TraceRow */
/** @typedef {import('./cases/index.mjs').Expected} Expected */

/**
 * The end of a run, as runners tell it.
 *
 * @typedef {object} Ended
 * @property {string} status
 * @property {unknown} output
 * @property {{ code: string } | null} [error]
 * @property {readonly string[]} [remaining]
 * @property {readonly string[]} [inDoubt]
 * @property {TraceRow[]} [history] what the engine tells of itself
 */

/** Errors that engines have names of their own for. */
const NAMES = /** @type {Record<string, string>} */ ({ 'States.Timeout': 'Timeout' });

/** @param {string} code */
export const errorName = (code) => NAMES[code] ?? code;

/**
 * How the effects and the end of a run depart from what is expected.
 *
 * @param {Expected} expect
 * @param {Ended} ended
 * @param {readonly TraceRow[]} rows of the stub
 */
export function judgeEffects(expect, ended, rows) {
  return [
    ...findDepartures(expect.trace, rows),
    ...judgeEnd(expect, ended),
    ...judgeValues(expect, rows),
    ...judgeKeys(expect.keyed ?? [], rows),
  ];
}

/**
 * @param {Expected} expect
 * @param {Ended} ended
 */
function judgeEnd(expect, { status, output, error, remaining, inDoubt }) {
  /** @type {string[]} */
  const problems = [];
  const differ = (
    /** @type {string} */ what,
    /** @type {unknown} */ is,
    /** @type {unknown} */ due,
  ) => {
    if (isDeepStrictEqual(is, due)) return;
    problems.push(`${what} is ${show(is)}, not ${show(due)}`);
  };
  differ('the status', status, expect.status);
  if ('output' in expect) differ('the output', output, expect.output);
  differ('the error', error ? errorName(error.code) : undefined, expect.error);
  if (expect.remaining !== undefined) {
    differ('what remains', [...(remaining ?? [])].sort(), expect.remaining);
  }
  if (expect.inDoubt !== undefined) {
    differ('what is in doubt', [...(inDoubt ?? [])].sort(), expect.inDoubt);
  }
  return problems;
}

/**
 * @param {Expected} expect
 * @param {readonly TraceRow[]} rows
 */
function judgeValues({ inputs = {}, undoneOutputs = {}, bytes = {} }, rows) {
  const problems = [];
  /** @type {[Record<string, unknown>, string, (row: TraceRow) => unknown][]} */
  const checks = [
    [inputs, 'start', ({ input }) => input],
    [undoneOutputs, 'compensate', ({ output }) => output],
    [bytes, 'start', ({ input }) => /** @type {any} */ (input)?.bytes],
  ];
  for (const [due, kind, pick] of checks) {
    for (const [path, value] of Object.entries(due)) {
      const row = rows.find((one) => one.path === path && one.kind === kind);
      // That it is missing is said already.
      if (row === undefined || isDeepStrictEqual(pick(row), value)) continue;
      problems.push(`${kind} ${path} is given ${show(pick(row))}, not ${show(value)}`);
    }
  }
  return problems;
}

/**
 * All calls about one effect have one key, and calls about others have others.
 *
 * @param {readonly string[]} keyed
 * @param {readonly TraceRow[]} rows
 */
export function judgeKeys(keyed, rows) {
  const problems = [];
  /** @type {Map<string, string>} */
  const owners = new Map();
  /** @type {Map<string, string>} */
  const keys = new Map();
  for (const { kind, path, attempt, key } of rows) {
    if (kind !== 'start' && kind !== 'compensate') continue;
    if (key === undefined) {
      if (kind === 'compensate' || keyed.includes(path))
        problems.push(`${kind} ${path} has no key`);
      continue;
    }
    const known = keys.get(path);
    if (known !== undefined && known !== key && keyed.includes(path)) {
      problems.push(`${kind} ${path} #${attempt} has another key than before`);
    }
    keys.set(path, key);
    const owner = owners.get(key);
    if (owner !== undefined && owner !== path) problems.push(`${path} has the key of ${owner}`);
    owners.set(key, path);
  }
  return problems;
}

/**
 * How what an engine tells of itself departs from what is expected, and from what the stub saw. Of a
 * call that never answered the engine alone knows an end.
 *
 * @param {Expected} expect
 * @param {readonly TraceRow[]} history
 * @param {readonly TraceRow[]} rows of the stub
 */
export function judgeHistory(expect, history, rows) {
  /** @type {TraceRow[]} */
  const told = renumber(history).map(({ error, ...row }) =>
    error === undefined ? row : { ...row, error: errorName(error) },
  );
  const seen = new Set(rows.map(eventOf));
  const answered = new Set(rows.map(({ path, attempt, kind }) => `${path} ${attempt} ${kind}`));
  const shared = told.filter((row) => {
    if (!row.kind.endsWith('error')) return true;
    return seen.has(eventOf(row)) || answered.has(`${row.path} ${row.attempt} ${row.kind}`);
  });
  const known = new Set(shared.map(eventOf));
  const problems = rows
    .map(eventOf)
    .filter((event) => !known.has(event))
    .map((event) => `its history has no ${event}`);
  // One that was stopped at once may not have reached the stub.
  const stopped = new Set(
    told
      .filter(({ error }) => error === 'Cancelled')
      .map(({ path, attempt }) => `${path} ${attempt}`),
  );
  const strange = shared
    .filter(({ kind, path, attempt }) => kind !== 'start' || !stopped.has(`${path} ${attempt}`))
    .map(eventOf)
    .filter((event) => !seen.has(event));
  problems.push(...strange.map((event) => `its history has ${event}, which did not happen`));
  if (problems.length > 0) return problems;
  const timeless = shared.map(({ at: _, ...row }) => row);
  return findDepartures(expect.trace, timeless).map((problem) => `by its history, ${problem}`);
}

/**
 * Counts attempts as the stub does: all of a path, also when its node began anew.
 *
 * @param {readonly TraceRow[]} history
 */
function renumber(history) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return history.map((row) => {
    const begins = ['start', 'compensate', 'wait', 'approve'].includes(row.kind);
    const family = begins ? row.kind : (FAMILIES[row.kind] ?? row.kind);
    const name = `${family} ${row.path}`;
    if (begins) counts.set(name, (counts.get(name) ?? 0) + 1);
    return { ...row, attempt: counts.get(name) ?? row.attempt };
  });
}

const FAMILIES = /** @type {Record<string, string>} */ ({
  ok: 'start',
  error: 'start',
  compensated: 'compensate',
  'compensate-error': 'compensate',
  waited: 'wait',
  'wait-error': 'wait',
  approved: 'approve',
  'approve-error': 'approve',
});

/** @param {unknown} value */
function show(value) {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
