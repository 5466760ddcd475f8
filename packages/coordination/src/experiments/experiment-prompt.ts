import type { Message } from 'alas-jssp/llm';
import type { AskedForm } from '../llm/answer-forms.js';
import { planPrompt } from '../llm/prompt.js';
import { bundledProblem } from '../papers/bundled.js';
import type { RunTask } from '../runs/tasks.js';
import { replanPrompt } from './amnesia.js';
import type { AMNESIA, NARROWING } from './experiments.js';
import { narrowingPrompt } from './narrowing.js';

/** The prompt for a plan, as the experiment of the task wants it. */
export function promptOf(task: RunTask, form: AskedForm): Message[] {
  const { problem, past, experiment } = task;
  if (experiment?.name === 'amnesia' && past !== undefined) {
    const condition = experiment.condition as (typeof AMNESIA)[number];
    return replanPrompt([bundledProblem(past.plan.problem), problem], form, past, condition);
  }
  if (experiment?.name === 'narrowing') {
    return narrowingPrompt(task, form, experiment.condition as (typeof NARROWING)[number]);
  }
  return planPrompt(problem, form, past);
}
