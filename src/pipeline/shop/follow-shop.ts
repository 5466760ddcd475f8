import { InputError } from '@alas-jssp/core/errors';
import {
  type CommandContext,
  followPlan,
  type LivingPlan,
  type PlanFollower,
  type PlanOutcome,
  type PlanRun,
} from '@alas-jssp/living-plan';
import { applyEvents, completeEvents } from '../../disruption/apply-events.js';
import type { EventInput } from '../../disruption/index.js';
import type { Schedule } from '../../jssp/schedule.js';
import { withObjective } from '../../lcrp/policy/policy.js';
import type { RepairResult } from '../../lcrp/repair-result.js';
import { effectOfWithdrawal } from './apply-command.js';
import { changesBetween, type ShopChange } from './changes.js';
import { logEvents } from './log-values.js';
import { logModes } from './logged-modes.js';
import { type RepairRow, readRow } from './row-names.js';
import { policyOfInstant } from './rows.js';
import type { ShopMemory } from './shop-memory.js';
import type { ShopKind, ShopVersion } from './shop-values.js';
import { type ShopTurn, shopReader } from './story.js';
import { requireWished, type WishedStart, withWishedMachines } from './wished-starts.js';

/** The outcome of a command to a shop. */
export type ShopOutcome = PlanOutcome<ShopKind>;

/** The run of a shop in this or another process, as its followers use it. */
export type ShopRun = PlanRun<ShopKind>;

/** The context of a report, and the repair row. */
export interface ReportContext extends CommandContext {
  /** Default: the policy of the shop. */
  readonly row?: RepairRow | undefined;
}

/** The context of a withdrawal, and the events that replace the report. */
export interface WithdrawalContext extends CommandContext {
  readonly instead?: readonly EventInput[] | undefined;
}

/** A shop in execution. Operations, jobs and steps count from 0; times are integers in the unit of the instance. */
export interface Shop extends LivingPlan<ShopKind> {
  /** The followed schedule, of the instance in execution. */
  readonly schedule: Schedule;
  /**
   * Reports events at one instant. They are repaired together, by the policy of the shop or by the chosen `row`. With
   * a `key`, the request can be repeated, as can `propose`, `undo` and `withdraw`: a repeated request gets the outcome
   * of the first one.
   *
   * @throws InputError as `applyEvents` does, before anything is written, except for events that come too late: these
   *   are skipped and reported; `no_events`; `bad_now` for a time before the last instant; `bad_name` for an invalid
   *   `by`, as all commands do; `no_row` for an unknown row; `other_request` for the key of another request
   * @throws AlasError `no_repair` if every method of the policy failed: the shop ends, and its last version stays;
   *   `shop_ended`
   */
  report(events: readonly EventInput[], context: ReportContext): Promise<ShopOutcome>;
  /**
   * Proposes starts manually, for operations that have not started. The validator checks them like every repair.
   *
   * @throws InputError `bad_start` for an unknown operation; `bad_now`
   */
  propose(starts: readonly WishedStart[], context: CommandContext): Promise<ShopOutcome>;
  /**
   * Withdraws a mistaken report: the shop continues as if it had not been made, except for started operations.
   *
   * @param version the version that the report created
   * @param context.instead events that replace the report, at the same instant
   * @throws InputError `no_report` for a version that no report created, or whose report was withdrawn; `built_upon`
   *   if an operation has started that could not have started without it; as {@link Shop.report} does
   */
  withdraw(version: number, context: WithdrawalContext): Promise<ShopOutcome>;
  /** A version by its number, or the version followed at a time. @throws AlasError `no_version` */
  scheduleAt(when: { readonly version?: number; readonly time?: number }): ShopVersion;
  /** The operations whose start differs from an earlier version, and new operations. */
  changesSince(version: number): readonly ShopChange[];
  /** The repair of an instant with a proposal or a committed version, for explanations. */
  repairOf(turn: ShopTurn): ShopRepair | undefined;
}

/** The parts of a repair that explain it. */
export type ShopRepair = Pick<
  RepairResult,
  'task' | 'schedule' | 'policy' | 'before' | 'previous' | 'applied'
>;

/** Follows a shop: updates its story by log entries and resolves the callers that wait for outcomes. */
export interface ShopFollower extends Omit<PlanFollower<ShopKind>, 'open'> {
  /** Resolves once the shop waits for a command or an approval, or has ended. */
  open(run: ShopRun): Promise<Shop>;
}

/** Follows the run of a shop in this or another process; the caller passes its entries. */
export function followShop(runId: string): ShopFollower {
  const follower = followPlan(shopReader, runId);
  return { ...follower, open: async (run) => shopOf(await follower.open(run), run.memory) };
}

/** Adds the operations of shops to a living plan. */
export function shopOf(living: LivingPlan<ShopKind>, memory: ShopMemory): Shop {
  const { runId, execute, isIdle } = living;
  const encode = (events: readonly EventInput[], { now }: CommandContext) => {
    const { schedule } = living.plan;
    const complete = completeEvents(events, now, schedule.instance);
    return { schedule, complete, logged: logEvents(complete, schedule.instance) };
  };
  const own: Omit<Shop, keyof LivingPlan<ShopKind>> = {
    scheduleAt: living.versionAt,
    get schedule() {
      return living.plan.schedule;
    },
    async report(events, { row: given, ...context }) {
      const row = readRow(given);
      const request = { events, now: context.now, ...(row && { row }) };
      return execute(request, context, () => {
        if (events.length === 0) {
          throw new InputError('no_events', 'there are no events', 'give at least one');
        }
        const { schedule, complete, logged } = encode(events, context);
        // Invalid events are refused before anything is written, unless other commands are pending.
        if (isIdle()) applyEvents(schedule, complete, context.now, { tooLate: 'skip' });
        return { events: logged, ...(row && { row }) };
      });
    },
    propose(wishes, context) {
      return execute({ propose: wishes, now: context.now }, context, () => {
        const { version, schedule } = living.plan;
        const operations = wishes.map((wish) => requireWished(schedule.instance, wish));
        const starts = wishes.map(({ start }) => start);
        const assigned = withWishedMachines(schedule.instance, wishes);
        const modes = assigned === schedule.instance ? undefined : logModes(assigned, operations);
        return { propose: { version, operations, starts, ...(modes && { modes }) } };
      });
    },
    withdraw(version, { instead = [], ...context }) {
      return execute({ withdraw: version, instead, now: context.now }, context, () => {
        const { logged } = encode(instead, context);
        const report = { withdraw: version, ...(logged.length > 0 && { instead: logged }) };
        const followed = { version: living.version, now: context.now };
        if (isIdle()) effectOfWithdrawal(memory, runId, { ...report, ...followed });
        return report;
      });
    },
    changesSince: (version) => changesBetween(memory, runId, version, living.version),
    repairOf({ instant, committed, proposal }) {
      if (proposal === undefined) return undefined;
      const status = memory.effectOf(runId, instant);
      const { schedule } =
        committed === undefined
          ? memory.proposed(runId, instant, proposal)
          : memory.versionOf(runId, committed.version);
      const previous = memory.versionOf(runId, instant.version).schedule;
      const own = policyOfInstant(memory.baseOf(runId).input.policy, instant);
      const policy = withObjective(status.task.instance, own);
      return { ...status, previous, schedule, policy };
    },
  };
  return Object.defineProperties(living, Object.getOwnPropertyDescriptors(own)) as Shop;
}
