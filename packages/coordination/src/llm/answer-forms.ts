import { joinNames } from '../model/action-words.js';
import { formatClock } from '../model/clock.js';
import { type Action, type CoordinationPlan, writePlan } from '../model/plan.js';

/** Answer formats that a model may be asked to use. */
export const ASKED_FORMS = ['json', 'table', 'prose'] as const;
export type AskedForm = (typeof ASKED_FORMS)[number];

/** A plan in the format of a model's answer, with its claims. */
export function writeAnswer(plan: CoordinationPlan, form: AskedForm, feasible = true): string {
  const { metres, finish } = plan.claims;
  if (form === 'json') {
    const { actions, claims } = writePlan(plan);
    return JSON.stringify({ actions, feasible, claims }, null, 1);
  }
  const lines =
    form === 'prose'
      ? plan.actions.map(writeSentence)
      : ['| time | task | people |', '| --- | --- | --- |', ...plan.actions.map(writeTableRow)];
  return [
    ...lines,
    '',
    `Feasible: ${feasible ? 'yes' : 'no'}`,
    ...(metres === undefined ? [] : [`Distance: ${metres / 1000} km`]),
    ...(finish === undefined ? [] : [`Finish: ${formatClock(finish)}`]),
  ].join('\n');
}

/** An action as a line of prose: `12:00 – 12:40: pat drives pats-car from W to B with alex`. */
export function writeSentence(action: Action): string {
  const time = `${formatClock(action.start)} – ${formatClock(action.end)}`;
  if (action.do === 'drive') {
    const { vehicle, who, from, to, with: passengers } = action;
    const subject = who === null ? `${vehicle} drives` : `${who} drives ${vehicle}`;
    const others = passengers.length === 0 ? '' : ` with ${joinNames(passengers)}`;
    return `${time}: ${subject} from ${from} to ${to}${others}`;
  }
  const people = action.who.length === 0 ? 'nobody' : joinNames(action.who);
  if (action.do === 'stay') return `${time}: ${people} stay at ${action.at}`;
  return `${time}: ${people} do ${action.activity} at ${action.at}`;
}

function writeTableRow(action: Action): string {
  const time = `${formatClock(action.start)}–${formatClock(action.end)}`;
  if (action.do !== 'drive') {
    const task = action.do === 'stay' ? 'stay' : action.activity;
    return `| ${time} | ${task} at ${action.at} | ${action.who.join(', ')} |`;
  }
  const { vehicle, who, from, to, with: passengers } = action;
  const people = [...(who === null ? [] : [`${who} (driver)`]), ...passengers];
  return `| ${time} | drive ${vehicle} from ${from} to ${to} | ${people.join(', ')} |`;
}
