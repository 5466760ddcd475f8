import { openTrialSystem } from '@alas-jssp/agents';
import {
  Command,
  columnsOf,
  counted,
  exitCode,
  type OutputOptions,
  onInterruption,
  print,
  printRows,
  remark,
  remarkVerdict,
  type Session,
  whole,
  wholeNumber,
  withOutput,
  withSeed,
} from 'alas-jssp/command-line';
import { readDraft } from '../folder/read-draft.js';
import {
  type RehearsalProblem,
  type RehearsalReport,
  rehearse,
  type ScenarioReport,
} from '../rehearsal/rehearse.js';
import { createCodeHandler } from '../running/code-handler.js';
import { requireRunnable } from '../running/open-draft.js';
import { createSandbox, type Sandbox } from '../sandbox/sandbox.js';

interface RehearseOptions extends OutputOptions {
  faults: boolean;
  runs: number;
  seed: number;
  only?: string;
}

/** `alas-jssp workflow rehearse`: runs a draft in simulated time, with faults, before anything real is called. */
export function createRehearseCommand(session: Session): Command {
  return withSeed(withOutput(session, new Command('rehearse')))
    .description('run a draft in simulation, with faults, before anything real is called')
    .argument('<directory>', 'folder of a draft')
    .option('--faults', 'inject faults: failures, late answers, kills, denials, …', false)
    .option('--runs <count>', 'runs of each random scenario', wholeNumber('a count of runs', 1), 20)
    .option('--only <text>', 'only scenarios whose names contain this text')
    .addHelpText(
      'after',
      `
Tools are replaced by a trial system: that of their module (createTrial), or one
made from the records that they declare. Outputs of models are drawn from their
schemas by the seed, most of them acceptable; code runs as it is. Time is
simulated.

Without faults, inputs are the example and variants of it. With --faults, each
node fails before it acts, acts without an answer, answers late, very late or
never, and is called twice; its undo fails, too. The process is killed just
before and after each entry of the log, approvals are denied, not given, and
given by a stranger; and all of that is mixed at random.

After each run, every change in the trial system must be committed, undone (the
record is as before), listed as left, or in doubt. Anything else is unaccounted
for, and is printed with its story; the same --seed repeats it.

Exit code 0 if all is accounted for and no constraint was broken, 1 if not.

Examples:
  $ alas-jssp workflow rehearse refund
  $ alas-jssp workflow rehearse refund --faults --runs 100
  $ alas-jssp workflow rehearse refund --faults --only 'refund: answer lost'`,
    )
    .action(async (directory: string, options: RehearseOptions) => {
      session.exitCode = await run(session, directory, options);
    });
}

async function run(session: Session, directory: string, options: RehearseOptions): Promise<number> {
  const draft = requireRunnable(readDraft(directory, { edited: 'allow' }));
  if (draft.edited.length > 0) {
    remark(session, `changed after the draft was written: ${draft.edited.join(', ')}`);
  }
  const { faults, runs, seed, only } = options;
  const sandbox = createSandbox();
  const stop = new AbortController();
  const stopListening = onInterruption(session, () => stop.abort());
  try {
    const report = await rehearse(draft, {
      faults,
      runs,
      seed,
      only: only === undefined ? undefined : (scenario) => scenario.includes(only),
      openTrial: (own) => openTrialSystem(draft.catalogue, { directory, seed: own }),
      codeOf: (_, { implementation }) => codeHandler(draft.files, implementation, sandbox),
      signal: stop.signal,
      onProgress: (progress) => remarkProgress(session, progress.runs),
    });
    await printReport(session, directory, report, options);
    return report.passed ? exitCode.done : exitCode.no;
  } catch (error) {
    if (stop.signal.aborted) return exitCode.interrupted;
    throw error;
  } finally {
    stopListening();
    await sandbox.close();
  }
}

function codeHandler(
  files: Readonly<Record<string, string>>,
  implementation: { readonly kind: string; readonly file?: string },
  sandbox: Sandbox,
) {
  const source = implementation.kind === 'code' ? files[implementation.file ?? ''] : undefined;
  return source === undefined ? undefined : createCodeHandler(source, sandbox);
}

/** Runs between two remarks on progress. */
const PROGRESS_RUNS = 250;

function remarkProgress(session: Session, runs: number): void {
  if (runs % PROGRESS_RUNS === 0) remark(session, `${whole(runs)} runs`);
}

const column = columnsOf<ScenarioReport>();
const columns = [
  column('scenario'),
  column('runs'),
  column.of('ended', (scenario) => describeEnds(scenario), {
    tone: ({ missed }) => (missed ? 'quiet' : 'plain'),
  }),
  column.of('done', ({ effects }) => effects.done),
  column.of('undone', ({ effects }) => effects.undone),
  column.of('left', ({ effects }) => effects.left),
  column.of('in doubt', ({ effects }) => effects.inDoubt),
  column.of('undo calls', ({ undoCalls }) => undoCalls, { minor: 1 }),
  column.of('seconds', ({ seconds }) => Math.round(seconds), { minor: 2 }),
  column.of('unaccounted', ({ problems }) => problems, {
    tone: ({ problems }) => (problems > 0 ? 'bad' : 'plain'),
  }),
];

function describeEnds({ ends, missed }: ScenarioReport): string {
  const counts = Object.entries(ends).map(([status, count]) => `${count} ${status}`);
  return missed ? `not reached: ${counts.join(', ')}` : counts.join(', ');
}

/** Counts the scenarios that tried nothing, because no run came there. */
function describeMissed(scenarios: readonly ScenarioReport[]): string | undefined {
  const missed = scenarios.filter((scenario) => scenario.missed);
  if (missed.length === 0) return undefined;
  const places = [...new Set(missed.map(({ scenario }) => scenario.replace(/: [^:]*$/, '')))];
  const count = counted(missed.length, 'scenario');
  return `${count} of ${places.join(', ')} tried nothing: no run came there`;
}

async function printReport(
  session: Session,
  directory: string,
  report: RehearsalReport,
  { format, faults }: RehearseOptions,
): Promise<void> {
  const { scenarios, problems, runs, seed } = report;
  await printRows(session, format, columns, scenarios, report);
  const found =
    problems.length === 0 ? 'all effects accounted for' : counted(problems.length, 'problem');
  const verdict = `${counted(runs, 'run')}: ${found}`;
  if (format === 'table') {
    const again = `alas-jssp workflow rehearse ${directory}${faults ? ' --faults' : ''} --seed ${seed}`;
    const lines = problems.length === 0 ? [] : describeProblems(problems, again);
    await print(session, [...lines, verdict].join('\n'));
  }
  remarkVerdict(session, format, verdict);
  const missed = describeMissed(scenarios);
  if (missed !== undefined) remark(session, missed);
}

/** The most problems that are printed; further ones are counted. */
const MOST_PROBLEMS = 10;

function describeProblems(problems: readonly RehearsalProblem[], again: string): string[] {
  const shown = problems.slice(0, MOST_PROBLEMS);
  const lines = shown.map(
    ({ scenario, run, code, message }) => `${scenario}, run ${run}: ${code}: ${message}`,
  );
  const more = problems.length - shown.length;
  const [{ scenario, story }] = problems;
  return [
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    `the story of the first (repeat it: ${again} --only '${scenario}'):`,
    ...story,
  ];
}
