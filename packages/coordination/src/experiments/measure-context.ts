import { estimateTokens } from 'alas-jssp/llm';
import type { AskedForm } from '../llm/answer-forms.js';
import type { CoordinationPlan } from '../model/plan.js';
import type { CoordinationRecord } from '../runs/record.js';
import type { RunTask } from '../runs/tasks.js';
import { constraintsOf, keptBy } from './constraints.js';
import { promptOf } from './experiment-prompt.js';
import { constraintPrompt } from './lost-constraints.js';

/** The experiment of a task for its record: the context that the model was given, and the constraints that it kept. */
export function measureContext(
  task: RunTask,
  plan: CoordinationPlan | null,
  form: AskedForm,
): CoordinationRecord['experiment'] {
  const { experiment, problem, past } = task;
  if (experiment === null) return null;
  const { name, condition, arm, filler, memory } = experiment;
  const messages = name === 'self-validation' ? [] : promptOf(task, form);
  const shown = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const context = { arm, filler, memory, shown };
  if (name !== 'lost-constraints') return { name, condition, context };
  const stated = constraintPrompt(task, experiment, form).shown;
  const kept = plan === null ? new Set<string>() : keptBy(problem, plan, past);
  const constraints = constraintsOf(problem).map(({ id }) => ({
    id,
    shown: stated.has(id),
    kept: kept.has(id),
  }));
  return { name, condition, context, constraints };
}
