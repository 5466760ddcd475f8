import { printableLine, writeJsonFile } from '@alas-jssp/core';
import { AlasError, InputError } from 'alas-jssp';
import {
  Command,
  columnsOf,
  counted,
  exitCode,
  namingFile,
  type OutputOptions,
  outputFile,
  print,
  printRows,
  remarkVerdict,
  type Session,
  withOutput,
} from 'alas-jssp/command-line';
import { applyEvent, type CoordinationEvent, describeEvent } from '../events/events.js';
import { groupViolations } from '../judge/groups.js';
import { judge } from '../judge/judge.js';
import { formatClock, parseClock } from '../model/clock.js';
import { type CoordinationPlan, writePlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import type { Change } from '../repair/changes.js';
import { changeInWords, changesInWords, noticesOf } from '../repair/notices.js';
import {
  type CoordinationRepair,
  REPAIR_BUDGET,
  REPAIR_PHASE_WORDS,
  repairCoordination,
} from '../repair/repair.js';
import {
  clockOption,
  loadEvents,
  loadPlan,
  loadProblem,
  refuseSecondStdin,
  warnOfOtherProblem,
} from './load.js';
import { writePlanPage } from './plan-page-file.js';

interface Options extends OutputOptions {
  now?: number;
  out?: string;
  html?: string;
  budget: string;
}

/** `alas-coordination repair`: repairs a plan after events. */
export function repairCommand(session: Session): Command {
  return withOutput(session, new Command('repair'))
    .argument('<problem>', 'a bundled problem or a file; - for stdin')
    .argument('<plan>', 'the plan that is carried out: a bundled plan or a file; - for stdin')
    .argument('<events>', 'bundled events or a file; - for stdin')
    .option(
      '--now <time>',
      'clock time at which all events are known (default: their own)',
      clockOption,
    )
    .option('--out <file>', 'file for the repaired plan', outputFile)
    .option('--html <file>', 'write charts and tables of before and after as a page', outputFile)
    .option(
      '--budget <budget>',
      'budget of each step, such as 10s or 50k-iterations',
      REPAIR_BUDGET,
    )
    .addHelpText(
      'after',
      `
Events that become known together are repaired together, one time after the
other. What has begun by then stays as it is. The first of these steps that leads
to a plan is taken: keep the plan; the same actions at other times; new rides put
into the ways of vehicles; other actions of those who were hit; of those who act
with them; a new plan. The judge judges each plan, with what has happened.

Exit code 0 if the plan is repaired, 1 if there is no repair.

Examples:
  $ alas-coordination repair wedding wedding wedding-traffic
  $ alas-coordination repair ride-sharing ride-sharing ride-sharing-reactive --json
  $ alas-coordination repair thanksgiving alas-table-21 thanksgiving-delay-noon \\
      --now 13:00 --out repaired.json`,
    )
    .action(async (spec: string, plan: string, events: string, options: Options) => {
      session.exitCode = await repair(session, [spec, plan, events], options);
    });
}

/** A repair, and the events and the plan that it answers. */
interface RepairStep {
  readonly now: number;
  readonly events: readonly CoordinationEvent[];
  readonly problem: Problem;
  readonly before: CoordinationPlan;
  readonly repair: CoordinationRepair;
}

async function repair(
  session: Session,
  [spec, planSpec, eventsSpec]: readonly [string, string, string],
  { format, now, out, html, budget }: Options,
): Promise<number> {
  refuseSecondStdin([spec, planSpec, eventsSpec]);
  let problem = await loadProblem(session, spec);
  let plan = await loadPlan(session, planSpec);
  const list = await loadEvents(session, eventsSpec);
  warnOfOtherProblem(session, problem, { plan, events: list });
  const known = now === undefined ? list.events : list.events.map((one) => knownAt(one, now));
  const steps: RepairStep[] = [];
  let failure: string | null = null;
  for (const events of together(known)) {
    problem = await namingFile(eventsSpec, () => events.reduce(applyEvent, problem));
    const at = parseClock(events[0].at);
    const made = await namingFile(eventsSpec, () => tryRepair(problem, plan, at, budget));
    if (typeof made === 'string') {
      failure = `no repair at ${formatClock(at)}: ${made}`;
      break;
    }
    steps.push({ now: at, events, problem, before: plan, repair: made });
    plan = made.plan;
  }
  if (failure === null && out !== undefined) writeJsonFile(out, writePlan(plan));
  if (html !== undefined)
    writePlanPage(session, html, `Repair: ${problem.name}`, steps.map(shownStep));
  if (format === 'table') {
    const lines = steps.flatMap((step) => [...describeStep(step), '']);
    await print(session, [...lines, failure ?? costLine(steps)].map(printableLine).join('\n'));
  } else {
    const data = {
      schema: 'alas-coordination/repair@1',
      problem: problem.name,
      repaired: failure === null,
      ...(failure !== null && { reason: failure }),
      steps: steps.map(stepData),
      plan: failure === null ? writePlan(plan) : null,
    };
    const rows = steps.flatMap(({ now: at, problem: then, repair: { changes } }) =>
      changes.map((change) => ({ ...change, now: at, words: changeInWords(then, change) })),
    );
    await printRows(session, format, columns, rows, data);
    remarkVerdict(session, format, failure ?? costLine(steps));
  }
  return failure === null ? exitCode.done : exitCode.no;
}

/** The same event, with another time at which it becomes known. */
function knownAt(event: CoordinationEvent, now: number): CoordinationEvent {
  return { ...event, at: formatClock(now) };
}

/** Groups events by the time at which they become known. */
function together(events: readonly CoordinationEvent[]): CoordinationEvent[][] {
  const times = [...new Set(events.map(({ at }) => parseClock(at)))];
  return times.map((time) => events.filter(({ at }) => parseClock(at) === time));
}

/** A repair that the judge accepts, or the reason why there is none. */
function tryRepair(
  problem: Problem,
  before: CoordinationPlan,
  now: number,
  budget: string,
): CoordinationRepair | string {
  try {
    const made = repairCoordination(problem, before, { now, budget });
    const { valid, violations } = judge(problem, made.plan, { plan: before, now });
    return valid ? made : violations[0].message;
  } catch (error) {
    if (!(error instanceof AlasError) || error instanceof InputError) throw error;
    return error.message;
  }
}

function describeStep({ now, events, problem, before, repair: made }: RepairStep): string[] {
  const { phase, violations, changes, editRadius, promises } = made;
  const actions = counted(changes.length, 'action');
  const radius = editRadius.toFixed(2);
  const causes = groupViolations(before, violations).map(({ root }) => root);
  return [
    ...events.map(describeEvent),
    ...causes.map(({ message, code }) => `  so ${message} [${code}]`),
    `Repaired by '${phase}' (${REPAIR_PHASE_WORDS[phase]}): ${actions} changed, edit radius ${radius}`,
    ...changesInWords(problem, changes, noticesOf(problem, made), promises).map(
      (line) => `  ${line}`,
    ),
    `What has begun by ${formatClock(now)} stays; the judge accepts the plan.`,
  ];
}

/** The plans of a repair step, for a page. */
function shownStep({ now, events, problem, before, repair: { plan } }: RepairStep) {
  return { title: events.map(describeEvent).join('; '), problem, plan, before, now };
}

function costLine(steps: readonly RepairStep[]): string {
  const [first, last] = [steps.at(0)?.repair, steps.at(-1)?.repair];
  if (first === undefined || last === undefined) return 'nothing happens';
  const km = (metres: number) => (metres / 1000).toFixed(1);
  const { costBefore, cost } = { costBefore: first.costBefore, cost: last.cost };
  return `cost ${last.cost.total} instead of ${costBefore.total}, ${km(cost.metres)} km instead of ${km(costBefore.metres)}, ends at ${formatClock(cost.finish)} instead of ${formatClock(costBefore.finish)}`;
}

function stepData({ now, events, problem, before, repair: made }: RepairStep) {
  const { phase, violations, freed, changes, editRadius, promises, cost, costBefore } = made;
  return {
    now: formatClock(now),
    events,
    because: groupViolations(before, violations),
    phase,
    freed,
    changes,
    edit_radius: editRadius,
    told: noticesOf(problem, made),
    promises,
    cost_before: costBefore,
    cost,
  };
}

const column = columnsOf<Change & { readonly now: number; readonly words: string }>();
const columns = [
  column.of('now', ({ now }) => formatClock(now)),
  column('kind', { header: 'change' }),
  column.of('was', ({ before }) => before && formatClock(before.start)),
  column.of('start', ({ after }) => after && formatClock(after.start)),
  column.of('end', ({ after }) => after && formatClock(after.end)),
  column('words', { header: '' }),
];
