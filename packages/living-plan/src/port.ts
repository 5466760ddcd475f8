import type { RefusalReason } from '@alas-jssp/core/errors';
import type { StepContext } from '@alas-jssp/workflow';
import type { PlanMemory } from './plan-memory.js';
import type {
  PlanCommand,
  PlanKind,
  PlanState,
  PlanVersion,
  RepairAttempt,
} from './plan-values.js';

/** The plan to which a command is applied. */
export interface ApplyContext<K extends PlanKind> {
  readonly memory: PlanMemory<K>;
  readonly runId: string;
  readonly state: PlanState;
  /** The followed version. */
  readonly plan: PlanVersion<K>;
  /** The instant so far: without effect. */
  readonly instant: K['Instant'];
}

/** A repair to compute. */
export interface RepairContext<K extends PlanKind> extends RepairAttempt<K['Instant']> {
  readonly runId: string;
  readonly tried: number;
  readonly label: string;
  readonly effect: K['Effect'];
  readonly input: K['Input'];
  /** The version before the instant. */
  readonly previous: PlanVersion<K>;
  readonly step: StepContext;
}

/** The verdict against a plan. */
export interface PlanFault extends RefusalReason {
  /** Everything that is wrong, if the plan cannot be executed; absent if it only exceeds a limit. */
  readonly violations?: readonly unknown[] | undefined;
  readonly value?: unknown;
}

/** A kind of plan behind the steps of its workflow: how commands apply, who repairs, who judges. */
export interface PlanPort<K extends PlanKind> {
  /** The members that an instant of this kind has even without an effect. */
  readonly blank: Partial<K['Instant']>;
  /** Applies the instant `state.taken` of the events given in advance. */
  applyGiven(context: ApplyContext<K>): K['Instant'];
  /**
   * Applies a command.
   *
   * @throws AlasError if the command is invalid: it is refused with the reason, and changes nothing
   */
  applyCommand(
    command: Exclude<PlanCommand, { close: true }>,
    context: ApplyContext<K>,
  ): K['Instant'];
  /** The members of an instant that change if it is deferred to a later time. */
  deferred?(plan: K['Plan'], effect: K['Effect']): Partial<K['Instant']>;
  /** The names of the repair methods for an instant, in the order in which they are tried. */
  methodsOf(base: K['Base'], instant: K['Instant']): readonly string[];
  repair(context: RepairContext<K>): K['Proposal'] | Promise<K['Proposal']>;
  /**
   * Judges version 1, or a proposal as the log describes it.
   *
   * @returns why it is refused; undefined if it is accepted
   */
  judge(
    plan: K['Plan'],
    proposed?: {
      readonly base: K['Base'];
      readonly attempt: RepairAttempt<K['Instant']>;
      readonly effect: K['Effect'];
    },
  ): PlanFault | undefined;
  /** Whether a proposal contradicts the past at the time of an effect. Default: never. */
  isOutdated?(effect: K['Effect'], plan: K['Plan']): boolean;
  /** The figures of a version for the log. */
  figuresOf(plan: K['Plan']): K['Figures'];
  /** A time of the plan in words. */
  formatTime(plan: K['Plan'], time: number): string;
}
