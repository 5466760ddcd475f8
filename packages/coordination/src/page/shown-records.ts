import { parseClock } from '../model/clock.js';
import { readPlan } from '../model/plan.js';
import { type Problem, readProblem } from '../model/problem.js';
import type { CoordinationRecord } from '../runs/record.js';
import type { ShownPlan } from './plan-view.js';

/**
 * The plans of records for a page: the plans of a team that were not kept, each original plan and, if it was repaired, the
 * versions before and after repair.
 */
export function shownRecords(records: readonly CoordinationRecord[]): ShownPlan[] {
  const problems = new Map<string, Problem>();
  return records.flatMap(({ facts, past, plan, repaired, ...record }) => {
    if (plan === null) return [];
    const text = JSON.stringify(facts);
    const problem = problems.get(text) ?? readProblem(facts);
    problems.set(text, problem);
    const answer = readPlan(plan);
    const title = titleOf(record);
    const before = past === null ? undefined : readPlan(past.plan);
    const now = past === null ? undefined : parseClock(past.now);
    const shown = [
      ...otherPlans(record).map(([words, other]) => ({
        title: `${title}: ${words}`,
        problem,
        plan: other,
        before,
        now,
      })),
      { title, problem, plan: answer, before, now },
    ];
    if (repaired === null || repaired.edits === 0) return shown;
    const after = readPlan(repaired.plan);
    return [...shown, { title: `${title}: repaired`, problem, plan: after, before: answer }];
  });
}

/** The plans of a team that were not kept. */
function otherPlans({ team }: Pick<CoordinationRecord, 'team'>) {
  const { rounds, kept } = team ?? { rounds: [], kept: null };
  return rounds.flatMap(({ plan }, i) => {
    if (plan === null || i === kept) return [];
    return [[`plan ${i + 1} of ${rounds.length}, not kept`, readPlan(plan)] as const];
  });
}

function titleOf({
  problem,
  planner,
  source,
  replicate,
  experiment,
  team,
  variant,
  disruption,
}: Omit<CoordinationRecord, 'facts' | 'past' | 'plan' | 'repaired'>) {
  const parts = [
    `${problem} by ${source ?? planner}`,
    ...(experiment === null ? [] : [`${experiment.name}: ${experiment.condition}`]),
    ...(team === null ? [] : [`team of topology ${team.topology}`]),
    ...(variant === 'full' ? [] : [variant]),
    ...(disruption === null ? [] : [timeInWords(disruption)]),
    ...(replicate === 0 ? [] : [`replicate ${replicate}`]),
  ];
  return parts.join(', ');
}

function timeInWords({ at, events }: NonNullable<CoordinationRecord['disruption']>): string {
  return at === null ? 'before any event' : `after ${events.join('; ')}`;
}
