import type { Budget, BudgetLike } from '@alas-jssp/core/stopping';
import type { Instance } from '../../jssp/instance.js';
import { type Objective, objectiveOf } from '../../jssp/objectives.js';
import { operationAt } from '../../jssp/plan.js';

/** A policy whose objective is known: {@link withObjective} makes it for an instance. */
export interface RepairPolicy extends OpenPolicy {
  readonly objective: Objective;
}

/**
 * The aim of a repair, the prices of changes, and its limits. Made with `policy(…)`, which adds defaults to {@link
 * PolicyChanges}.
 */
export interface OpenPolicy {
  /** Null: that of the repaired instance ({@link objectiveOf}). */
  readonly objective: Objective | null;
  /**
   * Whether the other objective (total weighted tardiness, or the makespan) breaks ties. Null: if the objective is the
   * tardiness.
   */
  readonly tieBreak: boolean | null;
  /** Costs in units of the objective, as shares of its value after local compensation. */
  readonly cost: {
    /** For each operation whose place in the queue of its machine is not the planned one. */
    readonly rankChange: number;
    /** t_WIP: for each operation that starts earlier than planned, whose material must be moved. */
    readonly movedEarlier: number;
    /** For each operation that is done in another mode than planned, as a rule on another machine. */
    readonly reassigned: number;
  };
  /** The radius of changes in hops from a directly affected operation: initially, and at most. */
  readonly radius: { readonly first: number; readonly most: number };
  /** Share of the loss of compensation that reordering should win back before it stops growing. */
  readonly target: number;
  /**
   * Guards of the loop: its passes, moves evaluated (the iterations of a repair), seconds, which make results depend on
   * the clock (null for none), and a value of the objective that is good enough.
   */
  readonly budget: {
    readonly passes: number;
    /** Null: as many as take some milliseconds, see {@link evaluationsFor}. */
    readonly evaluations: number | null;
    readonly seconds: number | null;
    readonly target?: number | null | undefined;
  };
  /**
   * If the objective is worse than planned by more than this share, all free operations are rescheduled as far as the
   * limits allow.
   */
  readonly fallback: { readonly degradation: number; readonly iterations: number } | null;
  readonly limits: RepairLimits;
  /** Estimates of unknown values. */
  readonly estimates: {
    /** The duration of a breakdown without a known end; null for 5 % of the makespan of the schedule. */
    readonly breakdown: number | null;
  };
  /**
   * Names of the methods with which a shop repairs inside a transaction, in order: the next one is tried if the
   * validator refuses the proposal of one.
   */
  readonly methods: readonly string[];
  /** Whether each new version of a shop needs an approval, and the decision after a timeout. */
  readonly approval: ApprovalRule | null;
}

/** Approval of versions: the timeout in seconds, and the decision after it. */
interface ApprovalRule {
  readonly seconds: number;
  readonly otherwise: 'approve' | 'decline';
}

/** Limits that a planner on the shop floor may request. */
export interface RepairLimits {
  /** The limit of operations whose place or start may be chosen; null for any number. */
  readonly mostChanged: number | null;
  /**
   * The limit of operations that may differ from the plan in start or place, including unavoidable moves; null for any
   * number.
   */
  readonly mostEdited: number | null;
  /** Operations planned to start before this time are not reordered; null for none. */
  readonly notBefore: number | null;
  /** Operations that keep their planned start. Events do not change their numbers. */
  readonly pinned: readonly PinnedOperation[];
  /** Machines whose queues keep their order. */
  readonly untouchableMachines: readonly number[];
}

/** An operation by its job and its position in the job, both from 0. */
export interface PinnedOperation {
  readonly job: number;
  readonly step: number;
}

/**
 * Limits as programs write them: a text is a label as in files, such as `'WO-1'`, or `'Job1'` for a job without a name.
 */
export interface LimitChanges
  extends Partial<Omit<RepairLimits, 'pinned' | 'untouchableMachines'>> {
  readonly pinned?: readonly { readonly job: number | string; readonly step: number | string }[];
  readonly untouchableMachines?: readonly (number | string)[];
}

/** Entries of a policy that differ from those of its base. */
export interface PolicyChanges {
  readonly objective?: OpenPolicy['objective'] | undefined;
  readonly tieBreak?: OpenPolicy['tieBreak'] | undefined;
  readonly cost?: Partial<OpenPolicy['cost']> | undefined;
  readonly radius?: Partial<RepairPolicy['radius']> | undefined;
  readonly target?: OpenPolicy['target'] | undefined;
  /** A budget such as `'20ms'`; omitted parts are unchanged. Its iterations are `evaluations`. */
  readonly budget?: BudgetLike | BudgetChanges | undefined;
  readonly fallback?: OpenPolicy['fallback'] | undefined;
  /** Names are resolved where the shop is known: by `repair`, `createRepairEngine`, `simulate` and `openShop`. */
  readonly limits?: LimitChanges | undefined;
  readonly estimates?: Partial<OpenPolicy['estimates']> | undefined;
  readonly methods?: OpenPolicy['methods'] | undefined;
  readonly approval?: OpenPolicy['approval'] | undefined;
}

/** Entries of the budget of a repair that change; `iterations` and `evaluations` mean the same. */
type BudgetChanges = Partial<OpenPolicy['budget']> & Pick<Budget, 'iterations'>;

