import type { Message } from 'alas-jssp/llm';
import type { Past } from '../judge/past.js';
import { type AskedForm, writeAnswer } from '../llm/answer-forms.js';
import { describePast, formatText, planPrompt, userMessage } from '../llm/prompt.js';
import { formatClock } from '../model/clock.js';
import type { Problem } from '../model/problem.js';
import { statementsOf } from '../model/statements.js';
import type { AMNESIA } from './experiments.js';

/** The prompt for another plan after a change, in the conversation that produced the first plan. */
export function replanPrompt(
  [before, problem]: readonly [Problem, Problem],
  form: AskedForm,
  past: Past,
  condition: (typeof AMNESIA)[number],
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
      ...(condition === 'log' ? [describePast(past)] : []),
      'Make the whole plan of the day again, with what has happened so far, and with what is to be done now.',
      formatText(form),
    ),
  ];
}
