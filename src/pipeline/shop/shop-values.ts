import type {
  CommandMeta,
  LoggedEvent,
  PlanBase,
  PlanCommand,
  PlanInput,
  PlanInstant,
  PlanProposal,
  PlanVersion,
} from '@alas-jssp/living-plan';
import type { Json } from '@alas-jssp/workflow';
import type { DisruptionEvent } from '../../disruption/index.js';
import type { Instance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import type { Status } from '../../lcrp/phases/status.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import type { LostPin } from '../../lcrp/task.js';
import type { InstanceReference } from '../step-values.js';
import type { ReportedDowntime } from './breakdowns.js';
import type { ShopPace } from './pace.js';
import type { RepairRow } from './row-names.js';

/** The input of the run of a shop. Its course depends only on this and on later commands. */
export interface ShopInput extends PlanInput {
  /** The instance; `content` is in the format of files, and absent if readers of the log can find the instance. */
  readonly instance: InstanceReference & { readonly content?: Json | undefined };
  /** The plan: one start for each operation. */
  readonly start: readonly number[];
  /** The mode of each operation, from 0 among its own; absent if operations have no alternatives. */
  readonly mode?: readonly number[] | undefined;
  readonly seed: number;
  /** The whole policy; its `methods` are tried in their order. */
  readonly policy: OpenPolicy;
  /** The name that approves every version in advance; null for none. */
  readonly approvedBy: string | null;
  /** Events given in advance, by the time at which they become known. */
  readonly events: readonly LoggedEvent[];
  /** Whether the shop receives commands after these events. */
  readonly live: boolean;
  /** The clock of a shop in real time, which starts at the first entry of its log. */
  readonly clock?: ShopPace | undefined;
  /** The request that opened it, in a shop with several callers. */
  readonly opened?: CommandMeta | undefined;
}

/** A command to a live shop. */
export type ShopCommand = PlanCommand<ProposedStarts>;

/** Manually proposed starts of operations of a version. */
interface ProposedStarts {
  /** The version that numbers the operations. */
  readonly version: number;
  readonly operations: readonly number[];
  readonly starts: readonly number[];
  /** The mode of each of them, from 0 among its own; absent if all keep theirs. */
  readonly modes?: readonly number[] | undefined;
}

/** An instant of a shop, and the operations that are now irreversible. */
export interface ShopInstant extends PlanInstant {
  /** Operations of the followed version that have started since the last instant: irreversible. */
  readonly started: readonly number[];
  /** Operations that were running and must start again. */
  readonly lost: number;
  readonly row?: Exclude<RepairRow, 'shop'> | undefined;
  readonly propose?: ProposedStarts | undefined;
}

/** A proposal: the next version as a patch of the current one. */
export interface ShopProposal extends PlanProposal {
  readonly phase: string;
  /** Operations whose starts or modes differ from the plan, in the numbers of the proposed version. */
  readonly operations: readonly number[];
  readonly starts: readonly number[];
  /** The mode of each of them, from 0 among its own; absent if operations have no alternatives. */
  readonly modes?: readonly number[] | undefined;
  /** The number of these that had a start before. */
  readonly moved: number;
  readonly makespan: { readonly before: number; readonly after: number };
  readonly evaluations: number;
  /** Pins that it does not keep, and why; absent if it keeps all. */
  readonly lostPins?: readonly LostPin[] | undefined;
  /** The number of operations that an undo could not restore. */
  readonly kept?: number | undefined;
}

/** The initial state of a shop. */
export interface ShopBase extends PlanBase<ShopKind> {
  readonly instance: Instance;
  /** The events given in advance, by the time at which they become known. */
  instants(): readonly (readonly [now: number, events: readonly DisruptionEvent[]])[];
}

/** The types of shops as living plans. */
export interface ShopKind {
  readonly Input: ShopInput;
  readonly Base: ShopBase;
  readonly Plan: { readonly schedule: Schedule };
  readonly Instant: ShopInstant;
  readonly Effect: Status;
  readonly Proposal: ShopProposal;
  readonly Figures: { readonly makespan: number };
  readonly Notes: readonly ReportedDowntime[];
}

/** A version of the schedule of a shop. */
export type ShopVersion = PlanVersion<ShopKind>;

/** Finds an instance that a log references without its content. */
export type FindInstance = (reference: InstanceReference) => Instance;
