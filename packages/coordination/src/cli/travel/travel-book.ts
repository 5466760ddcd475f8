import { createMemoryStore, type LogStore, openSqliteStore } from '@alas-jssp/workflow';
import { AlasError, InputError } from 'alas-jssp';
import {
  amount,
  Command,
  collect,
  describeWait,
  exitCode,
  isLongWait,
  Option,
  type OutputOptions,
  onInterruption,
  remark,
  type Session,
  wholeNumber,
  withOutput,
} from 'alas-jssp/command-line';
import { TEAM_TOPOLOGIES, type TeamTopology } from '../../teams/team.js';
import { asksModel, openTeamModels } from '../../teams/team-models.js';
import { teamPlanner } from '../../travel/llm/trip-team.js';
import { readTravel, type TravelProblem } from '../../travel/model/travel-problem.js';
import { parseDeskFault } from '../../travel/service/desk-faults.js';
import { startTravelService } from '../../travel/service/travel-service.js';
import {
  bookTrip,
  decideTrip,
  resumeTrip,
  type TripOptions,
  tripInputOf,
} from '../../travel/trip/open-trip.js';
import type { TripStory } from '../../travel/trip/trip-story.js';
import type { TripDecision } from '../../travel/trip/trip-values.js';
import { loadTravelEvents, loadTravelPlan, loadTrip } from './load-trip.js';
import { faultHelp } from './travel-serve.js';
import { openTripLog, printTrip } from './travel-show.js';

interface ServiceOptions extends OutputOptions {
  run: string;
  service?: string;
  fault?: string[];
  timeout: number;
  planner?: string;
  topology: TeamTopology;
  rounds: number;
  record?: string;
}

interface BookOptions extends ServiceOptions {
  plan?: string;
  events?: string;
  log?: string;
  approve: boolean;
  proposals: number;
}

interface ResumeOptions extends ServiceOptions {
  choose?: number;
  retry: boolean;
  cancel: boolean;
  budget?: number;
  words?: string;
  by: string;
}

function withService(command: Command): Command {
  return command
    .option('--run <id>', 'id of the run in the log', 'trip')
    .option('--service <url>', 'a booking service (default: one is simulated beside the log)')
    .option('--fault <fault>', 'fault of the simulated service; may be repeated', collect)
    .option('--timeout <seconds>', 'seconds for a call', amount('a time'), 10)
    .option('--planner <spec>', 'model that plans (default: the exact search)')
    .addOption(
      new Option('--topology <name>', 'agents of that model')
        .choices(TEAM_TOPOLOGIES)
        .default('alas'),
    )
    .option('--rounds <count>', 'rounds of feedback', wholeNumber('a count', 0), 2)
    .option('--record <dir>', 'directory that keeps its answers: none is asked twice');
}

/** `alas-coordination travel book`: books a trip. */
export function travelBookCommand(session: Session): Command {
  const command = withOutput(session, new Command('book'))
    .description('book a trip by seven agents, with compensations and recovery in a log')
    .argument('<trip>', 'a bundled trip or a file; - for stdin')
    .option('--plan <file>', 'itinerary to book (default: the best one is searched)')
    .option('--events <events>', 'bundled events or a file: what happens once it is booked')
    .option('--log <file>', 'SQLite file of the log (default: in memory)')
    .option('--approve', 'wait until people choose an itinerary', false)
    .option('--proposals <count>', 'itineraries to propose', wholeNumber('a count', 1), 3);
  return withService(command)
    .addHelpText(
      'after',
      `
Phase 1 proposes itineraries; phase 2 books the transactions T1, T2 and so on in
order, each with a compensation; phase 3 answers failures: what is affected is
planned again and taken back in reverse, the books of the service are compared,
and the rest is booked. If no plan fits, it waits for people (travel resume).

A fault is FAULT:WHERE:TIMES, such as sold_out:hotel:2.
${faultHelp()}

Exit code 0 if the trip is booked, 1 if it waits for people or failed, 130 if it
was interrupted.

Examples:
  $ alas-coordination travel book berlin-cologne
  $ alas-coordination travel book berlin-cologne --fault lost_answer:hotel
  $ alas-coordination travel book berlin-cologne --events train-strike
  $ alas-coordination travel book berlin-cologne --approve --log trip.db`,
    )
    .action(async (spec: string, options: BookOptions) => {
      const problem = await loadTrip(session, spec);
      const events = await loadTravelEvents(session, problem, options.events);
      const plan =
        options.plan === undefined ? undefined : await loadTravelPlan(session, options.plan);
      const { log, run: runId, approve, proposals } = options;
      const store = log === undefined ? createMemoryStore() : openSqliteStore(log);
      try {
        if (store.runs().includes(runId)) {
          const hint = 'give another --run, or go on with it by travel resume';
          throw new InputError('run_exists', `there is a run ${runId} already`, hint, {
            file: log,
          });
        }
        const request = { problem, plan, approve, proposals, events };
        session.exitCode = await withTheService(session, store, log, problem, options, (trip) =>
          bookTrip(trip, request),
        );
      } finally {
        store.close();
      }
    });
}

