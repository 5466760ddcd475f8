import type { PageData } from '../../views/page-data.js';

type Failures = NonNullable<PageData['failures']>;

/** The plans of a planner and their outcomes. */
export type PlannerFailure = Failures['planners'][number];
/** A plan that is not feasible. */
export type FailureRow = Failures['answers'][number];
/** The outcome of a plan. */
export type PlanEnd = keyof PlannerFailure['outcomes'];

/** The outcomes, from good to bad, with their meaning and their colour in charts. */
export const OUTCOMES: Readonly<
  Record<PlanEnd, { readonly name: string; readonly about: string; readonly fill: string }>
> = {
  feasible: {
    name: 'feasible',
    about: 'the validator accepts the plan as it was handed over',
    fill: 'var(--end-feasible)',
  },
  wrong: {
    name: 'breaks rules',
    about: 'it has every operation, and breaks rules of the shop',
    fill: 'var(--end-wrong)',
  },
  incomplete: {
    name: 'incomplete',
    about: 'operations are missing',
    fill: 'var(--end-incomplete)',
  },
  cut_off: {
    name: 'cut off',
    about: 'an answer breaks off, and operations are missing',
    fill: 'var(--end-cut-off)',
  },
  unreadable: {
    name: 'unreadable',
    about: 'no operation could be read of the answer',
    fill: 'var(--end-unreadable)',
  },
  refused: { name: 'refused', about: 'the model refused to answer', fill: 'var(--end-refused)' },
  failed: {
    name: 'no plan',
    about: 'the planner failed, was stopped, or got no answer',
    fill: 'var(--end-failed)',
  },
  unjudged: {
    name: 'not judged',
    about: 'it was not judged, as in variants without validation',
    fill: 'var(--end-unjudged)',
  },
};

/** Violations in words, by their code. */
const VIOLATIONS: Readonly<Record<string, string>> = {
  wrong_makespan: 'the makespan that the plan states is not that of its entries',
  below_lower_bound: 'a makespan below what any schedule can have',
  unknown_job: 'a job that the shop does not have',
  unknown_step: 'a step that its job does not have',
  unknown_machine: 'a machine that the shop does not have',
  unknown_mode: 'a mode that its operation does not have',
  duplicate_operation: 'the same operation twice',
  missing_operation: 'an operation that is missing',
  wrong_machine: 'an operation on a machine that is not its own',
  negative_time: 'a time below 0',
  fractional_time: 'a time that is no whole number',
  absurd_time: 'a time beyond all that is possible',
  wrong_duration: 'an end that is not the start plus the duration',
  frozen_moved: 'an operation moved that is fixed',
  frozen_reassigned: 'an operation that has started, on another machine',
  release: 'a start before the release of its job',
  deadline: 'an end after the deadline of its job',
  downtime: 'work while the machine is down',
  job_precedence: 'a step that begins before the step before it is done',
  lag_too_short: 'a step that begins before its transport or waiting time is over',
  lag_too_long: 'a step that waits too long',
  machine_overlap: 'two operations on one machine at the same time',
  setup: 'too little time for a setup',
  resource_overload: 'more need for a resource than there is of it',
};

/** A class of violations in words. */
export function violationWords(code: string): string {
  return VIOLATIONS[code] ?? code.replaceAll('_', ' ');
}

/** The reason of a failure in a sentence: its outcome, and the validator's findings, root causes first. */
export function reasonWords({ outcome, root_causes, violations, error }: FailureRow): string {
  const { name, about } = OUTCOMES[outcome];
  if (error !== null) return `${name}: ${error}`;
  const counts = Object.entries(violations ?? {}).sort(([, a], [, b]) => b - a);
  const isRoot = ([code]: [string, number]) => root_causes === null || code in root_causes;
  const causes = counts.filter(isRoot).map(([code, count]) => `${count} × ${violationWords(code)}`);
  if (causes.length === 0) return about;
  const rest = counts.filter((one) => !isRoot(one)).reduce((sum, [, count]) => sum + count, 0);
  const others = rest === 0 ? '' : `; ${rest} more follow from these`;
  return `${name}: ${causes.join('; ')}${others}`;
}
