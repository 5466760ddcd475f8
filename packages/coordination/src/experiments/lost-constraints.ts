import type { Message } from 'alas-jssp/llm';
import type { AskedForm } from '../llm/answer-forms.js';
import { describeProblem, pastParts, promptFor, questionFor } from '../llm/prompt.js';
import { readProblem } from '../model/problem.js';
import type { RunTask } from '../runs/tasks.js';
import { constraintsOf, keepConstraints } from './constraints.js';
import { type ConversationTurn, conversationOf, threadOf } from './conversation.js';
import type { ContextArm, ExperimentTrial } from './experiments.js';
import { latestTurns, relevantTurns } from './memory.js';

/** A prompt of the experiment, and the constraints that it states. */
export interface ConstraintPrompt {
  readonly messages: readonly Message[];
  readonly shown: ReadonlySet<string>;
}

/**
 * The prompt for a plan at the end of a growing conversation. Its question states the problem without its constraints,
 * which were stated first; what the model sees of the conversation depends on the arm.
 *
 * @throws InputError `context_too_small`
 */
export function constraintPrompt(
  { problem, past, replicate }: RunTask,
  { arm, filler, memory }: ExperimentTrial,
  form: AskedForm,
): ConstraintPrompt {
  const turns = conversationOf(problem, filler, replicate);
  const stated = turns.filter(({ constraint }) => constraint !== null);
  const { text: _, ...facts } = keepConstraints(problem, new Set()).facts;
  const question = [
    // Its text may name a constraint.
    describeProblem(readProblem(facts)),
    ...pastParts(past),
    'Keep everything that was said about it before.',
    ...questionFor(form),
  ];
  const seen: Readonly<Record<ContextArm, () => ConstraintPrompt>> = {
    everything: () => inThread(turns, question),
    recency: () => inThread(latestTurns(turns, memory ?? Number.POSITIVE_INFINITY), question),
    slices: () => ({
      messages: promptFor(
        relevantTurns(problem, turns, memory ?? Number.POSITIVE_INFINITY),
        ...question,
      ),
      shown: new Set(constraintsOf(problem).map(({ id }) => id)),
    }),
    restated: () => ({
      messages: promptFor(stated.map(({ text }) => text).join('\n'), ...question),
      shown: new Set(constraintsOf(problem).map(({ id }) => id)),
    }),
    unstated: () => ({ messages: promptFor(...question), shown: new Set() }),
  };
  return seen[arm as ContextArm]();
}

function inThread(
  turns: readonly ConversationTurn[],
  question: readonly string[],
): ConstraintPrompt {
  const [system, last] = promptFor(...question);
  return {
    messages: [system, ...threadOf(turns), last],
    shown: new Set(turns.flatMap(({ constraint }) => constraint ?? [])),
  };
}
