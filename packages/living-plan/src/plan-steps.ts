import { AlasError, errorLine, type RefusalReason } from '@alas-jssp/core/errors';
import type { Handler, HandlersOf, Json, Registry, StepContext } from '@alas-jssp/workflow';
import { refusalOf } from './log-values.js';
import type { PlanMemory } from './plan-memory.js';
import type {
  PlanCommand,
  PlanInput,
  PlanInstant,
  PlanKind,
  PlanState,
  Settlement,
} from './plan-values.js';
import {
  type FailedRepair,
  MOST_RENEWALS,
  type PlanSteps,
  type ProposedRepair,
} from './plan-workflow.js';
import type { PlanFault, PlanPort } from './port.js';

/** The adapter of a kind of plan, and the memory of its log. */
interface PlanWorld<K extends PlanKind> {
  readonly port: PlanPort<K>;
  readonly memory: PlanMemory<K>;
  /** Called before a step is computed; the returned function is called after it. */
  readonly onCompute?: (() => () => void) | undefined;
  /** The kinds of events that its repairs cover. */
  readonly covers?: readonly string[] | undefined;
  /** Notifies others of a committed version. After a crash it may be called again. */
  readonly notify?: ((proposal: K['Proposal']) => unknown) | undefined;
}

/**
 * The handlers of the workflow of a plan, for any run of a log. All but `notify` are pure: their results depend only on
 * the log. An interrupted run therefore reaches the same plan in any process, and a replay recomputes every repair.
 */
export function planHandlers<K extends PlanKind>(world: PlanWorld<K>): Registry {
  const { port, memory, onCompute, covers, notify = () => null } = world;
  const pure = <I, O>(run: Handler<I, O>['run']): Handler<I, O> => ({
    kind: 'pure',
    run: (...call) => {
      const end = onCompute?.();
      let made: O | Promise<O> | undefined;
      try {
        made = run(...call);
      } finally {
        if (!(made instanceof Promise)) end?.();
      }
      return made instanceof Promise ? made.finally(end) : made;
    },
  });
  const propose = pure((input: RepairInput<K>, context) => proposeBy(world, input, context));
  const handlers: Omit<HandlersOf<PlanSteps>, 'proposeChosen'> & {
    readonly proposeInTime: Handler;
  } = {
    begin: pure((_: PlanInput, { runId }) => begin(port, memory, runId)),
    status: pure(({ state, command }, { runId }) => applyNextCommand(world, runId, state, command)),
    propose: { ...propose, covers },
    proposeInTime: { kind: 'external', run: propose.run as Handler['run'], covers },
    revalidate: pure((input, context) => revalidate(world, input, context)),
    approve: pure(({ label }) => ({ label })),
    commit: pure((input, { runId }) => commit(world, runId, input)),
    notify: { kind: 'external', run: (proposal) => notify(proposal) },
    decline: pure((input, { runId }) => decline(world, runId, input)),
    rollBack: pure((input, context) => rollBack(world, input, context)),
    settle: pure((input) => settle(memory.noun, input)),
    close: pure((state) => ({ ...state, over: true })),
  };
  return { handlers };
}

type RepairInput<K extends PlanKind> = Omit<ProposedRepair<K>, 'proposal'>;

/** Version 1: a plan that must be executable. */
function begin<K extends PlanKind>(
  port: PlanPort<K>,
  memory: PlanMemory<K>,
  runId: string,
): PlanState {
  const { first, input, given } = memory.baseOf(runId);
  const fault = port.judge(first);
  if (fault !== undefined) throw refused(fault);
  const { live } = input;
  const left = given();
  return { version: 1, now: first.now, taken: 0, left, live, over: !live && left === 0 };
}

function refused({ reason, violations, value }: PlanFault): AlasError {
  return new AlasError('Refused', reason, violations ?? value);
}

/**
 * Applies the next command to a plan, or the next events given in advance if there is none. Invalid commands are
 * refused with a reason and change nothing.
 */
