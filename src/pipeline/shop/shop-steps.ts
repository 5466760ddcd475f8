import { monotonicSeconds } from '@alas-jssp/core/clock';
import { AlasError, type ErrorFacts, errorLine } from '@alas-jssp/core/errors';
import type { Handler, HandlersOf, LogStore, Registry, StepContext } from '@alas-jssp/workflow';
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
import { applyNextCommand, type CommandServices, deferInstant } from './apply-command.js';
import { earlierStartsOf, revertTo } from './revert-version.js';
import { policyOfInstant } from './rows.js';
import { createShopMemory, fingerprint, type ShopMemory, scheduleOf } from './shop-memory.js';
import type {
  FindInstance,
  RepairAttempt,
  Settlement,
  ShopInput,
  ShopInstant,
  ShopProposal,
  ShopState,
} from './shop-values.js';
import {
  type FailedRepair,
  MOST_RENEWALS,
  type ProposedRepair,
  type ShopSteps,
} from './shop-workflow.js';

/** A repair computed in this process, for measurements. */
export interface MadeRepair {
  readonly instant: ShopInstant;
  readonly status: Status;
  readonly made: MethodResult;
  /** The duration of the method. */
  readonly seconds: number;
}

/** Reduces a policy for an instance to the allowed limits. */
export type LimitRow = (policy: OpenPolicy, instance: Instance) => OpenPolicy;

/** The services that the steps of shops use. */
export interface ShopServices extends CommandServices {
  /** Receives every computed repair. */
  readonly onRepair?: ((repair: MadeRepair) => void) | undefined;
  /** Reduces the policy of a row that a report chose. Default: no change. */
  readonly limitRow?: LimitRow | undefined;
  /** Called before a step is computed; the returned function is called after it. */
  readonly onCompute?: (() => () => void) | undefined;
}

/**
 * The handlers of the shop workflow, for any run of a log. All are pure: their results depend only on the log. An
 * interrupted run therefore reaches the same schedule in any process, and a replay recomputes every repair.
 *
 * @param find finds instances that runs reference without their content
 */
export function createShopRegistry(store: LogStore, find?: FindInstance): Registry {
  return shopHandlers({ memory: createShopMemory(store, find) });
}

/** The handlers over a memory. */
export function shopHandlers(services: ShopServices): Registry {
  const { memory } = services;
  const propose = (input: RepairAttempt, context: StepContext) =>
    proposeBy(services, input, context);
  const pure = <I, O>(run: Handler<I, O>['run']): Handler<I, O> => ({
    kind: 'pure',
    run: (...call) => {
      const end = services.onCompute?.();
      try {
        return run(...call);
      } finally {
        end?.();
      }
    },
  });
  const handlers: Omit<HandlersOf<ShopSteps>, 'proposeChosen'> & {
    readonly proposeInTime: Handler;
  } = {
    begin: pure((input, { runId }) => begin(memory, runId, input)),
    status: pure(({ state, command }, { runId }) =>
      applyNextCommand(services, runId, state, command),
    ),
    propose: { ...pure(propose), covers: EVENT_KINDS },
    proposeInTime: { kind: 'external', run: propose, covers: EVENT_KINDS },
    revalidate: pure((input, context) => revalidate(memory, input, context)),
    approve: pure(({ label }) => ({ label })),
    commit: pure((input, { runId }) => commit(memory, runId, input)),
    decline: pure((input, { runId }) => decline(memory, runId, input)),
    rollBack: pure((input, context) => rollBack(memory, input, context)),
    settle: pure(settle),
    close: pure((state) => ({ ...state, over: true })),
  };
  return { handlers };
}

/** Version 1: a plan that must be executable. */
function begin(memory: ShopMemory, runId: string, input: ShopInput): ShopState {
  const { first, instants } = memory.baseOf(runId);
  requireExecutable(first.schedule);
  const { live } = input;
  const left = instants().length;
  return { version: 1, now: 0, taken: 0, left, live, over: !live && left === 0 };
}

/** @throws AlasError `Refused` */
function requireExecutable(schedule: Schedule): void {
  const judgement = judgeExecution(schedule);
  if (judgement.executable) return;
  const worst = worstViolation(judgement)?.message;
  throw new AlasError('Refused', `the validator refuses it: ${worst}`, judgement.violations);
}

