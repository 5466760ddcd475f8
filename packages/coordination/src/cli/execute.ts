import { existsSync } from 'node:fs';
import { printableLine, writeJsonFile } from '@alas-jssp/core';
import { createMemoryStore, openSqliteStore } from '@alas-jssp/workflow';
import { AlasError, InputError } from 'alas-jssp';
import {
  Command,
  columnsOf,
  exitCode,
  namingFile,
  type OutputOptions,
  onInterruption,
  outputFile,
  print,
  printRows,
  remark,
  remarkVerdict,
  type Session,
  withOutput,
} from 'alas-jssp/command-line';
import { applyEvent } from '../events/events.js';
import { type AccountLine, accountOf } from '../execution/account.js';
import {
  type CoordinationExecution,
  type CoordinationOptions,
  openCoordination,
} from '../execution/open-coordination.js';
import { planWithTeam } from '../execution/team-repair.js';
import { formatClock, parseClock } from '../model/clock.js';
import { writePlan } from '../model/plan.js';
import { planCoordination } from '../plan/plan.js';
import { REPAIR_BUDGET } from '../repair/repair.js';
import {
  clockOption,
  loadEvents,
  loadPlan,
  loadProblem,
  refuseSecondStdin,
  warnOfOtherProblem,
} from './load.js';
import {
  NEEDS_PLANNER,
  openLine,
  refuseTeamOptions,
  remarkFirst,
  settingsOf,
  type TeamChoice,
  withTeamOptions,
} from './team-options.js';

interface Options extends OutputOptions, TeamChoice {
  events?: string;
  log?: string;
  run: string;
  resume: boolean;
  to?: number;
  out?: string;
  budget: string;
}

/**
 * `alas-coordination execute`: carries out a plan in simulated time, keeps a log, and repairs the plan after each
 * event.
 */
export function executeCommand(session: Session): Command {
  return withTeamOptions(withOutput(session, new Command('execute')))
    .argument('<problem>', 'a bundled problem or a file; - for stdin')
    .argument('[plan]', 'a bundled plan or a file; - for stdin (default: one is made)')
    .option('--events <events>', 'bundled events or a file; - for stdin')
    .option('--log <file>', 'SQLite file of the log (default: in memory)')
    .option('--run <id>', 'id of the run in the log', 'coordination')
    .option('--resume', 'go on with the run of that id where it broke off', false)
    .option(
      '--to <time>',
      'clock time up to which it is carried out (default: the end)',
      clockOption,
    )
    .option('--out <file>', 'file for the plan that is followed in the end', outputFile)
    .option('--budget <budget>', 'budget of each step of a repair, in iterations', REPAIR_BUDGET)
    .addHelpText(
      'after',
      `
Each moment at which something begins, ends or becomes known is a transaction
of the log. What becomes known is repaired, judged with all that has begun,
committed as the next version of the plan, and told to those whom it concerns. A
run that broke off is gone on with by --resume, which needs neither plan nor
events; what is told is read from the log alone. alas-jssp log show FILE shows
its entries; alas-jssp log replay FILE judges all proposals of the log again.

With --planner a team makes the plan, unless one is given, and plans again when
events make it invalid, with all that has begun. A proposal that is not valid is
repaired in variant full; if the team has none, the plan before is repaired. The
answers are in the log. --resume needs the planner only while the run goes on.

Exit code 0 if it is carried out, 1 if no plan or repair was found (the last
version stays), 130 if it was interrupted.

Examples:
  $ alas-coordination execute wedding wedding --events wedding-traffic
  $ alas-coordination execute thanksgiving alas-table-21 --log dinner.db \\
      --events thanksgiving-delay-1pm --to 13:30
  $ alas-coordination execute thanksgiving --log dinner.db --resume
  $ alas-coordination execute wedding --events wedding-traffic --log w.db \\
      --planner openai:gpt-4.1 --topology alas --rounds 3`,
    )
    .action(async (spec: string, plan: string | undefined, options: Options, command: Command) => {
      if (options.resume && options.log === undefined) command.error('--resume needs --log');
      if (options.resume && (plan !== undefined || options.events !== undefined)) {
        command.error('--resume goes on with the plan and the events of the log: give neither');
      }
      if (options.planner === undefined) refuseTeamOptions(command, NEEDS_PLANNER);
      else if (options.resume) {
        refuseTeamOptions(command, 'is that of the log with --resume: leave it out');
      }
      session.exitCode = await execute(session, spec, plan, options);
    });
}

