import { appendFileSync, existsSync, statSync } from 'node:fs';
import { InputError } from 'alas-jssp';
import {
  counted,
  describeWait,
  exitCode,
  type Format,
  isLongWait,
  onInterruption,
  remark,
  type Session,
  writeOutput,
} from 'alas-jssp/command-line';
import { LlmError } from 'alas-jssp/llm';
import type { AskedForm } from '../llm/answer-forms.js';
import { OURS, parseCompletions } from '../realm/suites/completions.js';
import { generateSuite, type LoadedInstance, loadSuite } from '../realm/suites/load-suite.js';
import { SUITE_READERS } from '../realm/suites/readers.js';
import {
  formatRealmRecord,
  type RealmRecord,
  type RealmStep,
  readRealmRecords,
  realmRecordKey,
} from '../realm/suites/realm-record.js';
import { runRealm } from '../realm/suites/realm-run.js';
import type { RealmSuite } from '../realm/suites/suite.js';
import type { TeamTopology } from '../teams/team.js';
import { asksModel } from '../teams/team-models.js';
import { printLeaderboard } from './leaderboard.js';

/** Options of `alas-coordination run --suite`. */
export interface SuiteRunOptions {
  readonly suite: RealmSuite;
  readonly data?: string;
  readonly generated?: number;
  readonly limit?: number;
  readonly seed?: number;
  readonly complete?: readonly string[];
  readonly planner?: readonly string[];
  readonly replicates: number;
  readonly answer: AskedForm;
  readonly topology?: TeamTopology;
  readonly rounds?: number;
  readonly record?: string;
  readonly budgetTokens?: number;
  readonly budgetUsd?: number;
  readonly budgetSeconds?: number;
  readonly out?: string;
  readonly format: Format;
}

/** Runs planners on a suite of REALM-Bench, and prints the leaderboard. Exit code 0 if all possible plans are valid. */
export async function runSuite(session: Session, options: SuiteRunOptions): Promise<number> {
  const { suite, out, format, replicates, answer: form, record, seed = 0 } = options;
  const instances = instancesOf(options);
  const records = out === undefined ? [] : takeUp(out);
  if (records.length > 0) {
    remark(session, `${out}: ${counted(records.length, 'record')} there already`);
  }
  const stop = new AbortController();
  const unlisten = onInterruption(session, () => stop.abort(), 'what was made is kept');
  const { budgetTokens: tokens, budgetUsd: usd, budgetSeconds: seconds } = options;
  let ending: number | null = null;
  try {
    const made = runRealm({
      suite,
      instances,
      planners: options.planner ?? ['search', 'random'],
      replicates,
      seed,
      form,
      team: { topology: options.topology ?? 'single', rounds: options.rounds ?? 0 },
      models: {
        answers: record,
        budget: { tokens, usd, seconds },
        onWait: (wait) => isLongWait(wait) && remark(session, describeWait(wait)),
      },
      done: new Set(records.map(realmRecordKey)),
      signal: stop.signal,
    });
    for await (const one of made) {
      records.push(one);
      if (out !== undefined) appendFileSync(out, formatRealmRecord(one));
      remark(session, describeRealm(one));
    }
  } catch (error) {
    const isSpent = error instanceof LlmError && error.code === 'BudgetSpent';
    if (!isSpent && !stop.signal.aborted) throw error;
    ending = isSpent ? exitCode.no : exitCode.interrupted;
    if (isSpent) remark(session, error.message);
  } finally {
    unlisten();
  }
  const { completions } = SUITE_READERS[suite];
  if (completions.length > 0 && records.some(({ refused }) => refused.length > 0)) {
    const keys = completions.map(({ key }) => key).join(', ');
    remark(
      session,
      `--complete states what is missing (${keys}); --complete ours takes invented values`,
    );
  }
  await printLeaderboard(session, records, format);
  return ending ?? (records.every(isDone) ? exitCode.done : exitCode.no);
}

function instancesOf({
  suite,
  data,
  generated,
  limit,
  seed = 0,
  complete = [],
}: SuiteRunOptions): LoadedInstance[] {
  const { completions } = SUITE_READERS[suite];
  if ((data === undefined) === (generated === undefined)) {
    const problem =
      data === undefined
        ? `${suite} has no files here`
        : '--data and --generated exclude each other';
    const hint =
      'give --data DIR with the published files, or --generated COUNT for instances of our own';
    throw new InputError('bad_option', problem, hint, {});
  }
  // Generated instances are complete: what the format leaves open is stated by us, unless the user states it.
  const texts = data === undefined ? [...complete, OURS] : complete;
  const given = parseCompletions(texts, completions, suite);
  const loaded =
    data === undefined
      ? generateSuite(suite, generated ?? 0, seed, given)
      : loadSuite(suite, data, given);
  return limit === undefined ? loaded : loaded.slice(0, limit);
}

/** The records kept from an earlier run. Those in which a model gave no answer are made again. */
function takeUp(out: string): RealmRecord[] {
  if (!existsSync(out)) {
    writeOutput(out, '');
    return [];
  }
  if (statSync(out).size === 0) return [];
  const records = readRealmRecords(out);
  const isUnanswered = ({ plan, answer, error }: RealmStep) =>
    plan === null && answer === null && error !== null;
  const kept = records.filter(
    ({ planner, steps }) => !asksModel(planner) || !steps.some(isUnanswered),
  );
  writeOutput(out, kept.map(formatRealmRecord).join(''));
  return kept;
}

/** Whether all plans of a record that are possible are valid. */
function isDone({ refused, steps }: RealmRecord): boolean {
  return (
    refused.length === 0 &&
    steps.every(({ search, judged }) => search === 'infeasible' || judged?.valid === true)
  );
}

/** A record in one line. */
function describeRealm({ instance, planner, refused, steps }: RealmRecord): string {
  if (refused.length > 0) return `${instance}: refused: ${refused[0].message}`;
  const parts = steps.map(({ event, judged, search, repaired, bound, error }) => {
    const codes = [...new Set(judged?.violations.map(({ code }) => code) ?? [])];
    const said =
      judged === null
        ? (error ?? 'no plan')
        : judged.valid
          ? `valid, cost ${judged.cost}${bound === null ? '' : ` (bound ${bound})`}`
          : `not valid (${codes.join(', ')})`;
    const no = search === 'infeasible' && judged?.valid === false ? '; no plan exists' : '';
    const mended = repaired === null ? '' : `; repaired by ${counted(repaired.edits, 'edit')}`;
    return `${event === null ? '' : `after ${event}: `}${said}${no}${mended}`;
  });
  return `${instance}, ${planner}: ${parts.join('; ')}`;
}
