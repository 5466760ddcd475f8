import { monotonicSeconds } from '../../core/clock.js';
import { AlasError, type ErrorFacts, errorLine } from '../../core/errors.js';
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
import type { Handler, HandlersOf, LogStore, Registry, StepContext } from '../../workflow/index.js';
import { boundPolicy } from '../handlers/repair-stage.js';
import { earlierStartsOf, goBackTo } from './go-back.js';
import { goOn, type HappeningWorld, happen } from './happening.js';
import { policyOfInstant } from './rows.js';
import { createShopMemory, fingerprint, type ShopMemory, scheduleOf } from './shop-memory.js';
import type {
  FindInstance,
  Happening,
  Settlement,
  ShopInput,
  ShopProposal,
  ShopState,
  Trying,
} from './shop-values.js';
import {
  type FailedProposal,
  MOST_RENEWALS,
  type ProposalInTurn,
  type ShopSteps,
} from './shop-workflow.js';

/** A repair that was made in this process, for who measures it. */
export interface MadeRepair {
  readonly happened: Happening;
  readonly status: Status;
  readonly made: MethodResult;
  /** The time that the method took. */
  readonly seconds: number;
}

/** Reduces a policy for an instance to what it may take. */
export type LimitRow = (policy: OpenPolicy, instance: Instance) => OpenPolicy;

/** The world of the steps of shops. */
export interface ShopServices extends HappeningWorld {
  /** Told of every repair that is made. */
  readonly onRepair?: ((repair: MadeRepair) => void) | undefined;
  /** Reduces the policy of a row that a report chose. Default: it stays as it is. */
  readonly limitRow?: LimitRow | undefined;
  /** Called before a step is computed; what it gives is called when that has returned. */
  readonly onCompute?: (() => () => void) | undefined;
}

/**
 * The handlers of the workflow of a shop, for any run in a log. All are pure: what they make follows
 * from the log alone, so that a run that broke off goes on to the same schedule in any process, and a
 * replay makes every repair again.
 *
 * @param find finds instances that runs name, and do not hold
 */
export function createShopRegistry(store: LogStore, find?: FindInstance): Registry {
  return shopHandlers({ memory: createShopMemory(store, find) });
}

