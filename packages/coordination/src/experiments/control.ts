import { InputError } from '@alas-jssp/core';
import { estimateTokens, type Message } from 'alas-jssp/llm';
import { judge } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import { writeAnswer, writeSentence } from '../llm/answer-forms.js';
import { decodeAnswer } from '../llm/decode/decode.js';
import type { CoordinationPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { statementsOf } from '../model/statements.js';
import { planCoordination } from '../plan/plan.js';
import { constraintsOf, keepConstraints, type StatedConstraint } from './constraints.js';

/** Models by a script, as controls: they plan and judge without a fault by whatever they still see of the prompt. */
const CONTROL = /^control:(?:perfect|forgets-(\d+))$/;
const PREFIX = 'control:';
/** The words before a plan of another author. */
const SHOWN_PLAN = 'Here is a plan:';
/** States of a search: enough for the problems that come with the package. */
const BUDGET = { iterations: 5000 };

/** Whether a planner is a control. */
export function isControl(planner: string): boolean {
  return planner.startsWith(PREFIX);
}

/**
 * The number of tokens at the end of a prompt that a control sees: `control:perfect` sees all of them, and
 * `control:forgets-N` the last N.
 *
 * @throws InputError `bad_planner`
 */
export function memoryOfControl(planner: string): number {
  const found = CONTROL.exec(planner);
  if (found !== null) return found[1] === undefined ? Number.POSITIVE_INFINITY : Number(found[1]);
  throw new InputError(
    'bad_planner',
    `there is no control '${planner.slice(PREFIX.length)}'`,
    'give control:perfect, or control:forgets-N with the tokens that it remembers',
    {},
    planner,
  );
}

/** The problem of a prompt. A control uses only the parts that the prompt shows. */
export interface ControlTask {
  readonly problem: Problem;
  /** Known only if the prompt shows it. */
  readonly past: Past | undefined;
}

/** Makes a function that answers prompts as a control with a memory of so many tokens. */
export function createControl(memory: number) {
  const plans = new Map<string, CoordinationPlan | null>();
  return ({ problem, past }: ControlTask, messages: readonly Message[]): string => {
    const seen = lastLines(messages.map(({ content }) => content).join('\n'), memory);
    const names = [problem.name, ...(past === undefined ? [] : [past.plan.problem])];
    if (!names.some((name) => seen.includes(`Problem '${name}'`)))
      return 'I do not know the problem.';
    const known = constraintsOf(problem).filter((one) => isSeen(problem, one, seen));
    const ids = new Set(known.map(({ id }) => id));
    const knownProblem = keepConstraints(problem, ids);
    const knownPast = past !== undefined && showsPast(past, seen) ? past : undefined;
    if (messages.at(-1)?.content.includes('Feasible: yes` or `Feasible: no`')) {
      const own = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
      const shown = seen.includes(SHOWN_PLAN) ? seen.slice(seen.lastIndexOf(SHOWN_PLAN)) : own;
      const { plan } = decodeAnswer(problem, seen.includes(own) ? shown : '');
      if (plan === null) return 'I see no plan.';
      const { valid } = judge(knownProblem, { ...plan, claims: {} }, knownPast);
      return `Feasible: ${valid ? 'yes' : 'no'}`;
    }
    const key = JSON.stringify([problem.name, [...ids], knownPast?.now ?? null]);
    const plan = plans.get(key) ?? planFor(knownProblem, knownPast);
    plans.set(key, plan);
    return plan === null ? 'There is no such plan.' : writeAnswer(plan, 'json');
  };
}

function planFor(problem: Problem, past: Past | undefined): CoordinationPlan | null {
  try {
    const { plan, cost } = planCoordination(problem, {
      budget: BUDGET,
      ...(past !== undefined && { past }),
    });
    return { ...plan, claims: { metres: cost.metres, finish: cost.finish } };
  } catch {
    // Proven, or not found within the budget.
    return null;
  }
}

/** Whether a constraint is stated on its own, or in the full statement of the thing that it limits. */
function isSeen(problem: Problem, { id, says }: StatedConstraint, seen: string): boolean {
  if (seen.includes(says)) return true;
  const [, name] = id.split('/');
  const own = statementsOf(problem).filter((one) => one.name === name);
  return own.some((one) => seen.includes(`- ${one.kind} ${one.name}: ${one.facts}\n`));
}

/** Whether a prompt shows all begun actions: by the log, or in the plan of the conversation. */
function showsPast({ plan, now }: Past, seen: string): boolean {
  const begun = plan.actions.filter((one) => one.do !== 'stay' && one.start < now);
  const answer = writeAnswer({ ...plan, claims: {} }, 'json');
  return seen.includes(answer) || begun.every((one) => seen.includes(writeSentence(one)));
}

/** The last lines of a text that have at most so many tokens. */
function lastLines(text: string, memory: number): string {
  const lines = text.split('\n');
  let tokens = 0;
  const first = lines.findLastIndex((line) => {
    tokens += estimateTokens(`${line}\n`);
    return tokens > memory;
  });
  return lines.slice(first + 1).join('\n');
}
