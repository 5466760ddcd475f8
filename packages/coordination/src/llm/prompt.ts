import type { AnswerShape, Message } from 'alas-jssp/llm';
import type { Past } from '../judge/past.js';
import { formatClock } from '../model/clock.js';
import type { CoordinationPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { statementsOf } from '../model/statements.js';
import { type AskedForm, writeAnswer, writeSentence } from './answer-forms.js';

/** The system prompt of planners. */
export const SYSTEM =
  'You plan who does what, where and when. You keep every constraint that is stated, and use no names but those that are stated.';

const RULES = `Rules:
- Everybody and every vehicle begins where and when it is stated, and is at one place at a time.
- A drive is one road in one vehicle, and takes the minutes of the road or longer; a way over several roads is several drives.
- A vehicle is driven by somebody who may drive it, unless it has a driver of its own, and takes no more passengers than stated.
- Nobody takes part in two actions at once. An activity takes its minutes or longer, at its place, by the people it needs.
- Every activity that is not optional is done, every ride is made, within all times that are stated.
- The plan begins at the beginning of the day: what has happened already is part of it.`;

/** The prompt for a plan. */
export function planPrompt(problem: Problem, form: AskedForm, past?: Past): Message[] {
  return promptFor(describeProblem(problem), ...pastParts(past), ...questionFor(form));
}

/** A prompt of these parts. */
export function promptFor(...parts: readonly string[]): Message[] {
  return [{ role: 'system', content: SYSTEM }, userMessage(...parts)];
}

/** The question for a plan. */
export function questionFor(form: AskedForm): string[] {
  return ['Make the plan.', formatText(form)];
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

/** A message of the user. */
export function userMessage(...parts: readonly string[]): Message {
  return { role: 'user', content: parts.join('\n\n') };
}

/** The facts of a problem, the rules of plans, and the cost of a plan. */
export function describeProblem(problem: Problem): string {
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

/** The past by the log, as part of a prompt. */
export function pastParts(past: Past | undefined): string[] {
  return past === undefined ? [] : [describePast(past)];
}

/** The begun actions, in words. */
export function describePast({ plan, now }: Past): string {
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

/** The form of the answer, with an example. */
export function formatText(form: AskedForm): string {
  return `${FORMATS[form]} An example of another problem:\n\n${writeAnswer(EXAMPLE, form)}`;
}
