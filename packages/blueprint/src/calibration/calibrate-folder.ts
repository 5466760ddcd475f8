import { env } from 'node:process';
import { openModel, openTrialSystem } from '@alas-jssp/agents';
import { InputError } from '@alas-jssp/core/errors';
import { openLog } from '@alas-jssp/workflow';
import { readEnvironment } from 'alas-jssp/llm';
import { readDraft } from '../folder/read-draft.js';
import { requireRunnable } from '../running/open-draft.js';
import { calibrateReviewers, type ReviewerCalibration } from './calibrate-reviewers.js';

/**
 * Measures the reviewers of the draft in a folder; tools are those of a trial system.
 *
 * @param logFile the log of runs of the draft
 * @throws InputError as `calibrateReviewers`; `no_reviewer` if the draft names no model that reviews
 */
export async function calibrateDraftFolder(
  directory: string,
  logFile: string,
): Promise<ReviewerCalibration[]> {
  const draft = readDraft(directory, { edited: 'allow' });
  const runnable = { ...requireRunnable(draft), models: draft.models };
  const { reviewer: spec } = draft.models;
  if (spec === null) {
    const hint = 'draft it with --reviewer MODEL';
    throw new InputError('no_reviewer', 'no model reviews in this draft', hint, {
      file: directory,
    });
  }
  const log = openLog(logFile);
  const toolset = openTrialSystem(draft.catalogue, { directory });
  try {
    const reviewer = await openModel(spec, { environment: readEnvironment(env) });
    const tools = await toolset;
    return await calibrateReviewers(runnable, { log, reviewer, toolset: tools });
  } finally {
    log.close();
    await (await toolset).close();
  }
}