async function execute(
  session: Session,
  spec: string,
  planSpec: string | undefined,
  options: Options,
): Promise<number> {
  const { run: runId, log, out, format } = options;
  // Opening a log creates it, so a missing one is refused first.
  if (options.resume && log !== undefined && !existsSync(log)) requireRun(false, options);
  let begin: Awaited<ReturnType<typeof beginning>>;
  try {
    begin = await beginning(session, spec, planSpec, options);
  } catch (error) {
    // Whatever has been asked of the team, it has answered: there is no plan.
    if (!(error instanceof AlasError && error.code === 'no_plan')) throw error;
    remark(session, printableLine(error.message));
    return exitCode.no;
  }
  const store = log === undefined ? createMemoryStore() : openSqliteStore(log);
  const interrupted = new AbortController();
  const stop = onInterruption(
    session,
    () => interrupted.abort(),
    log === undefined ? undefined : 'go on with --resume',
  );
  try {
    requireRun(store.runs().includes(runId), options);
    const opened = await openCoordination({
      store,
      runId,
      ...begin,
      leave: interrupted.signal,
    });
    if (begin.team !== undefined && !options.resume) remarkFirst(session, begin.team.settings);
    await carryOut(opened, options);
    if (out !== undefined) writeJsonFile(out, writePlan(opened.plan()));
    await report(session, opened, format);
    return opened.log().end?.status === 'FAILED' ? exitCode.no : exitCode.done;
  } catch (error) {
    if (error instanceof AlasError && error.code === 'left') return exitCode.interrupted;
    throw error;
  } finally {
    stop();
    store.close();
  }
}

/** The input: the problem and, for a new execution, the plan, the events and the team. */
async function beginning(
  session: Session,
  spec: string,
  planSpec: string | undefined,
  options: Options,
): Promise<Pick<CoordinationOptions, 'problem' | 'plan' | 'events' | 'budget' | 'team'>> {
  const { events: eventsSpec, resume, budget } = options;
  refuseSecondStdin([spec, planSpec, eventsSpec]);
  const problem = await loadProblem(session, spec);
  const line = await openLine(session, options);
  if (resume)
    return { problem, ...(line && { team: { line, settings: settingsOf(options, null) } }) };
  const given = planSpec === undefined ? undefined : await loadPlan(session, planSpec);
  const list = eventsSpec === undefined ? undefined : await loadEvents(session, eventsSpec);
  if (list !== undefined && eventsSpec !== undefined) {
    warnOfOtherProblem(session, problem, { ...(given && { plan: given }), events: list });
    await namingFile(eventsSpec, () => list.events.reduce(applyEvent, problem));
  }
  const base = { problem, budget, ...(list && { events: list.events }) };
  if (line === undefined) {
    return { ...base, plan: given ?? planCoordination(problem, { budget }).plan };
  }
  const first =
    given === undefined
      ? await planWithTeam(problem, undefined, settingsOf(options, null), line)
      : null;
  const planning = first && { team: first.team, mended: first.mended };
  const team = { line, settings: settingsOf(options, planning) };
  return { ...base, plan: given ?? first?.plan, team };
}

/** @throws InputError `run_exists` for an existing run without `--resume`; `no_run` for `--resume` without a run */
function requireRun(isThere: boolean, { resume, run, log }: Options): void {
  if (isThere === resume) return;
  const [code, problem, hint] = resume
    ? ['no_run', `there is no run ${run}`, 'leave out --resume to begin one']
    : [
        'run_exists',
        `there is a run ${run} already`,
        'give --resume to go on with it, or another --run',
      ];
  throw new InputError(code, problem, hint, { file: log }, run);
}

/** Advances time to the requested minute or to the end, or until no repair is found. */
async function carryOut(opened: CoordinationExecution, { to }: Options): Promise<void> {
  try {
    if (to !== undefined) {
      await opened.at(to);
      return;
    }
    // A repair may postpone the end.
    while (opened.state().now < endOf(opened)) await opened.at(endOf(opened));
    await opened.close();
  } catch (error) {
    // The log already records this failure.
    if (!(error instanceof AlasError && error.code === 'no_repair')) throw error;
  }
}

/** The minute after the last planned action and the last known event. */
function endOf(opened: CoordinationExecution): number {
  const ends = opened.plan().actions.map(({ end }) => end);
  const known = (opened.log().input?.events ?? []).map(({ at }) => parseClock(at));
  return 1 + Math.max(0, ...ends, ...known);
}

async function report(
  session: Session,
  opened: CoordinationExecution,
  format: OutputOptions['format'],
): Promise<void> {
  const story = opened.log();
  const account = accountOf(story);
  if (format === 'table') {
    const lines = account.map(({ time, text }) => `${time.padEnd(5)}  ${text}`);
    return print(session, lines.map(printableLine).join('\n'));
  }
  const { now, people, vehicles } = opened.state();
  const { runId, turns, state, entries, end } = story;
  await printRows(session, format, columns, account, {
    schema: 'alas-coordination/execution@1',
    run: runId,
    status: end?.status ?? 'WAITING',
    now: formatClock(Math.max(0, now)),
    version: state?.version ?? 1,
    entries,
    people,
    vehicles,
    account,
    moments: turns,
    plan: writePlan(opened.plan()),
  });
  remarkVerdict(session, format, account.at(-1)?.text ?? '');
}

const column = columnsOf<AccountLine>();
const columns = [column('time'), column('text', { header: '' })];
