import { existsSync } from 'node:fs';
import { errorLine } from '@alas-jssp/core/errors';
import type { RunRecord } from '../../../harness/records/record.js';
import { savedFiles, savedStages, stageFile } from '../../../harness/run/file-names.js';
import type { RunSource } from '../../../harness/run/run-source.js';
import { readInstance } from '../../../jssp/formats/read-instance.js';
import { readPlan } from '../../../jssp/formats/read-plan.js';
import type { Instance } from '../../../jssp/instance.js';
import type { Plan } from '../../../jssp/plan.js';
import { scheduleFromPlan } from '../../../jssp/plan.js';
import type { Schedule } from '../../../jssp/schedule.js';
import { type AnswerReader, viewTurn } from './conversation-view.js';
import { viewPlanMoves } from './moves-view.js';
import type { RecordDetail } from './page-data.js';
import type { StageView, TurnView } from './schedule-data.js';
import { viewSchedule } from './schedule-view.js';

/** All page data of a record of a run. Each part that cannot be read adds a line to `problems`. */
export function collectRecord(
  record: RunRecord,
  source: RunSource,
  answers: AnswerReader,
): RecordDetail {
  const problems: string[] = [];
  const attempt = <T>(read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      const line = errorLine(error);
      if (!problems.includes(line)) problems.push(line);
      return otherwise;
    }
  };
  const plans = planFilesOf(record, source.directory);
  const places = record.llm?.answer_files ?? [];
  const isWanted = plans.length + places.length > 0;
  const instance = isWanted
    ? attempt<Instance | null>(() => source.instance(record.instance), null)
    : null;
  const stages: StageView[] = [];
  if (instance !== null) attempt(() => readStages(plans, instance, stages), undefined);
  const conversation = places.flatMap((place): TurnView[] =>
    attempt(() => [viewTurn(answers.read(place), instance)], []),
  );
  return { record, stages, conversation, isExecuted: record.disruption !== null, problems };
}

/** A plan of a record on disk. */
interface SavedPlan {
  readonly name: string;
  readonly file: string;
}

/** The files of a record's plans in the order of its stages, without the executed schedule. */
function planFilesOf(record: RunRecord, directory: string): SavedPlan[] {
  const files = savedFiles(directory, record);
  const plans = savedStages(files).map((stage) => ({
    name: nameOfStage(stage),
    file: stageFile(files, stage),
  }));
  const isRealised = record.disruption !== null;
  if (!isRealised && existsSync(files.schedule))
    plans.push({ name: 'in the end', file: files.schedule });
  return plans;
}

function nameOfStage(stage: string): string {
  if (stage === 'plan') return 'plan as handed over';
  const round = /^repair-(\d+)$/.exec(stage)?.[1];
  return round === undefined ? 'after the search' : `after round ${round} of repair`;
}

/** Adds the stages one by one; the last one is omitted if it equals the one before. */
function readStages(plans: readonly SavedPlan[], instance: Instance, stages: StageView[]): void {
  let before: Schedule | null = null;
  for (const { name, file } of plans) {
    const { plan } = readPlan(file, instance);
    const schedule = scheduleFromPlan(instance, plan);
    const last = stages.at(-1);
    if (before !== null && last?.schedule.valid && isSame(before, schedule)) continue;
    const moves =
      before === null || last === undefined ? null : viewPlanMoves(last.schedule, before, schedule);
    stages.push({ name, schedule: viewSchedule(instance, plan), moves });
    before = schedule;
  }
}

function isSame({ start }: Schedule, other: Schedule): boolean {
  return start.every((time, op) => time === other.start[op]);
}

/**
 * The schedule as it was executed, and the instance with all events; null if they were not saved.
 *
 * @throws InputError if they cannot be read
 */
export function readRealised(
  record: RunRecord,
  { directory }: RunSource,
): { readonly instance: Instance; readonly plan: Plan } | null {
  const files = savedFiles(directory, record);
  if (!existsSync(files.schedule) || !existsSync(files.instance)) return null;
  const instance = readInstance(files.instance);
  return { instance, plan: readPlan(files.schedule, instance).plan };
}
