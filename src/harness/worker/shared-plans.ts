import type { SentError } from '@alas-jssp/core/sent-error';
import type { Plan } from '../../jssp/plan.js';
import type { PlannerProgress } from '../../pipeline/progress.js';
import type { FilledRunSpec } from '../run/spec.js';

/** The end of a program that plans, for the other variants of its task: its plan or its error. */
export interface SharedPlan {
  readonly made: { readonly plan: Plan } | { readonly error: SentError };
  readonly progress: PlannerProgress;
  readonly seconds: number;
}

/** The properties of a cell on which its plan depends. */
interface PlannedCell {
  readonly instance: string;
  readonly specification: string;
  readonly replicate: number;
}

/** The part of one task in a plan that several variants share. */
interface PlanTurn {
  /** The plan that another variant has received; undefined if this task must plan. */
  readonly planned: SharedPlan | undefined;
  /** Receives the plan, for the others. */
  keep(plan: SharedPlan): void;
  /** The task is over: if it has no plan, another one plans. */
  end(): void;
}

/** The plans of programs that variants share: a program may answer differently when it is asked again. */
export interface SharedPlans {
  /** Waits until the plan is known, or until this task is the one that plans. */
  turn(cell: PlannedCell): Promise<PlanTurn>;
}

/** A task that plans alone. */
const ALONE: PlanTurn = { planned: undefined, keep: () => {}, end: () => {} };

/**
 * Shares the plans of programs between the variants of a run in this process.
 *
 * @param isShared whether a planner may answer differently when it is asked again
 */
export function createSharedPlans(
  { variants }: Pick<FilledRunSpec, 'variants'>,
  isShared: (specification: string) => boolean,
): SharedPlans {
  const entries = new Map<string, SharedEntry>();
  return {
    async turn(cell) {
      if (variants.length < 2 || !isShared(cell.specification)) return ALONE;
      const key = JSON.stringify([cell.instance, cell.specification, cell.replicate]);
      const entry = entries.get(key) ?? { plan: undefined, planning: null, tasks: 0 };
      entries.set(key, entry);
      entry.tasks++;
      while (entry.plan === undefined && entry.planning !== null) await entry.planning;
      // All variants have had their turn: no further task needs the plan.
      if (entry.tasks === variants.length) entries.delete(key);
      if (entry.plan !== undefined) return { ...ALONE, planned: entry.plan };
      return beginPlanning(entry);
    },
  };
}

interface SharedEntry {
  plan: SharedPlan | undefined;
  /** Resolves when the task that plans has a plan, or has ended without one; null if no task plans. */
  planning: Promise<void> | null;
  tasks: number;
}

function beginPlanning(entry: SharedEntry): PlanTurn {
  let wake: () => void = () => {};
  entry.planning = new Promise((resolve) => {
    wake = resolve;
  });
  const end = () => {
    entry.planning = null;
    wake();
  };
  return {
    planned: undefined,
    keep(plan) {
      entry.plan = plan;
      end();
    },
    end,
  };
}
