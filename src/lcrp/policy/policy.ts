import type { Budget, BudgetLike } from '../../core/stopping.js';
import type { Instance } from '../../jssp/instance.js';
import { type Objective, objectiveOf } from '../../jssp/objectives.js';
import { operationAt } from '../../jssp/plan.js';

/** A policy whose objective is known: {@link withObjective} makes it for an instance. */
export interface RepairPolicy extends OpenPolicy {
  readonly objective: Objective;
}

/**
 * The aim of a repair, what changes cost, and how far it may go. Made with `policy(…)`, which fills
 * in what is left out; {@link PolicyChanges} is what that takes.
 */
export interface OpenPolicy {
  /** Null: that of the instance that is repaired ({@link objectiveOf}). */
  readonly objective: Objective | null;
  /**
   * Whether the other objective (total weighted tardiness, or the makespan) breaks ties. Null: where the
   * objective is the tardiness.
   */
  readonly tieBreak: boolean | null;
  /** Costs in units of the objective, as shares of its value after local compensation. */
  readonly cost: {
    /** For each operation whose place in the queue of its machine is not the planned one. */
    readonly rankChange: number;
    /** t_WIP: for each operation that starts earlier than planned, whose material has to be moved. */
    readonly movedEarlier: number;
  };
  /** Hops from a directly affected operation that may be changed: at first, and at most. */
  readonly radius: { readonly first: number; readonly most: number };
  /** Share of what compensation lost that reordering should win back before it stops growing. */
  readonly target: number;
  /**
   * Guards of the loop: its rounds, moves looked at (the iterations of a repair), seconds, which make
   * results depend on the clock (null for none), and a value of the objective that is good enough.
   */
  readonly budget: {
    readonly rounds: number;
    /** Null: as many as take some milliseconds, see {@link evaluationsFor}. */
    readonly evaluations: number | null;
    readonly seconds: number | null;
    readonly target?: number | null | undefined;
  };
  /**
   * Recompute all free operations, as far as the limits let them change, if the objective is worse
   * than planned by more than this share.
   */
  readonly fallback: { readonly degradation: number; readonly iterations: number } | null;
  readonly limits: RepairLimits;
  /** Guesses where nobody knows. */
  readonly estimates: {
    /** The time that a breakdown without a known end takes; null for 5 % of the makespan of the schedule. */
    readonly breakdown: number | null;
  };
  /**
   * Names of the methods by which a shop repairs inside a transaction, in the order in which they are
   * tried: the next one where the validator refuses what one proposes.
   */
  readonly methods: readonly string[];
  /** Whether somebody has to approve each new version of a shop, and what holds if nobody does in time. */
  readonly approval: ApprovalRule | null;
}

/** Approval of versions: seconds that it is waited for, and what holds then. */
interface ApprovalRule {
  readonly seconds: number;
  readonly otherwise: 'approve' | 'decline';
}

/** Limits that a planner on the shop floor may ask for. */
export interface RepairLimits {
  /** Operations whose place or start may be chosen anew, at most; null for any number. */
  readonly mostChanged: number | null;
  /**
   * Operations that may differ from the plan in start or place, at most, what has to move included; null
   * for any number.
   */
  readonly mostEdited: number | null;
  /** Nothing that is planned to start before this time is reordered; null for none. */
  readonly notBefore: number | null;
  /** Operations that keep their planned start. Events do not change what they are called. */
  readonly pinned: readonly PinnedOperation[];
  /** Machines whose queues keep their order. */
  readonly untouchableMachines: readonly number[];
}

/** An operation by its job and its place in the job, both from 0. */
export interface PinnedOperation {
  readonly job: number;
  readonly step: number;
}

/** Limits as programs write them: a text is a label as in files, such as `'WO-1'`, or `'Job1'` where there is no name. */
export interface LimitChanges
  extends Partial<Omit<RepairLimits, 'pinned' | 'untouchableMachines'>> {
  readonly pinned?: readonly { readonly job: number | string; readonly step: number | string }[];
  readonly untouchableMachines?: readonly (number | string)[];
}

/** Entries of a policy that differ from those of the one it is based on. */
export interface PolicyChanges {
  readonly objective?: OpenPolicy['objective'] | undefined;
  readonly tieBreak?: OpenPolicy['tieBreak'] | undefined;
  readonly cost?: Partial<OpenPolicy['cost']> | undefined;
  readonly radius?: Partial<RepairPolicy['radius']> | undefined;
  readonly target?: OpenPolicy['target'] | undefined;
  /** A budget such as `'20ms'`; what it leaves out stays. Its iterations are `evaluations`. */
  readonly budget?: BudgetLike | BudgetChanges | undefined;
  readonly fallback?: OpenPolicy['fallback'] | undefined;
  /** Names are understood where the shop is known: by `repair`, `createRepairEngine`, `simulate` and `openShop`. */
  readonly limits?: LimitChanges | undefined;
  readonly estimates?: Partial<OpenPolicy['estimates']> | undefined;
  readonly methods?: OpenPolicy['methods'] | undefined;
  readonly approval?: OpenPolicy['approval'] | undefined;
}

