import { rmSync } from 'node:fs';
import { InputError } from '@alas-jssp/core/errors';
import { replaceFile } from '@alas-jssp/core/replace-file';
import { writeInstanceJson } from '../../jssp/formats/instance-json.js';
import { writePlanJson } from '../../jssp/formats/plan-json.js';
import { instanceName } from '../../jssp/formats/source.js';
import { type Candidate, isSchedule } from '../../jssp/plan.js';
import type { Execution } from '../../pipeline/handlers/execute-stage.js';
import type { PipelineResult } from '../../pipeline/pipeline.js';
import { type SavedStage, savedStages, stageFile } from '../run/file-names.js';
import type { Cell, SavedFiles } from './task.js';

/**
 * Saves the validated schedule and the plan of each stage. An executed schedule is saved with its instance, which
 * includes all events.
 */
export function savePlans(
  files: SavedFiles,
  cell: Cell,
  result: PipelineResult,
  execution: Execution | undefined,
): void {
  saveStages(files, cell, result);
  const { candidate, verdict } = result;
  if (execution === undefined) {
    if (candidate === null || verdict === null) return;
    replaceFile(files.schedule, planFileText(candidate, cell.instance));
  } else if (execution.simulation !== null) {
    const { schedule } = execution.simulation;
    replaceFile(files.instance, writeInstanceJson(schedule.instance));
    replaceFile(files.schedule, planFileText(schedule, instanceName(files.instance)));
  }
}

/** Saves the plan of each stage, replacing those of an earlier attempt at the record. */
function saveStages(
  files: SavedFiles,
  { instance }: Cell,
  { plan, roundPlans, stages, verdict, candidate }: PipelineResult,
): void {
  for (const stage of savedStages(files)) rmSync(stageFile(files, stage), { force: true });
  const save = (stage: SavedStage, made: Candidate | null): void => {
    if (made !== null) replaceFile(stageFile(files, stage), planFileText(made, instance));
  };
  // A candidate that could not be validated may be any value.
  if (stages.plan !== null || verdict !== null) save('plan', plan);
  for (const [round, made] of roundPlans) save(`repair-${round}`, made);
  if (stages.optimize !== null) save('optimize', candidate);
}

/**
 * The text of a plan file: the plan format, or, for a plan with a number that is not finite, the planner's output with
 * the reason.
 */
function planFileText(candidate: Candidate, instance: string): string {
  try {
    return writePlanJson(candidate, { instance });
  } catch (error) {
    if (!(error instanceof InputError) || isSchedule(candidate)) throw error;
    const raw = {
      schema: 'alas-jssp/raw-plan@1',
      instance,
      reason: error.problem,
      makespan: candidate.makespan,
      entries: candidate.entries.map(({ job, step, machine, start, end }) => {
        return { job, step, machine, start, end };
      }),
    };
    return `${JSON.stringify(raw, (_key, value) => tellable(value))}\n`;
  }
}

/** Replaces numbers that JSON cannot represent by text, such as "NaN". */
function tellable(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
