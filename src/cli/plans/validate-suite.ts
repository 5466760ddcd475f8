import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InputError } from '@alas-jssp/core/errors';
import type { PlanFile } from '../../jssp/formats/plan-file.js';
import { readPlan } from '../../jssp/formats/read-plan.js';
import type { Instance } from '../../jssp/instance.js';
import { isSameInstanceName } from '../../jssp/names.js';
import { type InstanceSource, resolveSources } from '../../jssp/suites.js';
import { columnsOf } from '../../report/columns.js';
import { clipped, counted, fixed, whole } from '../../report/format.js';
import { type ValidationReport, validate } from '../../validator/index.js';
import { knownBounds } from '../common/known-bounds.js';
import type { OutputOptions } from '../common/options.js';
import { print, remark, remarkNotRead, remarkVerdict } from '../common/output.js';
import { tardinessOf } from '../common/plan-files.js';
import { createProgressDisplay, silentDisplay } from '../common/progress.js';
import { exitCode, type Session } from '../common/session.js';
import { printRows } from '../common/tables.js';

/** The verdict on one of many plans. */
interface PlanVerdict {
  /** Path of the plan below the folder, with slashes. */
  readonly file: string;
  /** The instance of the plan; null if the suite has none of that name. */
  readonly instance: string | null;
  readonly status: 'valid' | 'invalid' | 'error';
  readonly makespan: number | null;
  readonly tardiness: number | null;
  readonly lower_bound: number | null;
  readonly upper_bound: number | null;
  /** (makespan − upper bound) / upper bound. */
  readonly gap_percent: number | null;
  /** Violations and their root causes by code; null if the plan was not judged. */
  readonly violations: Readonly<Record<string, number>> | null;
  readonly root_causes: Readonly<Record<string, number>> | null;
  /** The first root cause, or why the plan was not judged; null for a valid plan. */
  readonly explanation: string | null;
}

/**
 * Judges all plans of a folder, each for an instance of the suite, and prints a table of verdicts. A file that
 * is no plan has a row, too.
 *
 * @returns the exit code: that of bad input if a plan could not be judged, else whether all are valid
 * @throws InputError `no_plans` if there are none, and the errors of finding the suite
 */
export async function validateSuite(
  session: Session,
  suite: string,
  folder: string,
  { format, limit }: OutputOptions & { readonly limit: number },
): Promise<number> {
  const sources = resolveSources(suite);
  const files = planFiles(folder);
  const display = session.quiet ? silentDisplay : createProgressDisplay(session.host.stderr);
  const judge = createJudge(session, sources, folder, limit);
  const rows: PlanVerdict[] = [];
  try {
    for (const file of files) {
      rows.push(judge(file));
      display.update({ done: rows.length, kept: 0, total: files.length });
      await nextTurn();
    }
  } finally {
    display.stop();
  }
  const missing = sources
    .map(({ name }) => name)
    .filter((name) => !rows.some(({ instance }) => instance === name));
  const data = { schema: 'alas-jssp/validations@1', suite, plans: rows, missing };
  await printRows(session, format, columns, rows, data);
  const verdict = describeVerdicts(rows);
  if (format === 'table') await print(session, verdict);
  remarkVerdict(session, format, verdict);
  if (missing.length > 0) remark(session, `without a plan: ${listed(missing)}`);
  if (rows.some(({ status }) => status === 'error')) return exitCode.badInput;
  return rows.every(({ status }) => status === 'valid') ? exitCode.done : exitCode.no;
}

/** The ending of the file of a plan. */
const PLAN_FILE = /\.(json|csv)(\.gz)?$/i;

/** Files that `report --best` writes next to its schedules, and hidden files. */
const NO_PLAN_FILE = /\.certificate\.json$|(^|\/)\./i;

/** The plans of a folder and of those below it, in natural order. */
function planFiles(folder: string): string[] {
  const files = listFolder(folder)
    .filter((file) => PLAN_FILE.test(file) && !NO_PLAN_FILE.test(file))
    .sort(new Intl.Collator('en', { numeric: true }).compare);
  if (files.length > 0) return files;
  const hint = 'name a folder of plans that end in .json or .csv';
  throw new InputError('no_plans', 'this folder has no plans', hint, { file: folder });
}

/** All files below a folder, with slashes. Links to a folder that was read are not followed again. */
function listFolder(folder: string): string[] {
  const read = new Set<string>();
  const list = (path: string, below: string): string[] => {
    const real = realpathSync(path);
    if (read.has(real)) return [];
    read.add(real);
    return readdirSync(path).flatMap((name) => {
      const file = join(path, name);
      return isFolder(file) ? list(file, `${below}${name}/`) : [`${below}${name}`];
    });
  };
  try {
    return list(folder, '');
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    const problem =
      code === 'ENOTDIR' ? 'it is a file, not a folder of plans' : `it cannot be read (${code})`;
    const hint = 'name a folder of plans, or judge one plan without --suite';
    throw new InputError('no_plans', problem, hint, { file: path ?? folder });
  }
}