/** `alas-coordination travel resume`: goes on with a trip in a log, with a decision if it waits for one. */
export function travelResumeCommand(session: Session): Command {
  const command = withOutput(session, new Command('resume'))
    .description('go on with a trip in a log, with the decision that it waits for')
    .argument('<log>', 'SQLite file of the log')
    .option('--choose <number>', 'book this proposal', wholeNumber('a number', 1))
    .option('--retry', 'let it plan again, perhaps with another budget', false)
    .option('--cancel', 'give the trip up: all bookings are taken back', false)
    .option('--budget <amount>', 'new budget', amount('a budget'))
    .option('--words <text>', 'words for a planner that is a model')
    .option('--by <name>', 'name of the person who decides', 'the user');
  return withService(command)
    .addHelpText(
      'after',
      `
Without a decision, a trip that was interrupted goes on where it was. The name
given by --by is kept in the log as it is: nothing proves it.

Examples:
  $ alas-coordination travel resume trip.db --choose 2 --by ann
  $ alas-coordination travel resume trip.db --retry --budget 5600 --by ann
  $ alas-coordination travel resume trip.db --cancel --by ann`,
    )
    .action(async (file: string, options: ResumeOptions, self: Command) => {
      const decision = decisionOf(options, self);
      const store = openTripLog(file);
      try {
        const input = tripInputOf(store, options.run);
        if (decision !== undefined) await decideTrip(store, options.run, decision);
        const service = options.service ?? input.service ?? undefined;
        const planner = options.planner ?? input.planner;
        const given = { ...options, planner, ...(service !== undefined && { service }) };
        const problem = readTravel(input.problem);
        session.exitCode = await withTheService(session, store, file, problem, given, resumeTrip);
      } finally {
        store.close();
      }
    });
}

function decisionOf(
  { choose, retry, cancel, budget, words, by }: ResumeOptions,
  command: Command,
): TripDecision | undefined {
  const given = [choose !== undefined, retry, cancel].filter(Boolean).length;
  if (given > 1) command.error('give one of --choose, --retry and --cancel');
  if (given === 0) {
    if (budget !== undefined || words !== undefined) command.error('give --retry with it');
    return undefined;
  }
  const choice = choose !== undefined ? 'choose' : retry ? 'retry' : 'cancel';
  return { choice, proposal: choose, budget, words, by };
}

/** The planner of itineraries: a team of a model; undefined for the search. */
async function plannerOf(
  session: Session,
  { planner: name, topology, rounds, record }: ServiceOptions,
): Promise<TripOptions['planner']> {
  if (name === undefined || name === 'search') return undefined;
  if (!asksModel(name)) {
    const hint = 'give a model such as openai:gpt-4.1, replay:DIR or cassette:FILE';
    throw new InputError('bad_planner', `there is no planner '${name}'`, hint, {}, name);
  }
  const models = await openTeamModels([name], {
    ...(record !== undefined && { answers: record }),
    onWait: (wait) => isLongWait(wait) && remark(session, describeWait(wait)),
  });
  const plan = teamPlanner({ topology, rounds, variant: 'full' }, (scope, signal) =>
    models.askFor({ planner: name, scope, replicate: 0, signal }),
  );
  return { name, plan };
}

/** The command by which people decide what a trip waits for. */
function nextStep(log: string | undefined, { runId, state }: TripStory): string {
  if (log === undefined) return 'nothing was kept: give --log FILE, and travel resume goes on';
  const count = state?.proposals.length ?? 0;
  const choices = count > 0 ? `--choose 1..${count}` : '--retry [--budget AMOUNT], or --cancel,';
  const run = runId === 'trip' ? '' : ` --run ${runId}`;
  return `go on with: alas-coordination travel resume ${log}${run} ${choices} --by NAME`;
}

/** Works on a trip with its service: the one at an address, or one that is simulated, with its books beside the log. */
async function withTheService(
  session: Session,
  store: LogStore,
  log: string | undefined,
  problem: TravelProblem,
  options: ServiceOptions,
  work: (options: TripOptions) => Promise<TripStory>,
): Promise<number> {
  const { run: runId, service: url, fault = [], timeout, format } = options;
  const planner = await plannerOf(session, options);
  if (url !== undefined && fault.length > 0) {
    const hint = 'give the faults to travel serve';
    throw new InputError('bad_option', '--fault is for the simulated service', hint, {});
  }
  const state = log === undefined ? undefined : `${log}.service.json`;
  const faults = fault.map(parseDeskFault);
  const simulated =
    url === undefined
      ? await startTravelService(problem, { faults, ...(state !== undefined && { state }) })
      : undefined;
  const leave = new AbortController();
  const ending = log === undefined ? undefined : 'travel resume goes on';
  const deafen = onInterruption(session, () => leave.abort(), ending);
  try {
    const story = await work({
      store,
      runId,
      service: simulated?.url ?? url ?? '',
      isSimulated: simulated !== undefined,
      planner,
      times: { timeout, wait: 0.5 },
      leave: leave.signal,
    });
    await printTrip(session, story, format);
    if (story.status === 'waiting') remark(session, nextStep(log, story));
    return story.status === 'booked' ? exitCode.done : exitCode.no;
  } catch (error) {
    if (error instanceof AlasError && error.code === 'left') return exitCode.interrupted;
    throw error;
  } finally {
    deafen();
    await simulated?.stop();
  }
}