/** The handlers over a memory. */
export function shopHandlers(services: ShopServices): Registry {
  const { memory } = services;
  const propose = (input: Trying, context: StepContext) => proposeBy(services, input, context);
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
    status: pure(({ state, news }, { runId }) => happen(services, runId, state, news)),
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

/** Version 1: a plan that can be executed. */
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
  { happened, ...trying }: Trying,
  { runId, signal, repair }: StepContext,
): ShopProposal | Promise<ShopProposal> {
  const status = memory.statusOf(runId, happened);
  const { input } = memory.baseOf(runId);
  const tried = trying.tried ?? 0;
  const turn = tried + (trying.renewed ?? 0);
  const draft = {
    label: `${happened.version + 1}${turn > 0 ? `.${turn + 1}` : ''}`,
    previous: memory.versionOf(runId, happened.version).schedule,
    status,
  };
  if (happened.undo !== undefined) {
    const { schedule, kept } = goBackTo(status, earlierStartsOf(memory, runId, happened, status));
    return { ...proposalOf(draft, schedule), method: 'undo', kept };
  }
  if (happened.propose !== undefined) {
    const { newOf } = status.applied;
    const { operations, starts } = happened.propose;
    const moved = operations.map((op) => newOf[op]);
    const schedule = scheduleOf(status, { operations: moved, starts });
    return { ...proposalOf(draft, schedule), method: 'by hand' };
  }
  const whole = policyOfInstant(input.policy, happened);
  const policy = happened.row === undefined ? whole : limitRow(whole, status.task.instance);
  const method = trying.declined ? affected : findMethod(policy.methods[tried]);
  const began = monotonicSeconds();
  const finish = (made: MethodResult): ShopProposal => {
    onRepair?.({ happened, status, made, seconds: monotonicSeconds() - began });
    const { phase, evaluations } = made;
    const lostPins = lostPinsOf(status.task, policy.limits, made);
    return {
      ...proposalOf(draft, made.schedule),
      ...{ method: method.name, phase, evaluations },
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

/** The independent validator judges what the log says, not what the repair holds in memory. */
function revalidate(
  memory: ShopMemory,
  { happened, proposal, declined }: ProposalInTurn,
  { runId, log }: StepContext,
): { readonly valid: true; readonly makespan: number } {
  const status = memory.statusOf(runId, happened);
  const schedule = scheduleOf(status, proposal);
  const judgement = judgeExecution(schedule);
  if (judgement.executable) {
    // Where the plan goes on as it can, nothing moves but what has to.
    if (happened.kind === 'events' && !declined) {
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

/** Not every method heeds the policy. @throws AlasError `Refused` for more edits than it allows */
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

/** Commits a proposal, unless its time has passed: then it is to be made anew, for the time that it is by now. */
function commit(memory: ShopMemory, runId: string, input: ProposalInTurn): Settlement {
  const { happened, proposal } = input;
  const renewed = input.renewed ?? 0;
  const status = memory.statusOf(runId, happened);
  const schedule = memory.proposed(proposal) ?? scheduleOf(status, proposal);
  const { policy } = memory.baseOf(runId).input;
  const now =
    policy.approval === null ? undefined : memory.decidedAt(runId, `version-${proposal.label}`);
  if (now !== undefined && now > happened.now && renewed < MOST_RENEWALS) {
    const later = goOn(memory, runId, happened, now);
    if (isOutdated(memory.statusOf(runId, later), schedule)) {
      const reason = `it was ${wordsOf(schedule.instance).time(now)} by then, and the proposal was made anew`;
      const { method } = proposal;
      const tried = input.tried ?? 0;
      const refusal = { code: 'made_anew', facts: { now }, reason };
      return { settled: false, happened: later, tried, method, ...refusal, renewed: renewed + 1 };
    }
  }
  const version = happened.version + 1;
  memory.keep(runId, { version, now: happened.now, schedule });
  const { makespan } = schedule;
  const by = memory.baseOf(runId).input.approvedBy;
  const sha256 = fingerprint(schedule);
  const later = renewed === 0 ? {} : { now: happened.now };
  return { settled: true, version, method: proposal.method, makespan, sha256, by, ...later };
}

/** Whether a schedule rewrites what the floor has started by the time of a status, or starts anything before that. */
function isOutdated({ task, applied }: Status, { start }: Schedule): boolean {
  const { frozen } = task.instance;
  return start.some((time, op) => {
    const taken = frozen === null ? -1 : frozen[op];
    return taken >= 0 ? taken !== time : time < applied.now;
  });
}

/**
 * A proposal that was declined, or that nobody answered in time: the plan before is followed as well as it can be,
 * and what is in its way delays it. Where nothing has happened to it the version before simply stays.
 */
function decline(memory: ShopMemory, runId: string, { error, input }: FailedProposal): Settlement {
  const { happened, proposal } = input;
  const tried = (input.tried ?? 0) + 1;
  const method = proposal?.method ?? happened.kind;
  const refusal = { code: error.code, reason: errorLine(error.message) };
  if (happened.kind !== 'events') return { settled: true, happened, tried, method, ...refusal };
  const renewed = input.renewed ?? 0;
  const now = memory.decidedAt(runId, `version-${proposal?.label}`);
  const isLater = now !== undefined && now > happened.now;
  return {
    settled: false,
    happened: isLater ? goOn(memory, runId, happened, now) : happened,
    ...{ tried, method, ...refusal, declined: true },
    ...(isLater ? { renewed: renewed + 1 } : renewed > 0 ? { renewed } : {}),
  };
}

/** Why the validator refused a proposal, as facts: the rule that it breaks, or its edits beyond the limit. */
function factsOfRefusal(
  memory: ShopMemory,
  runId: string,
  input: FailedProposal['input'],
): ErrorFacts {
  const { happened, proposal } = input;
  if (proposal === undefined) return {};
  const status = memory.statusOf(runId, happened);
  const schedule = scheduleOf(status, proposal);
  const violation = worstViolation(judgeExecution(schedule))?.code;
  if (violation !== undefined) return { violation };
  const most = memory.baseOf(runId).input.policy.limits.mostEdited;
  return { edits: createEditCounter(status.task).edited(schedule.start).length, most };
}

/**
 * A proposal that came to nothing: the version before stays, and the next method has its turn. After the last one the
 * plan goes on as it can where the policy has a limit that none of them kept.
 */
function rollBack(
  memory: ShopMemory,
  { error, input }: FailedProposal,
  { runId, params }: StepContext,
): Settlement {
  const { happened, proposal } = input;
  const { methods } = policyOfInstant(memory.baseOf(runId).input.policy, happened);
  const tried = (input.tried ?? 0) + 1;
  const isOurs = happened.kind === 'events';
  const method = proposal?.method ?? (isOurs ? methods[tried - 1] : happened.kind);
  const isLast = !isOurs || tried >= methods.length;
  const declined = isOurs && isLast && params.yields === true && !input.declined;
  const { renewed } = input;
  const facts = error.code === 'Refused' ? factsOfRefusal(memory, runId, input) : undefined;
  const refusal = { code: error.code, reason: errorLine(error.message), ...(facts && { facts }) };
  return {
    ...{ settled: isLast && !declined, happened, tried, method, ...refusal },
    ...(renewed && { renewed }),
    ...(declined && { declined }),
  };
}

/**
 * Hands on the version that is followed.
 *
 * @throws AlasError `no_repair` if every method was tried in vain: the last version stays
 */
function settle({
  state,
  happened,
  settled,
}: {
  readonly state: ShopState;
  readonly happened: Happening;
  /** Absent where nothing was due. */
  readonly settled?: Settlement;
}): ShopState {
  const { kind, now } = happened;
  if (settled !== undefined && !('version' in settled) && kind === 'events') {
    const { tried, method, reason, happened: at } = settled;
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
