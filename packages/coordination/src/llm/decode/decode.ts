import type { Action, CoordinationPlan } from '../../model/plan.js';
import type { Problem } from '../../model/problem.js';
import type { ANSWER_FORMS } from '../../runs/judged-schema.js';
import { firstPositions } from './action.js';
import { claimsBeside, claimsOf, isClaim, type PlanClaims } from './claims.js';
import { jsonPlansOf } from './json.js';
import { type ReadingContext, type Row, readRow, short } from './rows.js';
import { tablesOf } from './tables.js';
import { readTimes } from './times.js';
import { vocabularyOf } from './vocabulary.js';

/** A plan parsed from the answer of a model. */
export interface DecodedAnswer {
  readonly form: (typeof ANSWER_FORMS)[number];
  /** Null if no action was found; its notes say how the answer was parsed. */
  readonly plan: CoordinationPlan | null;
  readonly claims: PlanClaims;
  /** Lines and values that could not be parsed without a guess. */
  readonly unread: readonly string[];
}

/** Maximum number of characters that are parsed; the rest is ignored. */
const LONGEST = 200_000;
const MOST_UNREAD = 50;

/**
 * Parses the plan in an answer: JSON if present, else the last table that is nearly complete, else lines of prose with
 * times. Names and times are never guessed: ambiguous and unknown ones are reported.
 */
export function decodeAnswer(problem: Problem, answer: string): DecodedAnswer {
  const text = answer.slice(0, LONGEST);
  const lines = text.split(/\r?\n/).map((line) => (/^\s*```/.test(line) ? '' : line));
  const vocabulary = vocabularyOf(problem);
  const read = (form: DecodedAnswer['form'], rows: readonly Row[]) => {
    const context: ReadingContext = {
      problem,
      vocabulary,
      positions: firstPositions(problem),
      unread: [],
      notes: [],
    };
    const actions = rows.flatMap((row) => readRow(row, context) ?? []);
    return { form, actions, unread: context.unread, notes: context.notes };
  };
  const words = claimsOf(text);
  const tooLong = answer.length > LONGEST ? [`the answer behind ${LONGEST} letters`] : [];
  const finish = (
    { form, actions, unread, notes }: ReturnType<typeof read>,
    { feasible, km, finish: end }: PlanClaims,
    passed: number,
  ): DecodedAnswer => {
    const claims = {
      feasible: feasible ?? words.feasible,
      km: km ?? words.km,
      finish: end ?? words.finish,
    };
    const told = [...tooLong, ...unread];
    const others = passed === 0 ? [] : [`the last of ${passed + 1} plans in the answer`];
    return {
      form,
      claims,
      plan: planOf(problem, form, actions, [...others, ...notes], claims),
      unread: told.slice(0, MOST_UNREAD).map((one) => one.slice(0, 300)),
    };
  };
  const json = jsonPlansOf(text)
    .map(({ rows, beside }) => ({ ...read('json', rows), beside, rows }))
    // Rows without any readable action are no plan, but an empty list is a plan in which nothing is done.
    .filter(({ actions, rows }) => actions.length > 0 || rows.length === 0);
  const chosen = lastWhole(json);
  if (chosen !== null) return finish(chosen, claimsBeside(chosen.beside), json.length - 1);
  const tables = tablesOf(lines).map((rows) => read('table', rows));
  const table = lastWhole(tables.filter(({ actions }) => actions.length > 0));
  if (table !== null) return finish(table, words, 0);
  const prose = read('prose', proseRows(lines, vocabulary));
  return finish(prose.actions.length > 0 ? prose : { ...prose, form: 'none' }, words, 0);
}

/** The last reading with at least half as many actions as the longest; null if there is none. */
function lastWhole<T extends { readonly actions: readonly Action[] }>(
  some: readonly T[],
): T | null {
  const most = Math.max(0, ...some.map(({ actions }) => actions.length));
  return some.findLast(({ actions }) => 2 * actions.length >= most) ?? null;
}

function planOf(
  { name: problem }: Problem,
  form: DecodedAnswer['form'],
  actions: readonly Action[],
  notes: readonly string[],
  { km, finish }: PlanClaims,
): CoordinationPlan | null {
  if (form === 'none') return null;
  return {
    problem,
    actions,
    ...(notes.length > 0 && { notes }),
    claims: {
      ...(km !== null && { metres: Math.round(1000 * km) }),
      ...(finish !== null && { finish }),
    },
  };
}

/** Lines with times, each as a row. Rows below a line that is only a name belong to that person or vehicle. */
function proseRows(lines: readonly string[], vocabulary: ReturnType<typeof vocabularyOf>): Row[] {
  const rows: Row[] = [];
  let subject: string | null = null;
  for (const [i, line] of lines.entries()) {
    const text = line.replace(/^[\s>*#•–-]*(?:\d{1,3}[.)]\s+)?/, '').replaceAll('**', '');
    if (text.trim() === '' || isClaim(text)) continue;
    const times = readTimes(text);
    if (times === null) {
      subject = subjectOf(text, vocabulary);
      continue;
    }
    const own = vocabulary
      .mentions(times.rest)
      .some(({ things }) => things.some(({ kind }) => kind === 'person' || kind === 'vehicle'));
    const words = subject === null || own ? text : `${text} (${subject})`;
    rows.push({ place: `line ${i + 1}`, cells: [{ role: null, text: words }] });
  }
  return rows;
}

/** The person or vehicle that a heading line such as `### James (driver)` names; null if it names none. */
function subjectOf(text: string, vocabulary: ReturnType<typeof vocabularyOf>): string | null {
  const mentions = vocabulary.mentions(text);
  const [only] = mentions;
  if (mentions.length !== 1 || only === undefined || short(text).split(' ').length > 4) return null;
  const [thing] = only.things.filter(({ kind }) => kind === 'person' || kind === 'vehicle');
  return thing === undefined ? null : text.slice(only.from, only.to);
}