function proposeBy(
  { memory, onRepair, onCompute = () => () => {}, limitRow = (policy) => policy }: ShopServices,
  { instant, ...attempt }: RepairAttempt,
  { runId, signal, repair }: StepContext,
): ShopProposal | Promise<ShopProposal> {
  const status = memory.statusOf(runId, instant);
  const { input } = memory.baseOf(runId);
  const tried = attempt.tried ?? 0;
  const turn = tried + (attempt.renewed ?? 0);
  const draft = {
    label: `${instant.version + 1}${turn > 0 ? `.${turn + 1}` : ''}`,
    previous: memory.versionOf(runId, instant.version).schedule,
    status,
  };
  if (instant.undo !== undefined) {
    const { schedule, kept } = revertTo(status, earlierStartsOf(memory, runId, instant, status));
    return { ...proposalOf(draft, schedule), method: 'undo', kept };
  }
  if (instant.propose !== undefined) {
    const { newOf } = status.applied;
    const { operations, starts } = instant.propose;
    const moved = operations.map((op) => newOf[op]);
    const schedule = scheduleOf(status, { operations: moved, starts });
    return { ...proposalOf(draft, schedule), method: 'by hand' };
  }
  const whole = policyOfInstant(input.policy, instant);
  const policy = instant.row === undefined ? whole : limitRow(whole, status.task.instance);
  const method = attempt.declined ? affected : findMethod(policy.methods[tried]);
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
  const end = onCompute();
  let made: ReturnType<typeof method.repair> | undefined;
  try {
    made = method.repair(status.task, boundPolicy(policy, repair), {
      seed: input.seed,
      signal,
    });
  } finally {
    if (!(made instanceof Promise)) end();
  }
  return made instanceof Promise ? made.finally(end).then(finish) : finish(made);
}

function proposalOf(
  draft: { readonly label: string; readonly previous: Schedule; readonly status: Status },
  schedule: Schedule,
): ShopProposal {
  const { label, previous, status } = draft;
  const { operation, start } = editsOf(status.before, schedule);
  return {
    label,
    method: '',
    phase: 'compensation',
    operations: [...operation],
    starts: [...start],
    moved: operation.filter((op) => status.before.start[op] >= 0).length,
    makespan: { before: previous.makespan, after: schedule.makespan },
    evaluations: 0,
  };
}

/** The independent validator checks the schedule as the log describes it, not the one in the repair's memory. */
function revalidate(
  memory: ShopMemory,
  { instant, proposal, declined }: ProposedRepair,
  { runId, log }: StepContext,
): { readonly valid: true; readonly makespan: number } {
  const status = memory.statusOf(runId, instant);
  const schedule = scheduleOf(status, proposal);
  const judgement = judgeExecution(schedule);
  if (judgement.executable) {
    // A plan that is only delayed as needed moves nothing else.
    if (instant.kind === 'events' && !declined) {
      requireFewEdits(status, schedule, memory.baseOf(runId).input.policy.limits.mostEdited);
    }
    memory.noteProposed(proposal, schedule);
    return { valid: true, makespan: schedule.makespan };
  }
  const { violations } = judgement;
  log('ValidateFail', { label: proposal.label, violations: violations.length });
  const worst = worstViolation(judgement)?.message;
  throw new AlasError('Refused', `the validator refuses it: ${worst}`, violations);
}

/** Checks the limit of edits, which not every method heeds. @throws AlasError `Refused` */
export function requireFewEdits(
  { task }: Pick<Status, 'task'>,
  { start }: Schedule,
  most: number | null,
): void {
  if (most === null) return;
  const edits = createEditCounter(task).edited(start).length;
  if (edits <= most) return;
  const message = `it differs from the version before in ${edits} operations, and the policy allows ${most}`;
  throw new AlasError('Refused', message, edits);
}

/** Commits a proposal. If it is outdated by now, it is rolled back and recomputed for the current time instead. */
function commit(memory: ShopMemory, runId: string, input: ProposedRepair): Settlement {
  const { instant, proposal } = input;
  const renewed = input.renewed ?? 0;
  const status = memory.statusOf(runId, instant);
  const schedule = memory.proposed(proposal) ?? scheduleOf(status, proposal);
  const { policy } = memory.baseOf(runId).input;
  const now =
    policy.approval === null ? undefined : memory.decidedAt(runId, `version-${proposal.label}`);
  if (now !== undefined && now > instant.now && renewed < MOST_RENEWALS) {
    const later = deferInstant(memory, runId, instant, now);
    if (isOutdated(memory.statusOf(runId, later), schedule)) {
      const reason = `it was ${wordsOf(schedule.instance).time(now)} by then, and the proposal was recomputed`;
      const { method } = proposal;
      const tried = input.tried ?? 0;
      const refusal = { code: 'outdated', facts: { now }, reason };
      return { settled: false, instant: later, tried, method, ...refusal, renewed: renewed + 1 };
    }
  }
  const version = instant.version + 1;
  memory.keep(runId, { version, now: instant.now, schedule });
  const { makespan } = schedule;
  const by = memory.baseOf(runId).input.approvedBy;
  const sha256 = fingerprint(schedule);
  const later = renewed === 0 ? {} : { now: instant.now };
  return { settled: true, version, method: proposal.method, makespan, sha256, by, ...later };
}

