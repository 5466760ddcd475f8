import type { Message } from 'alas-jssp/llm';
import type { Past } from '../judge/past.js';
import { type AskedForm, writeAnswer } from '../llm/answer-forms.js';
import {
  describePast,
  describeProblem,
  formatText,
  planPrompt,
  promptFor,
  userMessage,
} from '../llm/prompt.js';
import { formatClock } from '../model/clock.js';
import type { Problem } from '../model/problem.js';
import { statementsOf } from '../model/statements.js';
import { bundledProblem } from '../papers/bundled.js';
import type { RunTask } from '../runs/tasks.js';
import { conversationOf, threadOf } from './conversation.js';
import type { ExperimentTrial } from './experiments.js';
import { latestTurns, relevantPast } from './memory.js';

/**
 * The prompt for another plan after a change, with what the arm shows of the past.
 *
 * @throws InputError `context_too_small`
 */
export function amnesiaPrompt(
  { problem, replicate }: RunTask,
  past: Past,
  { arm, memory }: ExperimentTrial,
  form: AskedForm,
): Message[] {
  if (arm === 'conversation' || arm === 'log') {
    return replanPrompt([bundledProblem(past.plan.problem), problem], form, past, arm);
  }
  const limit = memory ?? Number.POSITIVE_INFINITY;
  // Since the plan was made, the conversation was about other things.
  const turns = conversationOf(problem, limit, replicate).filter((one) => one.constraint === null);
  const question = [
    describeProblem(problem),
    `It is ${formatClock(past.now)} now, and the plan that was made before has been carried out so far. The facts above are those of now.`,
    AGAIN,
    formatText(form),
  ];
  if (arm === 'slices') return promptFor(relevantPast(problem, past, turns, limit), ...question);
  const [system, last] = promptFor(...question);
  return [system, ...threadOf(latestTurns(turns, limit)), last];
}

const AGAIN =
  'Make the whole plan of the day again, with what has happened so far, and with what is to be done now.';

/** The prompt in the conversation that produced the first plan. */
function replanPrompt(
  [before, problem]: readonly [Problem, Problem],
  form: AskedForm,
  past: Past,
  arm: 'conversation' | 'log',
): Message[] {
  const lines = (one: Problem) =>
    statementsOf(one).map(({ kind, name, facts }) => `${kind} ${name}: ${facts}`);
  const [old, now] = [lines(before), lines(problem)];
  const list = (some: readonly string[]) => some.map((line) => `- ${line}`).join('\n');
  const fresh = now.filter((line) => !old.includes(line));
  const gone = old.filter((line) => !now.includes(line));
  return [
    ...planPrompt(before, form),
    { role: 'assistant', content: writeAnswer({ ...past.plan, claims: {} }, form) },
    userMessage(
      `It is ${formatClock(past.now)} now, and the plan has been carried out so far. Something has changed. What holds from now on:\n${list(fresh)}`,
      ...(gone.length === 0 ? [] : [`What does not hold any more:\n${list(gone)}`]),
      ...(arm === 'log' ? [describePast(past)] : []),
      AGAIN,
      formatText(form),
    ),
  ];
}
