import { printableLine } from '@alas-jssp/core';
import {
  Command,
  columnsOf,
  counted,
  exitCode,
  type OutputOptions,
  print,
  printRows,
  remarkVerdict,
  type Session,
  withOutput,
} from 'alas-jssp/command-line';
import { groupViolations, type ViolationGroup } from '../judge/groups.js';
import { judge, type Verdict } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import type { Violation } from '../judge/violation.js';
import { formatClock } from '../model/clock.js';
import { costOfPlan, type PlanCost } from '../model/cost.js';
import type { Problem } from '../model/problem.js';
import {
  clockOption,
  loadPlan,
  loadProblem,
  refuseSecondStdin,
  warnOfOtherProblem,
} from './load.js';

/** Violations shown below each cause. */
const SHOWN_CASCADES = 3;

interface Options extends OutputOptions {
  before?: string;
  now?: number;
}

/** `alas-coordination validate`: judges a plan. */
export function validateCommand(session: Session): Command {
  return withOutput(session, new Command('validate'))
    .argument('<problem>', 'a bundled problem or a file; - for stdin')
    .argument('<plan>', 'a bundled plan or a file; - for stdin')
    .option('--before <plan>', 'the plan before a change: what has happened stays as it was')
    .option('--now <time>', 'clock time of the change, such as 13:00; with --before', clockOption)
    .addHelpText(
      'after',
      `
Exit code 0 if the plan is valid, 1 if it is not.

Examples:
  $ alas-coordination validate thanksgiving alas-table-21
  $ alas-coordination validate wedding-traffic sagallm-table-8 \\
      --before sagallm-table-6 --now 13:00
  $ alas-coordination validate ./problem.json ./plan.json --json`,
    )
    .action(async (spec: string, file: string, options: Options, command: Command) => {
      if ((options.before === undefined) !== (options.now === undefined)) {
        command.error('--before and --now are given together or not at all');
      }
      session.exitCode = await validate(session, spec, file, options);
    });
}

async function validate(
  session: Session,
  spec: string,
  file: string,
  { format, before, now }: Options,
): Promise<number> {
  refuseSecondStdin([spec, file, before]);
  const problem = await loadProblem(session, spec);
  const plan = await loadPlan(session, file);
  const past: Past | undefined =
    before === undefined || now === undefined
      ? undefined
      : { plan: await loadPlan(session, before), now };
  const verdict = judge(problem, plan, past);
  const groups = groupViolations(plan, verdict.violations);
  const line = verdictLine(problem.name, verdict, groups);
  const cost = costOfPlan(problem, plan);
  if (format === 'table') {
    await print(
      session,
      [...describe(line, groups), ...unkept(problem, cost)].map(printableLine).join('\n'),
    );
  } else {
    const { valid, violations, metres, finish } = verdict;
    const data = {
      schema: 'alas-coordination/validation@1',
      problem: problem.name,
      valid,
      violations,
      groups,
      km: metres / 1000,
      cost,
      finish: finish === null ? null : formatClock(finish),
    };
    await printRows(session, format, columns, violations, data);
    remarkVerdict(session, format, line);
  }
  warnOfOtherProblem(session, problem, { plan });
  return verdict.valid ? exitCode.done : exitCode.no;
}

/** The verdict in one line. */
function verdictLine(name: string, verdict: Verdict, groups: readonly ViolationGroup[]): string {
  const { valid, violations, metres, finish } = verdict;
  if (!valid) {
    const causes = counted(groups.length, 'root cause');
    return `${name}: invalid, ${counted(violations.length, 'violation')} from ${causes}`;
  }
  const ends = finish === null ? 'nothing is done' : `ends at ${formatClock(finish)}`;
  return `${name}: valid, ${ends}, ${(metres / 1000).toFixed(1)} km`;
}

/** The verdict and, if the plan is invalid, the root causes. */
function describe(line: string, groups: readonly ViolationGroup[]): string[] {
  const lines = [line];
  groups.forEach(({ root, cascades }, i) => {
    lines.push('', `${i + 1}. ${root.message} [${root.code}]`);
    lines.push(...cascades.slice(0, SHOWN_CASCADES).map(({ message }) => `     ${message}`));
    const more = cascades.length - SHOWN_CASCADES;
    if (more > 0) lines.push(`     and ${more} more`);
  });
  return lines;
}

/** Preferences that a plan breaks. Breaking them is not a violation. */
function unkept({ preferences }: Problem, { broken }: PlanCost): string[] {
  const lines = preferences
    .filter(({ id }) => broken.includes(id))
    .map(({ text, weight }) => `- ${text} (${weight})`);
  return lines.length === 0 ? [] : ['', 'Not kept, which is no fault:', ...lines];
}

const column = columnsOf<Violation>();
const columns = [
  column('code'),
  column.of('action', ({ action }) => (action === undefined ? null : `actions[${action}]`)),
  column.of('who', ({ person, vehicle }) => person ?? vehicle ?? null),
  column.of('what', ({ activity, ride }) => activity ?? ride ?? null),
  column('message'),
];
