import type { Message } from 'alas-jssp/llm';
import type { AskedForm } from '../llm/answer-forms.js';
import {
  describeProblem,
  formatText,
  pastParts,
  planPrompt,
  promptFor,
  questionFor,
} from '../llm/prompt.js';
import type { RunTask } from '../runs/tasks.js';
import { amnesiaPrompt } from './amnesia.js';
import type { NARROWING } from './experiments.js';
import { fillerText } from './filler.js';
import { constraintPrompt } from './lost-constraints.js';

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

/** The prompt for a plan, with the constraints where the condition puts them. */
function narrowingPrompt(
  { problem, past }: RunTask,
  form: AskedForm,
  condition: (typeof NARROWING)[number],
): Message[] {
  const statement = describeProblem(problem);
  const filler = fillerText();
  const half = filler.indexOf('\n', filler.length / 2);
  const [before, after] = [filler.slice(0, half), filler.slice(half + 1)];
  const parts = {
    once: [statement],
    repeated: [
      statement,
      formatText(form),
      `Once more, what the plan has to keep:\n\n${statement}`,
    ],
    far: [statement, filler, `Now back to the plan for '${problem.name}'.`],
    middle: [before, statement, after, `Now back to the plan for '${problem.name}'.`],
  };
  return promptFor(...parts[condition], ...pastParts(past), ...questionFor(form));
}
