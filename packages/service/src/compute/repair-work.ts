import { AlasError } from '@alas-jssp/core/errors';
import type { DisruptionEvent } from 'alas-jssp/disruption';
import {
  changePolicy,
  judgeExecution,
  type OpenPolicy,
  planPolicy,
  withObjective,
  wordsOf,
  worstViolation,
} from 'alas-jssp/internal/service';
import {
  type Instance,
  type Plan,
  type Schedule,
  scheduleFromPlan,
  totalWeightedTardiness,
} from 'alas-jssp/jssp';
import {
  costOfLimits,
  findMethod,
  measureRepair,
  type RepairResult,
  repair,
  repairPlan,
} from 'alas-jssp/lcrp';
import { validate } from 'alas-jssp/validator';
import { requestedInstance, requestedPlan, requestedPolicy } from '../api/request-parts.js';
import {
  readWireEvents,
  readWireTime,
  wireEnds,
  wireInstance,
  wireOperation,
  wirePlan,
  wireSkipped,
  wireTime,
} from '../api/wire.js';
import type { ExplainRequest, RepairRequest } from '../api/work-schemas.js';
import { wireLostPins } from '../shops/lost-pins.js';
import { wireMoves } from '../shops/moves.js';
import { type ClampedPolicy, clampForWork } from '../shops/policy-limits.js';
import { causesOf, seedOfWork, stopwatch, USUAL_LENGTH, type WorkSetting } from './work.js';

/** The arguments of a repair, in the types of the library. */
interface Asked {
  readonly instance: Instance;
  readonly plan: Plan;
  readonly events: readonly DisruptionEvent[];
  readonly now: number;
  readonly policy: OpenPolicy | undefined;
  readonly clamped: ClampedPolicy['clamped'];
  readonly seed: number;
}

/** Makes a plan feasible, or repairs it after events. */
export async function performRepair(request: RepairRequest, setting: WorkSetting) {
  const seconds = stopwatch();
  const asked = readRequest(request, setting);
  const { instance, plan } = asked;
  const violations_before = validate(instance, plan, { limit: 0 }).total;
  const done =
    asked.events.length === 0
      ? await repairFaults(asked, request, setting)
      : await repairEvents(asked, request, setting);
  const clamped = [...asked.clamped];
  return { instance: instance.name, violations_before, ...done, clamped, seconds: seconds() };
}

/** Explains the violations of a plan, and the moves of its repair after events. */
export async function performExplain(request: ExplainRequest, setting: WorkSetting) {
  // The cost of limits needs a second repair.
  const asked = readRequest(request, setting, 2);
  const { instance, plan, events } = asked;
  const most = request.most ?? USUAL_LENGTH;
  const report = validate(instance, plan);
  const { causes, more: more_causes } = causesOf(instance, report, most);
  const wrong = causes.map(({ explanation }) => explanation);
  const clamped = [...asked.clamped];
  const found = { instance: instance.name, valid: report.valid, causes, more_causes, clamped };
  if (events.length === 0) {
    const lines = report.valid ? ['the plan breaks no rule'] : wrong;
    return { ...found, moves: [], more_moves: 0, limits: null, lines };
  }
  const result = await repairOf(asked, request, setting);
  const { moves, more } = cutMoves(result, most);
  const limits = await costOfLimits(result, { signal: setting.signal });
  const price =
    limits === null ? [] : [`the limits of the policy cost ${limits.within - limits.without}`];
  const lines = [...wrong, ...moves.map(({ cause }) => cause), ...price];
  return { ...found, moves, more_moves: more, limits, lines };
}

function readRequest(request: RepairRequest, setting: WorkSetting, repairs = 1): Asked {
  const instance = requestedInstance(request.instance, setting.operations);
  const { timeScale } = instance;
  const plan = requestedPlan(request.plan, instance);
  const { events: given = [], policy, method } = request;
  const now = request.now === undefined ? undefined : readWireTime(timeScale, request.now, ['now']);
  const events = readWireEvents(instance, given, now);
  const { policy: rules, clamped } =
    policy === undefined && (method === undefined || events.length === 0)
      ? { policy: undefined, clamped: [] }
      : clampForWork(requestedPolicyOf(request, instance), setting.seconds, instance, repairs);
  return {
    instance,
    plan,
    events,
    now: now ?? events.reduce((latest, { at }) => Math.max(latest, at), 0),
    policy: rules,
    clamped,
    seed: seedOfWork(request.seed, instance, 'repair'),
  };
}