/** Whether a schedule changes started operations, or starts others before the time of the status. */
function isOutdated({ task, applied }: Status, { start }: Schedule): boolean {
  const { frozen } = task.instance;
  return start.some((time, op) => {
    const taken = frozen === null ? -1 : frozen[op];
    return taken >= 0 ? taken !== time : time < applied.now;
  });
}

/**
 * Handles a proposal that was declined or not answered in time. After events, the plan before is repaired by delays
 * only; after an undo or manual proposal, the version before stays.
 */
function decline(memory: ShopMemory, runId: string, { error, input }: FailedRepair): Settlement {
  const { instant, proposal } = input;
  const tried = (input.tried ?? 0) + 1;
  const method = proposal?.method ?? instant.kind;
  const refusal = { code: error.code, reason: errorLine(error.message) };
  if (instant.kind !== 'events') return { settled: true, instant, tried, method, ...refusal };
  const renewed = input.renewed ?? 0;
  const now = memory.decidedAt(runId, `version-${proposal?.label}`);
  const isLater = now !== undefined && now > instant.now;
  return {
    settled: false,
    instant: isLater ? deferInstant(memory, runId, instant, now) : instant,
    tried,
    method,
    ...refusal,
    declined: true,
    ...(isLater ? { renewed: renewed + 1 } : renewed > 0 ? { renewed } : {}),
  };
}

/** The facts of a refusal by the validator: the violated rule, or the edits above the limit. */
function factsOfRefusal(
  memory: ShopMemory,
  runId: string,
  input: FailedRepair['input'],
): ErrorFacts {
  const { instant, proposal } = input;
  if (proposal === undefined) return {};
  const status = memory.statusOf(runId, instant);
  const schedule = scheduleOf(status, proposal);
  const violation = worstViolation(judgeExecution(schedule))?.code;
  if (violation !== undefined) return { violation };
  const most = memory.baseOf(runId).input.policy.limits.mostEdited;
  return { edits: createEditCounter(status.task).edited(schedule.start).length, most };
}

/**
 * Rolls back a failed proposal: the version before stays, and the next method is tried. After the last method, the
 * plan is only delayed as needed if the policy has a limit that no method kept.
 */
function rollBack(
  memory: ShopMemory,
  { error, input }: FailedRepair,
  { runId, params }: StepContext,
): Settlement {
  const { instant, proposal } = input;
  const { methods } = policyOfInstant(memory.baseOf(runId).input.policy, instant);
  const tried = (input.tried ?? 0) + 1;
  const isOurs = instant.kind === 'events';
  const method = proposal?.method ?? (isOurs ? methods[tried - 1] : instant.kind);
  const isLast = !isOurs || tried >= methods.length;
  const declined = isOurs && isLast && params.yields === true && !input.declined;
  const { renewed } = input;
  const facts = error.code === 'Refused' ? factsOfRefusal(memory, runId, input) : undefined;
  const refusal = { code: error.code, reason: errorLine(error.message), ...(facts && { facts }) };
  return {
    settled: isLast && !declined,
    instant,
    tried,
    method,
    ...refusal,
    ...(renewed && { renewed }),
    ...(declined && { declined }),
  };
}

/**
 * Computes the state after an instant.
 *
 * @throws AlasError `no_repair` if every method failed: the last version stays
 */
function settle({
  state,
  instant,
  settled,
}: {
  readonly state: ShopState;
  readonly instant: ShopInstant;
  /** Absent if no repair was needed. */
  readonly settled?: Settlement;
}): ShopState {
  const { kind, now } = instant;
  if (settled !== undefined && !('version' in settled) && kind === 'events') {
    const { tried, method, reason, instant: at } = settled;
    const message = `no repair was accepted at ${now}, after ${tried} of ${tried} methods (${method}: ${reason}); the shop stays at version ${at.version}`;
    throw new AlasError('no_repair', message, settled);
  }
  const followed = settled !== undefined && 'version' in settled ? settled : undefined;
  const isGiven = state.left > 0;
  const left = state.left - (isGiven ? 1 : 0);
  return {
    version: followed?.version ?? state.version,
    now: Math.max(followed?.now ?? now, state.now),
    taken: state.taken + (isGiven ? 1 : 0),
    left,
    live: state.live,
    over: kind === 'close' || (!state.live && left === 0),
  };
}
