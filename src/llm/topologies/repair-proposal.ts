import type { Plan } from '../../jssp/plan.js';
import type { Ask } from '../client.js';
import { type PlanFindings, writeRepair } from '../prompts/repair.js';
import { planWindows } from '../prompts/windows.js';
import { followWindows, type ProposalTask } from './follow-windows.js';
import { type Proposal, promptOf } from './propose.js';
import { createTeam } from './team.js';

/** A plan to be repaired, and what is wrong with it. */
export interface PlanRepairTask extends ProposalTask {
  readonly plan: Plan;
  /** The report of the validator. */
  readonly findings: PlanFindings;
}

/** Room for the plan that is shown, and as much again for what is wrong with it. */
const SHOWN_ANSWERS = 2;

/**
 * Asks the supervisor once for a better plan, by the same format and limits as `propose`. Where jobs
 * are planned in windows, those about which nothing usable is said stay as they were.
 *
 * @throws InputError `context_too_small` if a job does not fit the context with its plan; what `ask`
 *   throws; the reason of the signal
 */
export async function repairProposal(task: PlanRepairTask, ask: Ask): Promise<Proposal> {
  const { instance, settings, plan, findings } = task;
  const { contextTokens, maxOutputTokens: outputTokens, format } = settings;
  const limits = { contextTokens, outputTokens, format, answers: SHOWN_ANSWERS };
  const windows = planWindows(instance, limits);
  const conversation = await followWindows(task, ask, windows, plan.entries, (team, window) => {
    const { jobs, promptTokens, answerTokens } = window;
    const room = contextTokens - promptTokens - answerTokens;
    const text = writeRepair({ plan, findings, jobs, format, room });
    return createTeam(team).plan({ role: 'supervisor', purpose: 'repair', task: text });
  });
  return { ...conversation, windows, ...promptOf('repair', settings) };
}
