import type { AnswerShape, Message } from 'alas-jssp/llm';
import type { Past } from '../judge/past.js';
import { formatClock } from '../model/clock.js';
import type { CoordinationPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { statementsOf } from '../model/statements.js';
import { type AskedForm, writeAnswer, writeSentence } from './answer-forms.js';
import { fillerText } from './filler.js';

/**
 * Positions of the constraints in the prompt: once; repeated right before the question; or far before it, behind other
 * text.
 */
export const NARROWING = ['once', 'repeated', 'far'] as const;
/**
 * The part of the past that a conversation contains: nothing beyond the conversation itself, or the log of past
 * actions.
 */
export const AMNESIA = ['conversation', 'log'] as const;

const SYSTEM =
  'You plan who does what, where and when. You keep every constraint that is stated, and use no names but those that are stated.';

const RULES = `Rules:
- Everybody and every vehicle begins where and when it is stated, and is at one place at a time.
- A drive is one road in one vehicle, and takes the minutes of the road or longer; a way over several roads is several drives.
- A vehicle is driven by somebody who may drive it, unless it has a driver of its own, and takes no more passengers than stated.
- Nobody takes part in two actions at once. An activity takes its minutes or longer, at its place, by the people it needs.
- Every activity that is not optional is done, every ride is made, within all times that are stated.
- The plan begins at the beginning of the day: what has happened already is part of it.`;

/** The prompt for a plan. */
export function planPrompt(
  problem: Problem,
  form: AskedForm,
  past?: Past,
  narrowing: (typeof NARROWING)[number] = 'once',
): Message[] {
  const statement = describeProblem(problem);
  const parts = {
    once: [statement],
    repeated: [
      statement,
      formatText(form),
      `Once more, what the plan has to keep:\n\n${statement}`,
    ],
    far: [statement, fillerText(), `Now back to the plan for '${problem.name}'.`],
  };
  const happened = past === undefined ? [] : [describePast(past)];
  return [
    { role: 'system', content: SYSTEM },
    user(...parts[narrowing], ...happened, `Make the plan.`, formatText(form)),
  ];
}

/** The prompt for another plan after a change, in the conversation that produced the first plan. */
export function replanPrompt(
  [before, problem]: readonly [Problem, Problem],
  form: AskedForm,
  past: Past,
  told: (typeof AMNESIA)[number],
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
    user(
      `It is ${formatClock(past.now)} now, and the plan has been carried out so far. Something has changed. What holds from now on:\n${list(fresh)}`,
      ...(gone.length === 0 ? [] : [`What does not hold any more:\n${list(gone)}`]),
      ...(told === 'log' ? [describePast(past)] : []),
      'Make the whole plan of the day again, with what has happened so far, and with what is to be done now.',
      formatText(form),
    ),
  ];
}

/** The prompt that asks whether a plan keeps all constraints and, if given, the past. */
export function judgePrompt(problem: Problem, plan: CoordinationPlan, past?: Past): Message[] {
  const [table] = writeAnswer({ ...plan, claims: {} }, 'table').split('\n\n');
  return [
    { role: 'system', content: SYSTEM },
    user(
      describeProblem(problem),
      ...(past === undefined ? [] : [describePast(past)]),
      `Here is a plan:\n\n${table}`,
      'Does it keep all constraints? Answer in the first line `Feasible: yes` or `Feasible: no`, and then, one line each, what it breaks.',
    ),
  ];
}

/** The plan schema for providers that enforce schemas. Fields that an action does not have are empty. */
export const PLAN_SHAPE: AnswerShape = {
  name: 'coordination_plan',
  schema: record({
    actions: {
      type: 'array',
      items: record({
        do: { type: 'string', enum: ['drive', 'activity', 'stay'] },
        start: text(),
        end: text(),
        who: list(),
        with: list(),
        vehicle: text(),
        from: text(),
        to: text(),
        activity: text(),
        at: text(),
      }),
    },
    feasible: { type: 'boolean' },
    claims: record({ km: { type: 'number' }, finish: text() }),
  }),
};

function record(properties: Record<string, unknown>) {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false };
}

function text() {
  return { type: 'string' };
}

function list() {
  return { type: 'array', items: text() };
}

function user(...parts: readonly string[]): Message {
  return { role: 'user', content: parts.join('\n\n') };
}

/** The facts of a problem, the rules of plans, and the cost of a plan. */
function describeProblem(problem: Problem): string {
  const { facts, objective, name } = problem;
  const facts_ = statementsOf(problem).map((one) => `- ${one.kind} ${one.name}: ${one.facts}`);
  const prices = [
    `${objective.km} for a kilometre`,
    ...(objective.finish_minutes > 0
      ? [`${objective.finish_minutes} for a minute until all is done`]
      : []),
    ...(objective.idle_minutes > 0 ? [`${objective.idle_minutes} for a minute of waiting`] : []),
    ...(problem.preferences.length > 0
      ? ['for a preference that is not kept what it is worth']
      : []),
  ];
  return [
    `Problem '${name}'${facts.text === undefined ? '' : `: ${facts.text}`}`,
    `Facts (times are HH:MM):\n${facts_.join('\n')}`,
    RULES,
    `The best plan costs least: ${prices.join(', ')}.`,
  ].join('\n\n');
}

function describePast({ plan, now }: Past): string {
  const begun = plan.actions.filter(({ do: kind, start }) => kind !== 'stay' && start < now);
  const lines = begun.map((one) => `- ${writeSentence(one)}${one.end > now ? ' (under way)' : ''}`);
  return `By the log, at ${formatClock(now)} this has happened or is under way, and stays as it is:\n${lines.join('\n')}`;
}

const EXAMPLE: CoordinationPlan = {
  problem: 'example',
  actions: [
    {
      do: 'drive',
      vehicle: 'van',
      who: 'ann',
      with: ['ben'],
      from: 'school',
      to: 'lake',
      start: 540,
      end: 565,
    },
    { do: 'activity', activity: 'picnic', who: ['ann', 'ben'], at: 'lake', start: 570, end: 630 },
  ],
  claims: { metres: 12_000, finish: 630 },
};

const FORMATS: Readonly<Record<AskedForm, string>> = {
  json: 'Answer with one JSON object and nothing else. "who" of a drive is its driver (left out if the vehicle has a driver of its own), "with" its passengers; "claims" are the kilometres that all vehicles drive and when all is done.',
  table:
    'Answer with one table, and behind it three lines with your claims: whether the plan keeps all constraints, the kilometres that all vehicles drive, and when all is done.',
  prose:
    'Answer with one line for each action, and behind them three lines with your claims: whether the plan keeps all constraints, the kilometres that all vehicles drive, and when all is done.',
};

function formatText(form: AskedForm): string {
  return `${FORMATS[form]} An example of another problem:\n\n${writeAnswer(EXAMPLE, form)}`;
}
