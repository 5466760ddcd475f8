import type { Message } from 'alas-jssp/llm';
import { judge } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import { writeAnswer } from '../llm/answer-forms.js';
import { describeProblem, pastParts, promptFor } from '../llm/prompt.js';
import type { CoordinationPlan, Drive } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import type { RunTask } from '../runs/tasks.js';
import type { JUDGED_PLANS } from './experiments.js';

/** The prompt that asks whether a plan keeps all constraints and, if given, the past. */
export function judgePrompt(problem: Problem, plan: CoordinationPlan, past?: Past): Message[] {
  const [table] = writeAnswer({ ...plan, claims: {} }, 'table').split('\n\n');
  return promptFor(
    describeProblem(problem),
    ...pastParts(past),
    `Here is a plan:\n\n${table}`,
    'Does it keep all constraints? Answer in the first line `Feasible: yes` or `Feasible: no`, and then, one line each, what it breaks.',
  );
}

/** A plan by another author for a model to judge: valid, or with one fault. */
export function judgedPlan(
  { problem, past }: RunTask,
  condition: (typeof JUDGED_PLANS)[number],
  correct: CoordinationPlan | null,
): CoordinationPlan | null {
  if (correct === null || condition === 'correct') return correct;
  const longest = correct.actions.reduce<Drive | null>(
    (most, one) =>
      one.do === 'drive' && (most === null || one.end - one.start > most.end - most.start)
        ? one
        : most,
    null,
  );
  if (longest === null) return null;
  const half = Math.floor((longest.end - longest.start) / 2);
  const actions =
    condition === 'too-fast'
      ? correct.actions.map((one) => (one === longest ? { ...one, end: one.start + half } : one))
      : correct.actions.filter((one) => one !== longest);
  const faulty = { ...correct, actions };
  return judge(problem, faulty, past).valid ? null : faulty;
}
