// Whether a run did what it must: its effects by the stub's file, its end, and what the engine
// reports of itself.

import { isDeepStrictEqual } from 'node:util';
import type { Expected } from './case.js';
import { eventOf, findDepartures } from './expectation.js';
import type { TraceRow } from './stub.js';

/**
 * The end of a run, as runners tell it.
 */
export interface Ended {
  status: string;
  output: unknown;
  error?: { code: string; message?: string; nodeId?: string } | null;
  remaining?: readonly string[];
  inDoubt?: readonly string[];
  /** What the engine reports of itself. */
  history?: TraceRow[];
}

/** Errors that engines have names of their own for. */
const NAMES: Record<string, string> = { 'States.Timeout': 'Timeout' };

export const errorName = (code: string) => NAMES[code] ?? code;

/**
 * How the effects and the end of a run depart from what is expected.
 *
 * @param rows of the stub
 */
export function judgeEffects(expect: Expected, ended: Ended, rows: readonly TraceRow[]) {
  return [
    ...findDepartures(expect.trace, rows),
    ...judgeEnd(expect, ended),
    ...judgeValues(expect, rows),
    ...judgeKeys(expect.keyed ?? [], rows),
  ];
}

function judgeEnd(expect: Expected, { status, output, error, remaining, inDoubt }: Ended) {
  const problems: string[] = [];
  const differ = (what: string, is: unknown, due: unknown) => {
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

function judgeValues(
  { inputs = {}, undoneOutputs = {}, bytes = {} }: Expected,
  rows: readonly TraceRow[],
) {
  const problems = [];

  const checks: [Record<string, unknown>, string, (row: TraceRow) => unknown][] = [
    [inputs, 'start', ({ input }) => input],
    [undoneOutputs, 'compensate', ({ output }) => output],
    [bytes, 'start', ({ input }) => (input as { bytes?: number } | undefined)?.bytes],
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

/** All calls about one effect have one key, and calls about others have others. */
export function judgeKeys(keyed: readonly string[], rows: readonly TraceRow[]) {
  const problems = [];

  const owners: Map<string, string> = new Map();

  const keys: Map<string, string> = new Map();
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
 * How what an engine reports of itself departs from what is expected, and from what the stub saw. Of a
 * call that never answered the engine alone knows an end.
 *
 * @param rows of the stub
 */
export function judgeHistory(
  expect: Expected,
  history: readonly TraceRow[],
  rows: readonly TraceRow[],
) {
  const told: TraceRow[] = renumber(history).map(({ error, ...row }) =>
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

/** Counts attempts as the stub does: all of a path, also when its node began again. */
function renumber(history: readonly TraceRow[]) {
  const counts: Map<string, number> = new Map();
  return history.map((row) => {
    const begins = ['start', 'compensate', 'wait', 'approve'].includes(row.kind);
    const family = begins ? row.kind : (FAMILIES[row.kind] ?? row.kind);
    const name = `${family} ${row.path}`;
    if (begins) counts.set(name, (counts.get(name) ?? 0) + 1);
    return { ...row, attempt: counts.get(name) ?? row.attempt };
  });
}

const FAMILIES: Record<string, string> = {
  ok: 'start',
  error: 'start',
  compensated: 'compensate',
  'compensate-error': 'compensate',
  waited: 'wait',
  'wait-error': 'wait',
  approved: 'approve',
  'approve-error': 'approve',
};

function show(value: unknown) {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
