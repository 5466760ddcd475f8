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
import { SUITE_READERS } from '../realm/suites/readers.js';
import { REALM_SUITES, type RealmSuite } from '../realm/suites/suite.js';

const LISTED = ['problems', 'plans', 'events', 'suites'] as const;
type Listed = (typeof LISTED)[number];

/** `alas-coordination list`: lists the bundled problems, plans and events, and the suites of REALM-Bench. */
export function listCommand(session: Session): Command {
  return withOutput(session, new Command('list'))
    .addArgument(new Argument('[what]', 'things to list').choices(LISTED).default('problems'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ alas-coordination list\n  $ alas-coordination list plans\n  $ alas-coordination list events\n  $ alas-coordination list suites',
    )
    .action(async (what: Listed, { format }: OutputOptions) => {
      const schema = 'alas-coordination/list@1';
      if (what === 'problems') {
        const problems = bundledNames('problems').map(problemRow);
        await printRows(session, format, problemColumns, problems, { schema, problems });
      } else if (what === 'plans') {
        const plans = bundledNames('plans').map(planRow);
        await printRows(session, format, planColumns, plans, { schema, plans });
      } else if (what === 'suites') {
        const suites = REALM_SUITES.flatMap(suiteRows);
        await printRows(session, format, suiteColumns, suites, { schema, suites });
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

/** A row for each fact that a user can state; one row for a suite without any. */
function suiteRows(suite: RealmSuite) {
  const { title, completions, generate } = SUITE_READERS[suite];
  const base = { suite, title, generated: generate === undefined ? 'no' : 'yes' };
  if (completions.length === 0) return [{ ...base, complete: '', needed: '', states: '' }];
  return completions.map(({ key, ours, isNeeded, states }) => ({
    ...base,
    complete: `${key}=${ours}`,
    needed: isNeeded ? 'yes' : 'no',
    states,
  }));
}

const ofSuite = columnsOf<ReturnType<typeof suiteRows>[number]>();
const suiteColumns = [
  ofSuite('suite'),
  ofSuite('title'),
  ofSuite('generated', { minor: 2 }),
  ofSuite('complete', { header: 'can be completed by (ours)' }),
  ofSuite('needed', { minor: 1 }),
  ofSuite('states', { header: 'fact', minor: 3 }),
];

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
