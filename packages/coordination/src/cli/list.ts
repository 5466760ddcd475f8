import {
  Argument,
  Command,
  columnsOf,
  type OutputOptions,
  printRows,
  type Session,
  whole,
  withOutput,
} from 'alas-jssp/command-line';
import { describeEvent } from '../events/events.js';
import { bundledEvents, bundledNames, bundledPlan, bundledProblem } from '../papers/bundled.js';

type Listed = 'problems' | 'plans' | 'events';

/** `alas-coordination list`: lists the bundled problems, plans and events. */
export function listCommand(session: Session): Command {
  return withOutput(session, new Command('list'))
    .addArgument(
      new Argument('[what]', 'things to list')
        .choices(['problems', 'plans', 'events'])
        .default('problems'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ alas-coordination list\n  $ alas-coordination list plans\n  $ alas-coordination list events',
    )
    .action(async (what: Listed, { format }: OutputOptions) => {
      const schema = 'alas-coordination/list@1';
      if (what === 'problems') {
        const problems = bundledNames('problems').map(problemRow);
        await printRows(session, format, problemColumns, problems, { schema, problems });
      } else if (what === 'plans') {
        const plans = bundledNames('plans').map(planRow);
        await printRows(session, format, planColumns, plans, { schema, plans });
      } else {
        const events = bundledNames('events').map(eventsRow);
        await printRows(session, format, eventsColumns, events, { schema, events });
      }
    });
}

function problemRow(name: string) {
  const { people, vehicles, activities, rides, facts } = bundledProblem(name);
  return {
    problem: name,
    people: people.size,
    vehicles: vehicles.size,
    activities: activities.size,
    rides: rides.size,
    text: facts.text ?? '',
  };
}

function planRow(name: string) {
  const { problem, actions, source } = bundledPlan(name);
  return { plan: name, problem, actions: actions.length, source };
}

function eventsRow(name: string) {
  const { problem, events } = bundledEvents(name);
  return { name, problem, happens: events.map(describeEvent).join('; ') };
}

const ofProblem = columnsOf<ReturnType<typeof problemRow>>();
const problemColumns = [
  ofProblem('problem'),
  ofProblem('people', whole),
  ofProblem('vehicles', whole),
  ofProblem('activities', whole),
  ofProblem('rides', whole),
  ofProblem('text', { header: '' }),
];

const ofPlan = columnsOf<ReturnType<typeof planRow>>();
const planColumns = [ofPlan('plan'), ofPlan('problem'), ofPlan('actions', whole), ofPlan('source')];

const ofEvents = columnsOf<ReturnType<typeof eventsRow>>();
const eventsColumns = [
  ofEvents('name', { header: 'events' }),
  ofEvents('problem'),
  ofEvents('happens', { header: '' }),
];