function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch {
    // A broken link is reported when the file is read.
    return false;
  }
}

/** Judges plans one after the other. Only the last instance is kept, because plans of one follow each other. */
function createJudge(
  session: Session,
  sources: readonly InstanceSource[],
  folder: string,
  limit: number,
) {
  let last: { readonly source: InstanceSource; readonly instance: Instance } | undefined;
  const load = (source: InstanceSource): Instance => {
    if (last?.source !== source) last = { source, instance: source.load() };
    return last.instance;
  };
  const find = (name: string) => sources.find((one) => isSameInstanceName(one.name, name));
  return (file: string): PlanVerdict => {
    let source = namesIn(file).map(find).find(Boolean);
    const path = join(folder, file);
    try {
      const read = (): PlanFile => readPlan(path, source && load(source));
      let { plan, instance: claimed, notes = [] } = read();
      for (const note of notes) remarkNotRead(session, path, note);
      if (claimed !== undefined && source !== find(claimed)) {
        source = find(claimed);
        if (source !== undefined) plan = read().plan;
      }
      if (source === undefined) throw unknownInstance(path, claimed);
      const instance = load(source);
      const { lowerBound, upperBound } = knownBounds(instance);
      const report = validate(instance, plan, { limit, bound: lowerBound });
      const best = upperBound?.value ?? null;
      return {
        file,
        instance: source.name,
        ...outcomeOf(report),
        tardiness: report.valid ? tardinessOf(instance, plan) : null,
        lower_bound: lowerBound?.value ?? null,
        upper_bound: best,
        gap_percent: gapOf(report, best),
      };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const explanation = describeRefusal(error);
      return { ...UNJUDGED, file, instance: source?.name ?? null, explanation };
    }
  };
}

/** The possible instance names in a plan's path: the file's, that of a saved schedule, the folder's. */
function namesIn(file: string): string[] {
  const stem = basename(file).replace(PLAN_FILE, '');
  return [stem, stem.split('__')[0], stem.split('.')[0], basename(dirname(file))];
}

/** An error's text without the file's name, which the row has. */
function describeRefusal({ problem, hint, location: { line, path } }: InputError): string {
  const where = line === undefined ? path : `line ${line}`;
  return `${where === undefined ? '' : `${where}: `}${problem}; ${hint}`;
}

const UNJUDGED = {
  status: 'error',
  makespan: null,
  tardiness: null,
  lower_bound: null,
  upper_bound: null,
  gap_percent: null,
  violations: null,
  root_causes: null,
} as const;

function unknownInstance(file: string, claimed: string | undefined): InputError {
  const problem =
    claimed === undefined
      ? 'this plan names no instance of the suite'
      : `the plan names the instance ${claimed}, which is not in the suite`;
  const hint = 'name the file after the instance, such as ft06.json, or give another suite';
  return new InputError('unknown_instance', problem, hint, { file });
}

function outcomeOf({ valid, makespan, counts, groups }: ValidationReport) {
  const causes: Record<string, number> = {};
  for (const { root } of groups) causes[root.code] = (causes[root.code] ?? 0) + 1;
  return {
    status: valid ? 'valid' : 'invalid',
    makespan: valid ? makespan : null,
    violations: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    root_causes: causes,
    explanation: groups[0]?.explanation ?? null,
  } as const;
}

function gapOf({ valid, makespan }: ValidationReport, best: number | null): number | null {
  if (!valid || makespan === null || best === null) return null;
  return (100 * (makespan - best)) / best;
}

/** Most instances that are named. */
const NAMED = 8;

function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function describeVerdicts(rows: readonly PlanVerdict[]): string {
  const count = (status: PlanVerdict['status']) =>
    rows.filter((row) => row.status === status).length;
  const unread = count('error');
  const rest = unread === 0 ? '' : `, ${unread} not judged`;
  return `${counted(rows.length, 'plan')}: ${count('valid')} valid, ${count('invalid')} invalid${rest}`;
}

const column = columnsOf<PlanVerdict>();
const columns = [
  column('file'),
  column('instance', { minor: 3 }),
  column('status', { tone: ({ status }) => (status === 'valid' ? 'good' : 'bad') }),
  column('makespan', whole),
  column('tardiness', whole, {
    minor: 2,
    when: (rows) => rows.some(({ tardiness }) => tardiness !== null),
  }),
  ...column.hidden('lower_bound'),
  column('upper_bound', whole, { header: 'upper', minor: 4 }),
  column('gap_percent', fixed(2), { minor: 1 }),
  column.of('violations', ({ violations }) => sum(violations), { format: whole, minor: 5 }),
  column.of('root_causes', ({ root_causes }) => sum(root_causes), { format: whole, minor: 6 }),
  column('explanation', clipped(60), {
    header: 'first root cause',
    align: 'left',
    minor: 7,
    when: (rows) => rows.some(({ explanation }) => explanation !== null),
  }),
];

function sum(counts: Readonly<Record<string, number>> | null): number | null {
  return counts && Object.values(counts).reduce((total, count) => total + count, 0);
}