function applyNextCommand<K extends PlanKind>(
  { port, memory }: PlanWorld<K>,
  runId: string,
  state: PlanState,
  given: PlanCommand | undefined,
): K['Instant'] {
  const command = state.rest ?? given;
  const { version } = state;
  const plan = memory.versionOf(runId, version);
  const { by = null, role, key, digest } = command ?? {};
  const blank: K['Instant'] = {
    kind: 'nothing',
    version,
    now: state.now,
    events: [],
    skipped: [],
    by,
    ...port.blank,
    ...(role && { role }),
    ...(key && { key }),
    ...(digest && { digest }),
    changed: false,
  };
  const context = { memory, runId, state, plan };
  if (command === undefined) {
    if (state.left === 0) return blank;
    return port.applyGiven({ ...context, instant: { ...blank, kind: 'events' } });
  }
  if ('close' in command) return { ...blank, kind: 'close' };
  // In a plan with a clock, a command that was queued behind a proposal applies at the time by then.
  const { isClocked } = memory.baseOf(runId);
  const now = isClocked ? Math.max(command.now, state.now) : command.now;
  const instant: K['Instant'] = { ...blank, kind: kindOf(command), now };
  const refuse = (refusal: RefusalReason): K['Instant'] => {
    const refused = 'events' in command ? command.events : [command as unknown as Json];
    const skipped = refused.map((event) => ({ event, ...refusal }));
    const withdraws = 'withdraw' in command ? { version: command.withdraw, events: [] } : undefined;
    return { ...instant, now: state.now, skipped, ...(withdraws && { withdraws }) };
  };
  if (now < state.now) {
    const already = port.formatTime(plan, state.now);
    const reason = `it is ${already} already; give ${already} or later`;
    return refuse({ code: 'bad_now', facts: { last: state.now }, reason });
  }
  if ('undo' in command && command.undo >= version) {
    const reason = `there is nothing after version ${command.undo} to undo`;
    return refuse({ code: 'nothing_to_undo', facts: { version: command.undo }, reason });
  }
  try {
    return port.applyCommand(command, { ...context, instant });
  } catch (error) {
    return refuse(refusalOf(error));
  }
}

function kindOf(command: Exclude<PlanCommand, { close: true }>): 'undo' | 'propose' | 'events' {
  if ('undo' in command) return 'undo';
  return 'propose' in command ? 'propose' : 'events';
}

function proposeBy<K extends PlanKind>(
  { port, memory }: PlanWorld<K>,
  attempt: RepairInput<K>,
  step: StepContext,
): K['Proposal'] | Promise<K['Proposal']> {
  const { runId } = step;
  const { instant, tried = 0, renewed = 0 } = attempt;
  const turn = tried + renewed;
  return port.repair({
    ...attempt,
    tried,
    runId,
    step,
    input: memory.baseOf(runId).input,
    label: `${instant.version + 1}${turn > 0 ? `.${turn + 1}` : ''}`,
    previous: memory.versionOf(runId, instant.version),
    effect: memory.effectOf(runId, instant),
  });
}

/** The fault of a proposal as the log describes it, not as the repair has it in memory. */
function faultOf<K extends PlanKind>(
  { port, memory }: PlanWorld<K>,
  runId: string,
  { proposal, ...attempt }: ProposedRepair<K>,
): readonly [plan: K['Plan'], fault: PlanFault | undefined] {
  const effect = memory.effectOf(runId, attempt.instant);
  const plan = memory.patch(effect, proposal);
  return [plan, port.judge(plan, { base: memory.baseOf(runId), attempt, effect })];
}

function revalidate<K extends PlanKind>(
  world: PlanWorld<K>,
  input: ProposedRepair<K>,
  { runId, log }: StepContext,
): { readonly valid: true } & K['Figures'] {
  const { proposal } = input;
  const [plan, fault] = faultOf(world, runId, input);
  if (fault === undefined) {
    world.memory.noteProposed(proposal, plan);
    return { valid: true, ...world.port.figuresOf(plan) };
  }
  const { violations } = fault;
  if (violations) log('ValidateFail', { label: proposal.label, violations: violations.length });
  throw refused(fault);
}

