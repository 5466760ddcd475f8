import { monotonicSeconds } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import {
  type PlanFault,
  type PlanPort,
  planHandlers,
  type RepairAttempt,
  type RepairContext,
} from '@alas-jssp/living-plan';
import type { LogStore, Registry } from '@alas-jssp/workflow';
import { EVENT_KINDS } from '../../disruption/index.js';
import type { Instance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import { wordsOf } from '../../jssp/words.js';
import { affected } from '../../lcrp/baselines/affected.js';
import { findMethod } from '../../lcrp/baselines/find-method.js';
import { judgeExecution, worstViolation } from '../../lcrp/judge-repair.js';
import { createEditCounter } from '../../lcrp/phases/edited.js';
import type { Status } from '../../lcrp/phases/status.js';
import { lostPinsOf } from '../../lcrp/pins/lost-pins.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import { editsOf } from '../../lcrp/repair-result.js';
import type { MethodResult } from '../../lcrp/task.js';
import { boundPolicy } from '../handlers/repair-stage.js';
import { applyCommand, applyGiven, type OnSkip, startedSince } from './apply-command.js';
import { logModes } from './logged-modes.js';
import { earlierPlanOf, revertTo } from './revert-version.js';
import { policyOfInstant } from './rows.js';
import { createShopMemory, type ShopMemory, scheduleOf } from './shop-memory.js';
import type {
  FindInstance,
  ShopBase,
  ShopCommand,
  ShopInstant,
  ShopKind,
  ShopProposal,
} from './shop-values.js';

/** A repair computed in this process, for measurements. */
export interface MadeRepair {
  readonly instant: ShopInstant;
  readonly status: Status;
  readonly made: MethodResult;
  /** The duration of the method. */
  readonly seconds: number;
}

/** Reduces a policy for an instance to the allowed limits. */
type LimitRow = (policy: OpenPolicy, instance: Instance) => OpenPolicy;

/** Observers of a shop in this process. */
export interface ShopObservers {
  /** Receives events that come too late. */
  readonly onSkip?: OnSkip | undefined;
  /** Receives every computed repair. */
  readonly onRepair?: ((repair: MadeRepair) => void) | undefined;
  /** Reduces the policy of a row that a report chose. Default: no change. */
  readonly limitRow?: LimitRow | undefined;
  /** Called before a step is computed; the returned function is called after it. */
  readonly onCompute?: (() => () => void) | undefined;
}

/**
 * The handlers of the shop workflow, for any run of a log.
 *
 * @param find finds instances that runs reference without their content
 */
export function createShopRegistry(store: LogStore, find?: FindInstance): Registry {
  return shopHandlers({ memory: createShopMemory(store, find) });
}

/** The services that the steps of shops use. */
export interface ShopServices extends ShopObservers {
  readonly memory: ShopMemory;
}

/** The handlers over a memory. */
export function shopHandlers(services: ShopServices): Registry {
  const { memory, onCompute } = services;
  return planHandlers({ memory, port: shopPort(services), onCompute, covers: EVENT_KINDS });
}

/** A shop behind the steps of a living plan. */
function shopPort(services: ShopServices): PlanPort<ShopKind> {
  const { onSkip } = services;
  return {
    blank: { started: [], lost: 0 },
    applyGiven: (context) => applyGiven(context, onSkip),
    applyCommand: (command, context) =>
      applyCommand(command as Exclude<ShopCommand, { close: true }>, context, onSkip),
    deferred: ({ schedule }, status) => ({ started: startedSince(schedule, status) }),
    methodsOf: ({ input }, instant) => policyOfInstant(input.policy, instant).methods,
    repair: (context) => repairShop(services, context),
    judge: ({ schedule }, proposed) => faultOf(schedule, proposed),
    isOutdated: (status, { schedule }) => isOutdated(status, schedule),
    figuresOf: ({ schedule: { makespan } }) => ({ makespan }),
    formatTime: ({ schedule }, time) => wordsOf(schedule.instance).time(time),
  };
}

function repairShop(
  { memory, onRepair, limitRow = (policy) => policy }: ShopServices,
  {
    runId,
    instant,
    label,
    effect: status,
    previous,
    tried,
    declined,
    step,
  }: RepairContext<ShopKind>,
): ShopProposal | Promise<ShopProposal> {
  const { input } = memory.baseOf(runId);
  const draft = { label, previous: previous.schedule, status };
  if (instant.undo !== undefined) {
    const { schedule, kept } = revertTo(status, earlierPlanOf(memory, runId, instant, status));
    return { ...proposalOf(draft, schedule), method: 'undo', kept };
  }
  if (instant.propose !== undefined) {
    const { newOf } = status.applied;
    const { operations, starts, modes } = instant.propose;
    const moved = operations.map((op) => newOf[op]);
    const schedule = scheduleOf(status, { operations: moved, starts, modes });
    return { ...proposalOf(draft, schedule), method: 'by hand' };
  }
  const whole = policyOfInstant(input.policy, instant);
  const policy = instant.row === undefined ? whole : limitRow(whole, status.task.instance);
  const method = declined ? affected : findMethod(policy.methods[tried]);
  const began = monotonicSeconds();
  const finish = (made: MethodResult): ShopProposal => {
    onRepair?.({ instant, status, made, seconds: monotonicSeconds() - began });
    const { phase, evaluations } = made;
    const lostPins = lostPinsOf(status.task, policy.limits, made);
    return {
      ...proposalOf(draft, made.schedule),
      method: method.name,
      phase,
      evaluations,
      ...(lostPins.length > 0 && { lostPins }),
    };
  };
  const { signal, repair } = step;
  const made = method.repair(status.task, boundPolicy(policy, repair), {
    seed: input.seed,
    signal,
  });
  return made instanceof Promise ? made.then(finish) : finish(made);
}

function proposalOf(
  draft: { readonly label: string; readonly previous: Schedule; readonly status: Status },
  schedule: Schedule,
): ShopProposal {
  const { label, previous, status } = draft;
  const operations = Array.from(editsOf(status.task, status.before, schedule).operation);
  const modes = logModes(schedule.instance, operations);
  return {
    label,
    method: '',
    phase: 'compensation',
    operations,
    starts: operations.map((op) => schedule.start[op]),
    ...(modes && { modes }),
    moved: operations.filter((op) => status.before.start[op] >= 0).length,
    makespan: { before: previous.makespan, after: schedule.makespan },
    evaluations: 0,
  };
}

/** The judgement of the independent validator, and the limit of edits, which not every method heeds. */
function faultOf(
  schedule: Schedule,
  proposed?: {
    readonly base: ShopBase;
    readonly attempt: RepairAttempt<ShopInstant>;
    readonly effect: Status;
  },
): PlanFault | undefined {
  const judgement = judgeExecution(schedule);
  if (!judgement.executable) {
    const { violations } = judgement;
    const worst = worstViolation(judgement);
    const reason = `the validator refuses it: ${worst?.message}`;
    return { reason, violations, ...(worst && { facts: { violation: worst.code } }) };
  }
  if (proposed === undefined) return undefined;
  const { base, attempt, effect } = proposed;
  // A plan that is only delayed as needed moves nothing else.
  if (attempt.instant.kind !== 'events' || attempt.declined) return undefined;
  return tooManyEdits(effect, schedule, base.input.policy.limits.mostEdited);
}

/** Checks the limit of edits. @throws AlasError `Refused` */
export function requireFewEdits(...given: Parameters<typeof tooManyEdits>): void {
  const fault = tooManyEdits(...given);
  if (fault !== undefined) throw new AlasError('Refused', fault.reason, fault.value);
}

/** The fault of a schedule that exceeds the limit of edits. */
function tooManyEdits(
  { task }: Pick<Status, 'task'>,
  { start }: Schedule,
  most: number | null,
): PlanFault | undefined {
  if (most === null) return undefined;
  const edits = createEditCounter(task).edited(start).length;
  if (edits <= most) return undefined;
  const reason = `it differs from the version before in ${edits} operations, and the policy allows ${most}`;
  return { reason, facts: { edits, most }, value: edits };
}

/** Whether a schedule changes started operations, or starts others before the time of the status. */
function isOutdated({ task, applied }: Status, { start }: Schedule): boolean {
  const { frozen } = task.instance;
  return start.some((time, op) => {
    const taken = frozen === null ? -1 : frozen[op];
    return taken >= 0 ? taken !== time : time < applied.now;
  });
}
