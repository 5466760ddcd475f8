import type { Message } from 'alas-jssp/llm';
import type { AskedForm } from '../llm/answer-forms.js';
import { planPrompt } from '../llm/prompt.js';
import type { RunTask } from '../runs/tasks.js';
import { amnesiaPrompt } from './amnesia.js';
import type { NARROWING } from './experiments.js';
import { constraintPrompt } from './lost-constraints.js';
import { narrowingPrompt } from './narrowing.js';

/**
 * The prompt for a plan, as the experiment of the task wants it.
 *
 * @throws InputError `context_too_small`
 */
export function promptOf(task: RunTask, form: AskedForm): readonly Message[] {
  const { problem, past, experiment } = task;
  if (experiment?.name === 'lost-constraints') {
    return constraintPrompt(task, experiment, form).messages;
  }
  if (experiment?.name === 'amnesia' && past !== undefined) {
    return amnesiaPrompt(task, past, experiment, form);
  }
  if (experiment?.name === 'narrowing') {
    return narrowingPrompt(task, form, experiment.arm as (typeof NARROWING)[number]);
  }
  return planPrompt(problem, form, past);
}
