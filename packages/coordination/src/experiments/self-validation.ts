import type { Message } from 'alas-jssp/llm';
import { judge } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import { writeAnswer } from '../llm/answer-forms.js';
import { describeProblem, pastParts, promptFor, userMessage } from '../llm/prompt.js';
import type { CoordinationPlan, Drive } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { statementsOf } from '../model/statements.js';
import type { RunTask } from '../runs/tasks.js';

const QUESTION =
  'Does it keep all constraints? Answer in the first line `Feasible: yes` or `Feasible: no`, and then, one line each, what it breaks.';

/** The prompt that asks whether a plan keeps all constraints and, if given, the past. */
export function judgePrompt(problem: Problem, plan: CoordinationPlan, past?: Past): Message[] {
  return promptFor(describeProblem(problem), ...pastParts(past), shownPlan(plan), QUESTION);
}

/** The prompt that asks for a verdict in the conversation in which the plan was made. */
export function threadJudgePrompt(asked: readonly Message[], answer: string): Message[] {
  return [...asked, { role: 'assistant', content: answer }, userMessage(QUESTION)];
}

/** The facts that each of two narrow validators sees. */
const SCOPES = [
  { about: 'drives and rides', kinds: ['road', 'traffic', 'person', 'vehicle', 'ride'] },
  { about: 'activities, and who is where', kinds: ['place', 'person', 'activity', 'resource'] },
];

/** The prompts of validators with narrow contexts: each sees the plan, and the facts of its scope. */
export function narrowJudgePrompts(
  problem: Problem,
  plan: CoordinationPlan,
  past?: Past,
): Message[][] {
  const statements = statementsOf(problem);
  return SCOPES.map(({ about, kinds }) => {
    const own = statements.filter(({ kind }) => kinds.includes(kind));
    const lines = own.map(({ kind, name, facts }) => `- ${kind} ${name}: ${facts}`);
    return promptFor(
      `Problem '${problem.name}'. You check the ${about} of a plan; others check the rest.`,
      `Facts (times are HH:MM):\n${lines.join('\n')}`,
      ...pastParts(past),
      shownPlan(plan),
      QUESTION,
    );
  });
}

function shownPlan(plan: CoordinationPlan): string {
  const [table] = writeAnswer({ ...plan, claims: {} }, 'table').split('\n\n');
  return `Here is a plan:\n\n${table}`;
}

/** Plans by another author. */
export type JudgedKind = 'correct' | 'too-fast' | 'left-out';

/** A plan by another author for a model to judge: valid, or with one fault. */
export function judgedPlan(
  { problem, past }: RunTask,
  kind: JudgedKind,
  correct: CoordinationPlan | null,
): CoordinationPlan | null {
  if (correct === null || kind === 'correct') return correct;
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
    kind === 'too-fast'
      ? correct.actions.map((one) => (one === longest ? { ...one, end: one.start + half } : one))
      : correct.actions.filter((one) => one !== longest);
  const faulty = { ...correct, actions };
  return judge(problem, faulty, past).valid ? null : faulty;
}