/** Commits a proposal. If it is outdated by now, it is rolled back and recomputed for the current time instead. */
function commit<K extends PlanKind>(
  world: PlanWorld<K>,
  runId: string,
  input: ProposedRepair<K>,
): Settlement<K['Instant'], K['Figures']> {
  const { port, memory } = world;
  const { instant, proposal, renewed = 0 } = input;
  const { method } = proposal;
  const plan = memory.proposed(runId, instant, proposal);
  const base = memory.baseOf(runId);
  const now = base.asks ? memory.decidedAt(runId, `version-${proposal.label}`) : undefined;
  if (now !== undefined && now > instant.now && renewed < MOST_RENEWALS) {
    const later = deferInstant(world, runId, instant, now);
    if (port.isOutdated?.(memory.effectOf(runId, later), plan)) {
      const reason = `it was ${port.formatTime(plan, now)} by then, and the proposal was recomputed`;
      const refusal = { code: 'outdated', facts: { now }, reason };
      const tried = input.tried ?? 0;
      return { settled: false, instant: later, tried, method, ...refusal, renewed: renewed + 1 };
    }
  }
  const version = instant.version + 1;
  memory.keep(runId, { ...plan, version, now: instant.now });
  const later = renewed === 0 ? {} : { now: instant.now };
  const sha256 = memory.fingerprint(plan);
  const figures = port.figuresOf(plan);
  return {
    settled: true,
    version,
    method,
    ...figures,
    sha256,
    by: base.input.approvedBy ?? null,
    ...later,
  };
}

/** Defers an instant: until the later time, the plan is executed without a repair. */
function deferInstant<K extends PlanKind>(
  { port, memory }: PlanWorld<K>,
  runId: string,
  instant: K['Instant'],
  now: number,
): K['Instant'] {
  const later: K['Instant'] = { ...instant, now, reportedAt: instant.reportedAt ?? instant.now };
  const effect = memory.effectOf(runId, later);
  const plan = memory.versionOf(runId, instant.version);
  const made = { ...later, ...port.deferred?.(plan, effect) };
  memory.noteEffect(made, effect);
  return made;
}

/**
 * Handles a proposal that was declined or not answered in time. After events, the plan before is repaired by delays
 * only; after an undo or manual proposal, the version before stays.
 */
function decline<K extends PlanKind>(
  world: PlanWorld<K>,
  runId: string,
  { error, input }: FailedRepair<K>,
): Settlement<K['Instant'], K['Figures']> {
  const { instant, proposal } = input;
  const tried = (input.tried ?? 0) + 1;
  const method = proposal?.method ?? instant.kind;
  const refusal = { code: error.code, reason: errorLine(error.message) };
  if (instant.kind !== 'events') return { settled: true, instant, tried, method, ...refusal };
  const renewed = input.renewed ?? 0;
  const now = world.memory.decidedAt(runId, `version-${proposal?.label}`);
  const isLater = now !== undefined && now > instant.now;
  return {
    settled: false,
    instant: isLater ? deferInstant(world, runId, instant, now) : instant,
    tried,
    method,
    ...refusal,
    declined: true,
    ...(isLater ? { renewed: renewed + 1 } : renewed > 0 ? { renewed } : {}),
  };
}

/**
 * Rolls back a failed proposal: the version before stays, and the next method is tried. After the last method, the
 * plan is only delayed as needed if the policy has a limit that no method kept.
 */
function rollBack<K extends PlanKind>(
  world: PlanWorld<K>,
  { error, input }: FailedRepair<K>,
  { runId, params }: StepContext,
): Settlement<K['Instant'], K['Figures']> {
  const { port, memory } = world;
  const { instant, proposal, renewed } = input;
  const methods = port.methodsOf(memory.baseOf(runId), instant);
  const tried = (input.tried ?? 0) + 1;
  const isOurs = instant.kind === 'events';
  const method = proposal?.method ?? (isOurs ? methods[tried - 1] : instant.kind);
  const isLast = !isOurs || tried >= methods.length;
  const declined = isOurs && isLast && params.yields === true && !input.declined;
  const isRefused = error.code === 'Refused';
  const facts = isRefused
    ? ((proposal && faultOf(world, runId, { ...input, proposal })[1]?.facts) ?? {})
    : undefined;
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
function settle(
  noun: string,
  {
    state,
    instant,
    settled,
  }: {
    readonly state: PlanState;
    readonly instant: PlanInstant;
    /** Absent if no repair was needed. */
    readonly settled?: Settlement | undefined;
  },
): PlanState {
  const { kind, now, rest } = instant;
  if (settled !== undefined && !('version' in settled) && kind === 'events') {
    const { tried, method, reason, instant: at } = settled;
    const message = `no repair was accepted at ${now}, after ${tried} of ${tried} methods (${method}: ${reason}); the ${noun} stays at version ${at.version}`;
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
    ...(rest && { rest }),
  };
}