/** Changes whose budget is in the terms of a repair, and whose limits contain no names. */
export interface ReadChanges extends Omit<PolicyChanges, 'budget' | 'limits'> {
  readonly limits?: Partial<RepairLimits> | undefined;
  readonly budget?: Partial<OpenPolicy['budget']> | undefined;
}

/**
 * Prices of a changed place by objective: weighted tardiness varies by multiples where the makespan varies by percents,
 * so the same share of it weighs less.
 */
const RANK_PRICES: readonly Readonly<Record<Objective, number>>[] = [
  { makespan: 0.00005, 'total-weighted-tardiness': 0.0002 },
  { makespan: 0.0002, 'total-weighted-tardiness': 0.0005 },
];

/** The balanced default; docs/reference/repair.md lists the instances on which it was tuned. */
export const defaultPolicy: OpenPolicy = {
  objective: null,
  tieBreak: null,
  cost: { rankChange: 0.00005, movedEarlier: 0, reassigned: 0.0002 },
  radius: { first: 10, most: 100 },
  target: 1,
  budget: { passes: 8, evaluations: null, seconds: null },
  fallback: null,
  limits: {
    mostChanged: null,
    mostEdited: null,
    notBefore: null,
    pinned: [],
    untouchableMachines: [],
  },
  estimates: { breakdown: null },
  methods: ['lcrp', 'affected', 'right-shift'],
  approval: null,
};

/** Named policies; docs/reference/repair.md has their numbers. */
export const policies: Readonly<Record<string, OpenPolicy>> = {
  default: defaultPolicy,
  'high-stability': changePolicy(defaultPolicy, { cost: { rankChange: 0.0002 } }),
};

/** The price of a changed place for another objective: the price of a named policy depends on the objective. */
function rankPriceFor({ objective, cost }: OpenPolicy, other: OpenPolicy['objective']): number {
  const prices = RANK_PRICES.find((one) => one[objective ?? 'makespan'] === cost.rankChange);
  return prices?.[other ?? 'makespan'] ?? cost.rankChange;
}

/** The policy for an instance: its objective is that of the instance if the policy has none. */
export function withObjective({ due }: Pick<Instance, 'due'>, open: OpenPolicy): RepairPolicy {
  if (open.objective !== null) return open as RepairPolicy;
  return changePolicy(open, { objective: objectiveOf({ due }) }) as RepairPolicy;
}

/** Whether the prices are those of a named policy, which yield to tie-breaking; explicit prices do not. */
export function hasNamedPrices({ objective, cost }: RepairPolicy): boolean {
  const isNamed = RANK_PRICES.some((one) => one[objective] === cost.rankChange);
  return isNamed && cost.movedEarlier === 0;
}

/** Whether the other objective breaks ties. */
export function breaksTies({ objective, tieBreak }: RepairPolicy): boolean {
  return tieBreak ?? objective !== 'makespan';
}

/** A policy with some entries changed. */
export function changePolicy<P extends OpenPolicy>(base: P, changes: ReadChanges): P {
  const { cost, radius, budget, limits, estimates, ...rest } = changes;
  const objective = rest.objective === undefined ? base.objective : rest.objective;
  const rankChange = rankPriceFor(base, objective);
  return {
    ...base,
    ...rest,
    cost: { ...base.cost, rankChange, ...cost },
    radius: { ...base.radius, ...radius },
    budget: { ...base.budget, ...budget },
    limits: { ...base.limits, ...limits },
    estimates: { ...base.estimates, ...estimates },
  } as P;
}

/** A policy without pins of operations that an instance does not have (any more). */
export function withoutStalePins(policy: OpenPolicy, instance: Instance): OpenPolicy {
  const { pinned } = policy.limits;
  const left = pinned.filter(({ job, step }) => operationAt(instance, job, step) >= 0);
  if (left.length === pinned.length) return policy;
  return { ...policy, limits: { ...policy.limits, pinned: left } };
}

/** The numbers of pinned operations in an instance; cancelled ones have none. */
export function pinnedNumbers(instance: Instance, { pinned }: RepairLimits): ReadonlySet<number> {
  const numbers = pinned.map(({ job, step }) => operationAt(instance, job, step));
  return new Set(numbers.filter((op) => op >= 0));
}

/** Whether a policy keeps any free operation from being changed. */
export function hasLimits({ limits }: Pick<OpenPolicy, 'limits'>): boolean {
  const { mostChanged, mostEdited, notBefore, pinned, untouchableMachines } = limits;
  if (mostChanged !== null || mostEdited !== null || notBefore !== null) return true;
  return pinned.length > 0 || untouchableMachines.length > 0;
}

/** The default limit of moves that a repair evaluates … */
const MAX_EVALUATIONS = 100_000;
/** … for shops of up to this number of operations. In larger shops, where a move takes longer, it decreases in proportion. */
export const FULL_OPERATIONS = 640;

/** The limit of moves that a repair evaluates, by number of operations. */
export function evaluationsFor({ budget }: Pick<OpenPolicy, 'budget'>, operations: number): number {
  const share = Math.min(1, FULL_OPERATIONS / operations);
  return budget.evaluations ?? Math.ceil(MAX_EVALUATIONS * share);
}
