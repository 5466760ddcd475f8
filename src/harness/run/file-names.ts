import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import { plannerName } from '../../jssp/planner-name.js';
import type { RecordIdentity } from '../records/record.js';
import type { SavedFiles } from '../worker/task.js';
import type { FilledRunSpec } from './spec.js';

/** Directories of saved schedules, of the instances with the events of executions, and of intermediate plans. */
export const SCHEDULES = 'schedules';
export const INSTANCES = 'instances';
export const STAGES = 'stages';

/** A stage whose plan is saved: the planner's plan, a round of repair (counted from 1), or the search. */
export type SavedStage = 'plan' | `repair-${number}` | 'optimize';

/** The files of a record's schedule, and of the instance with the events of its execution. */
export function savedFiles(directory: string, identity: RecordIdentity): SavedFiles {
  const { instance, planner, variant, method, replicate } = identity;
  const parts = [instance, planner, variant, ...(method === null ? [] : [method]), replicate];
  const name = parts.map(fileNamePart).join('__');
  return {
    schedule: join(directory, SCHEDULES, `${name}.json`),
    instance: join(directory, INSTANCES, `${name}.json`),
    stages: join(directory, STAGES, name),
  };
}

/** The file of a stage's plan. */
export function stageFile({ stages }: Pick<SavedFiles, 'stages'>, stage: SavedStage): string {
  return `${stages}.${stage}.json`;
}

/** The saved stages of a record in the order of their execution. */
export function savedStages(files: Pick<SavedFiles, 'stages'>): SavedStage[] {
  const stages: SavedStage[] = [];
  const isThere = (stage: SavedStage) => existsSync(stageFile(files, stage));
  if (isThere('plan')) stages.push('plan');
  for (let round = 1; isThere(`repair-${round}`); round++) stages.push(`repair-${round}`);
  if (isThere('optimize')) stages.push('optimize');
  return stages;
}

/** Whether a path is one of the files of a record. */
export function isFileOf({ schedule, instance, stages }: SavedFiles, path: string): boolean {
  if (path === schedule || path === instance) return true;
  if (!path.startsWith(stages)) return false;
  return /^\.(plan|repair-\d+|optimize)\.json$/.test(path.slice(stages.length));
}

/** The id of a record's run in a log; methods that share a schedule share a run. */
export function logRunId({ instance, planner, variant, replicate }: RecordIdentity): string {
  return [instance, planner, variant, replicate].map(fileNamePart).join('__');
}

/** Longer parts are cut: a file name has at most 255 characters, and a command may be longer. */
const LONGEST_PART = 90;

/** Any text as a part of a file name; `dispatch:mwkr` becomes `dispatch-mwkr`. */
export function fileNamePart(text: string | number): string {
  const part = String(text).replaceAll(/[^A-Za-z0-9._-]+/g, '-');
  if (part.length <= LONGEST_PART) return part;
  return `${part.slice(0, LONGEST_PART - 13)}-${sha256(part).slice(0, 12)}`;
}

/**
 * Refuses instances, planners or methods whose schedules or logs would have the same file name.
 *
 * @throws InputError `name_clash`
 */
export function refuseNameClashes(
  instances: readonly string[],
  { planners, disruption }: Pick<FilledRunSpec, 'planners' | 'disruption'>,
): void {
  for (const names of [instances, planners.map(plannerName), disruption?.methods ?? []]) {
    const seen = new Map<string, string>();
    for (const name of names) {
      const part = fileNamePart(name).toLowerCase();
      const other = seen.get(part);
      if (other !== undefined) {
        throw new InputError(
          'name_clash',
          `the schedules of '${other}' and '${name}' would have the same file name`,
          'run them apart, or rename one',
        );
      }
      seen.set(part, name);
    }
  }
}