/** The policy of a request, with the method of the request. */
function requestedPolicyOf({ policy, method }: RepairRequest, instance: Instance): OpenPolicy {
  const rules = requestedPolicy(policy ?? 'default', instance);
  return method === undefined ? rules : changePolicy(rules, { methods: [findMethod(method).name] });
}

async function repairFaults(
  { instance, plan, policy, seed }: Asked,
  { most = USUAL_LENGTH, with_instance = false }: RepairRequest,
  { signal }: WorkSetting,
) {
  const { schedule, feasible } = await repairPlan(instance, plan, { seed, signal }, policy);
  const before = scheduleFromPlan(instance, plan);
  const isComplete = !before.start.includes(-1);
  const moved = movedOperations(before, schedule);
  const words = wordsOf(instance);
  const moves = moved.slice(0, most).map((op) => {
    const was = before.start[op];
    const cause =
      was < 0
        ? `${words.operation(op)} had no start in the plan`
        : `${words.operation(op)} was planned at ${words.time(was)}, which does not fit the rules or the others`;
    const wasOnWire = was < 0 ? null : wireTime(instance.timeScale, was);
    const kind = was < 0 ? 'missing' : 'fault';
    return { ...wireOperation(schedule, op), was: wasOnWire, kind, cause };
  });
  return {
    method: 'plan',
    objective: withObjective(instance, policy ?? planPolicy).objective,
    phase: 'plan',
    now: null,
    feasible,
    executable: judgeExecution(schedule).executable,
    makespan: wireEnds(instance.timeScale, {
      before: isComplete ? before.makespan : null,
      after: schedule.makespan,
    }),
    total_weighted_tardiness:
      instance.due === null
        ? null
        : {
            before: isComplete ? totalWeightedTardiness(before) : null,
            after: totalWeightedTardiness(schedule),
          },
    moved: moved.length,
    moves,
    more: moved.length - moves.length,
    skipped: [],
    lost_pins: [],
    plan: wirePlan(schedule),
    instance_after: with_instance ? wireInstance(instance) : null,
  };
}

async function repairEvents(asked: Asked, request: RepairRequest, setting: WorkSetting) {
  const result = await repairOf(asked, request, setting);
  const { schedule, applied, judgement, method } = result;
  const { most = USUAL_LENGTH, with_instance = false } = request;
  const { instance } = schedule;
  const { makespan, tardiness, phase } = measureRepair(result);
  const { moved, moves, more } = cutMoves(result, most);
  return {
    method: method.name,
    objective: result.policy.objective,
    phase,
    now: wireTime(instance.timeScale, applied.now),
    feasible: judgement.feasible,
    executable: judgement.executable,
    makespan: wireEnds(instance.timeScale, { before: makespan.before, after: makespan.final }),
    total_weighted_tardiness:
      instance.due === null ? null : { before: tardiness.before, after: tardiness.final },
    moved,
    moves,
    more,
    skipped: wireSkipped(instance, applied.skipped),
    lost_pins: wireLostPins(result),
    plan: wirePlan(schedule),
    instance_after: with_instance ? wireInstance(instance) : null,
  };
}

/** Repairs a plan in execution; an infeasible plan is made feasible first. */
async function repairOf(
  { instance, plan, events, now, policy, seed }: Asked,
  { method }: RepairRequest,
  { signal, onProgress }: WorkSetting,
): Promise<RepairResult> {
  onProgress({ stage: 'working', best: null, lower_bound: null, iterations: null });
  const given = scheduleFromPlan(instance, plan);
  const isPlain = validate(instance, plan, { limit: 0 });
  const isFollowed = isPlain.total === isPlain.counts.deadline;
  const schedule = isFollowed
    ? given
    : (await repairPlan(instance, plan, { seed, signal })).schedule;
  const verdict = judgeExecution(schedule);
  if (!verdict.executable) {
    const worst = worstViolation(verdict)?.message;
    const words = `no schedule was found that can be followed until then: ${worst}`;
    throw new AlasError('not_executable', words);
  }
  return repair({ schedule, events, now }, policy, {
    seed,
    signal,
    tooLate: 'skip',
    ...(method === undefined ? {} : { method: findMethod(method) }),
  });
}

function cutMoves(result: RepairResult, most: number) {
  const { moved, moves, more } = wireMoves(result);
  const cut = moves.slice(0, most);
  return { moved, moves: cut, more: more + moves.length - cut.length };
}

function movedOperations(before: Schedule, { start, instance }: Schedule): number[] {
  return Array.from({ length: instance.operations }, (_, op) => op)
    .filter((op) => start[op] !== before.start[op])
    .sort((a, b) => start[a] - start[b] || a - b);
}
