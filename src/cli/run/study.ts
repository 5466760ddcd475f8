import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import type { NamedRun } from '../../harness/records/joined-runs.js';
import type { RunRecord } from '../../harness/records/record.js';
import { studyReport } from '../../harness/study/report.js';
import { summarizeRounds } from '../../harness/study/rounds.js';
import { FAULTS, type StudyOptions, studyFaults } from '../../harness/study/study.js';
import { subjectsOf } from '../../harness/study/subjects.js';
import { createAsk } from '../../llm/ask.js';
import { isModelSpec } from '../../llm/planner-spec.js';
import { createModelPlanner } from '../../pipeline/planners/llm-planner.js';
import { openModels } from '../../pipeline/planners/models.js';
import { counted } from '../../report/format.js';
import { titled } from '../../report/paper-tables.js';
import { roundsTable, studyCsv, studyTables } from '../../report/study-tables.js';
import { type DocumentFormat, renderJson } from '../../report/table.js';
import type { OutputOptions } from '../common/options.js';
import { print, remark } from '../common/output.js';
import { onInterruption, type Session } from '../common/session.js';
import { printMore, tableStyle } from '../common/tables.js';

/** Settings of the study of validation. */
export interface StudyCommandOptions extends OutputOptions {
  faults?: number;
  judge?: string;
  record?: string;
  table?: string;
  seed: number;
}

/** `alas-jssp report --study`: injects faults into valid schedules; measures their detection and repair. */
export async function studyRuns(
  session: Session,
  runs: readonly NamedRun[],
  records: readonly RunRecord[],
  options: StudyCommandOptions,
): Promise<void> {
  if (options.table !== undefined) return printRounds(session, records, options);
  const { faults = FAULTS, seed, judge = null, format } = options;
  const ask = await judgeOf(options);
  const { subjects, lost } = await subjectsOf(runs.map(inDirectory));
  if (lost > 0) {
    remark(
      session,
      `${counted(lost, 'schedule')} not saved: run with --save-schedules to have them`,
    );
  }
  const interrupt = new AbortController();
  const stopListening = onInterruption(session, () => interrupt.abort(), 'no results are kept');
  const onProgress = (done: number) => {
    if (done % 10 === 0) remark(session, `${done} of ${counted(subjects.length, 'schedule')}`);
  };
  const { signal } = interrupt;
  const trials = await studyFaults(subjects, {
    faults,
    seed,
    judge: ask,
    signal,
    onProgress,
  }).finally(stopListening);
  const settings = { seed, faults, schedules: subjects.length, lost, judge };
  const made = studyReport(trials, records, settings);
  if (format === 'json') return print(session, renderJson(made));
  const style = tableStyle(session.host.stdout);
  const rest = (look: DocumentFormat) => studyTables(made, look, style).slice(1);
  if (format === 'csv') await print(session, studyCsv(made));
  else await print(session, titled(studyTables(made, format, style)[0], format));
  for (const i of rest('md').keys()) {
    await printMore(session, format, (look) => titled(rest(look)[i], look));
  }
}

/** Prints the table of rounds alone, which needs no faults. */
async function printRounds(
  session: Session,
  records: readonly RunRecord[],
  { table, format }: StudyCommandOptions,
): Promise<void> {
  if (table !== ROUNDS) {
    const hint = `name ${ROUNDS}, or omit --table`;
    throw new InputError('no_table', `--study has no table '${table}'`, hint, {}, table);
  }
  const rounds = summarizeRounds(records);
  if (format === 'json') {
    return print(session, renderJson({ schema: 'alas-jssp/rounds@1', rounds }));
  }
  if (format === 'csv') return print(session, roundsTable(rounds, format).text);
  const made = roundsTable(rounds, format, tableStyle(session.host.stdout));
  await print(session, titled(made, format));
}

/** The only table of the study that `--table` can name. */
const ROUNDS = 'rounds';

/** The run by its directory, if it was named by its records file. */
function inDirectory(run: NamedRun): NamedRun {
  const isFile = statSync(run.directory).isFile();
  return isFile ? { ...run, directory: dirname(run.directory) } : run;
}

/** The judge that asks a model, with retries. */
async function judgeOf({ judge, record }: StudyCommandOptions): Promise<StudyOptions['judge']> {
  if (judge === undefined) return undefined;
  if (!isModelSpec(judge)) {
    const hint = 'name one, such as openai:MODEL';
    throw new InputError('no_model', `${judge} asks no model`, hint, {}, judge);
  }
  const planner = createModelPlanner(judge);
  const { askFor } = await openModels([planner.name], { answers: record });
  const ask = createAsk(askFor(planner.name), { attempts: planner.settings.attempts });
  return (instance, plan, replicate) => planner.judge(instance, plan, { replicate, ask });
}