/** Entries of the budget of a repair that change; `iterations` and `evaluations` mean the same. */
type BudgetChanges = Partial<OpenPolicy['budget']> & Pick<Budget, 'iterations'>;

/** Changes whose budget is in the terms of a repair, and whose limits name nothing. */
export interface ReadChanges extends Omit<PolicyChanges, 'budget' | 'limits'> {
  readonly limits?: Partial<RepairLimits> | undefined;
  readonly budget?: Partial<OpenPolicy['budget']> | undefined;
}

/**
 * Prices of a changed place by objective: weighted tardiness varies by multiples where the makespan varies
 * by percents, so the same share of it weighs less.
 */
const RANK_PRICES: readonly Readonly<Record<Objective, number>>[] = [
  { makespan: 0.00005, 'total-weighted-tardiness': 0.0002 },
  { makespan: 0.0002, 'total-weighted-tardiness': 0.0005 },
];

/** The balanced default; docs/reference/repair.md tells on which instances it was tuned. */
export const defaultPolicy: OpenPolicy = {
  objective: null,
  tieBreak: null,
  cost: { rankChange: 0.00005, movedEarlier: 0 },
  radius: { first: 10, most: 100 },
  target: 1,
  budget: { rounds: 8, evaluations: null, seconds: null },
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

/** Policies that go by a name; docs/reference/repair.md has their numbers. */
export const policies: Readonly<Record<string, OpenPolicy>> = {
  default: defaultPolicy,
  'high-stability': changePolicy(defaultPolicy, { cost: { rankChange: 0.0002 } }),
};

/** The price of a changed place if another objective counts: that of a named policy goes with it. */
function rankPriceFor({ objective, cost }: OpenPolicy, other: OpenPolicy['objective']): number {
  const prices = RANK_PRICES.find((one) => one[objective ?? 'makespan'] === cost.rankChange);
  return prices?.[other ?? 'makespan'] ?? cost.rankChange;
}

/** The policy for an instance: its objective is that of the instance where the policy has none. */
export function withObjective({ due }: Pick<Instance, 'due'>, open: OpenPolicy): RepairPolicy {
  if (open.objective !== null) return open as RepairPolicy;
  return changePolicy(open, { objective: objectiveOf({ due }) }) as RepairPolicy;
}

/** Whether the prices are those of a named policy, which yield to ties of the objective; stated ones do not. */
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

/** A policy without pins of operations that an instance does not have, or not any more. */
export function withoutStalePins(policy: OpenPolicy, instance: Instance): OpenPolicy {
  const { pinned } = policy.limits;
  const left = pinned.filter(({ job, step }) => operationAt(instance, job, step) >= 0);
  if (left.length === pinned.length) return policy;
  return { ...policy, limits: { ...policy.limits, pinned: left } };
}

/** The numbers of pinned operations in an instance; those that were cancelled have none. */
export function pinnedNumbers(instance: Instance, { pinned }: RepairLimits): ReadonlySet<number> {
  const numbers = pinned.map(({ job, step }) => operationAt(instance, job, step));
  return new Set(numbers.filter((op) => op >= 0));
}

/** Whether a policy keeps anything that is free from being changed. */
export function hasLimits({ limits }: Pick<OpenPolicy, 'limits'>): boolean {
  const { mostChanged, mostEdited, notBefore, pinned, untouchableMachines } = limits;
  if (mostChanged !== null || mostEdited !== null || notBefore !== null) return true;
  return pinned.length > 0 || untouchableMachines.length > 0;
}

/** Moves that a repair looks at by default … */
const MOST_EVALUATIONS = 100_000;
/** … up to a shop of so many operations; in a larger one, where a move takes longer, fewer in proportion. */
const FULL_OPERATIONS = 640;

/** The moves that a repair of so many operations looks at, at most. */
export function evaluationsFor({ budget }: Pick<OpenPolicy, 'budget'>, operations: number): number {
  const share = Math.min(1, FULL_OPERATIONS / operations);
  return budget.evaluations ?? Math.ceil(MOST_EVALUATIONS * share);
}
