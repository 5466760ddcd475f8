import type { Clock } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import { type CommandMeta, type PlanLog, planLog } from '@alas-jssp/living-plan';
import {
  type Json,
  type LogStore,
  type Registry,
  type RunResult,
  runWorkflow,
  type Workflow,
} from '@alas-jssp/workflow';
import { completeEvents } from '../../disruption/apply-events.js';
import { requireFitting, requireMachine, requireResource } from '../../disruption/draft-checks.js';
import type { DisruptionEvent, EventInput } from '../../disruption/index.js';
import { writeInstanceJson } from '../../jssp/formats/instance-json.js';
import type { Instance } from '../../jssp/instance.js';
import { checkStarts, type Schedule } from '../../jssp/schedule.js';
import { findMethod } from '../../lcrp/baselines/find-method.js';
import { requireExecutable } from '../../lcrp/judge-repair.js';
import { policyFor } from '../../lcrp/policy/make-policy.js';
import type { OpenPolicy, PolicyChanges } from '../../lcrp/policy/policy.js';
import { referTo } from '../step-values.js';
import { byInstant, logEvents } from './log-values.js';
import { logModes } from './logged-modes.js';
import type { ShopPace } from './pace.js';
import { createShopMemory, type ShopMemory } from './shop-memory.js';
import { type ShopObservers, shopHandlers } from './shop-steps.js';
import type { FindInstance, ShopInput } from './shop-values.js';
import { shopWorkflow } from './shop-workflow.js';
import type { ShopStory } from './story.js';

/** A shop to execute. */
export interface NewShop {
  /** The plan: feasible, except that it may miss deadlines. */
  readonly schedule: Schedule;
  /** Changes to the default policy, or a whole one; its `methods` are tried in order. */
  readonly policy?: PolicyChanges | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
  /** Events given in advance; each occurs at its `at`. Default: none. */
  readonly events?: readonly EventInput[] | undefined;
  /** The name that approves every version in advance. Default: none. */
  readonly approvedBy?: string | undefined;
  /** Whether the shop receives commands after these events. Default true. */
  readonly live?: boolean | undefined;
  /** Whether the log contains the instance. Default true; otherwise {@link FindInstance} finds it. */
  readonly embed?: boolean | undefined;
  /** The clock of the shop. Default: none, commands carry their times. */
  readonly shopClock?: ShopPace | undefined;
  /** The request that opens it. */
  readonly opened?: CommandMeta | undefined;
}

/** A run of a shop, ready to start. */
export interface ReadyShop {
  readonly workflow: Workflow;
  readonly input: ShopInput;
  readonly registry: Registry;
  readonly memory: ShopMemory;
}

/** Observers of a shop in this process, and the source of instances that a log only references. */
export interface ShopWatch extends ShopObservers {
  readonly find?: FindInstance | undefined;
}

/**
 * Prepares a run of a shop; nothing is written yet.
 *
 * @throws InputError `infeasible_plan`, `bad_event`, `bad_policy`, `unknown_method`, `bad_approval` for
 *   an approver without a name
 */
export function readyShop(store: PlanLog, shop: NewShop, watch: ShopWatch = {}): ReadyShop {
  const { schedule, seed = 0, events = [], approvedBy, live = true, embed = true } = shop;
  const { instance, start } = schedule;
  checkStarts(instance, start);
  requireExecutable(schedule);
  if (approvedBy === '') {
    throw new InputError('bad_approval', 'the approver has no name', 'give a name');
  }
  const policy = loggedPolicy(schedule, shop.policy);
  const toCome = completeEvents(events, undefined, instance);
  requireKnown(instance, toCome);
  const content = JSON.parse(writeInstanceJson(instance)) as Json;
  const mode = logModes(instance, [...start.keys()]);
  const input: ShopInput = {
    instance: embed ? { ...referTo(instance), content } : referTo(instance),
    start: [...start],
    ...(mode && { mode }),
    seed,
    policy,
    approvedBy: approvedBy ?? null,
    events: logEvents(toCome, instance),
    live,
    ...(shop.shopClock && { clock: shop.shopClock }),
    ...(shop.opened && { opened: shop.opened }),
  };
  const memory = createShopMemory(store, watch.find);
  // With an approval in advance, no proposal waits.
  const effective = approvedBy === undefined ? policy : { ...policy, approval: null };
  return {
    workflow: shopWorkflow(effective),
    input,
    registry: shopHandlers({ ...watch, memory }),
    memory,
  };
}

/**
 * Checks that events reference machines, resources, families and jobs that exist by then: those of the shop and arrived
 * ones.
 *
 * @throws InputError `unknown_machine`, `unknown_resource`, `unknown_job`, `bad_event`
 */
function requireKnown(instance: Instance, events: readonly DisruptionEvent[]): void {
  const { machines, jobs } = instance;
  let known = jobs;
  for (const event of byInstant(events).flatMap(([, together]) => together)) {
    if ('machine' in event && event.machine !== undefined) requireMachine(event.machine, machines);
    if ('resource' in event) requireResource(event.resource, instance);
    if ('needs' in event) {
      for (const { resource } of event.needs ?? []) requireResource(resource, instance);
    }
    if (event.kind === 'arrival') {
      requireFitting(instance, event.job.operations);
      known++;
    } else if ('job' in event && event.job >= known) {
      const problem = `there is no job ${event.job + 1} at ${event.at}`;
      throw new InputError('unknown_job', problem, `use 1 to ${known}`);
    }
  }
}

/** The log and the settings of an execution. */
export interface ExecuteShopOptions extends ShopWatch {
  readonly store: LogStore;
  /** Default: `shop` and a number. */
  readonly runId?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Cancels the run: the last version stays. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Executes a plan with given events in simulated time, as `simulate` does, with a log: every event and every version
 * of the schedule is an entry. `resumeRun` with {@link createShopRegistry} resumes an interrupted run to the same
 * schedule.
 *
 * @returns the end of the run: COMPLETED; FAILED if no repair was accepted, and the last version
 *   stays; WAITING if a version waits for an approval
 * @throws InputError as {@link readyShop}; AlasError `run_exists` if the id belongs to another run
 */
export async function executeShop(shop: NewShop, options: ExecuteShopOptions): Promise<RunResult> {
  const { store, clock, signal } = options;
  const ready = readyShop(store, { live: false, ...shop }, options);
  const { workflow, input, registry, memory } = ready;
  const runId = options.runId ?? freeName(store);
  memory.open(runId, input, shop.schedule.instance);
  const settings = { store: planLog(store), registry, runId, clock, signal, unchecked: true };
  return runWorkflow(workflow, input, settings);
}

function freeName(store: LogStore): string {
  const runs = new Set(store.runs());
  for (let number = 1; ; number++) if (!runs.has(`shop-${number}`)) return `shop-${number}`;
}

/** A policy as it is logged. */
function loggedPolicy({ instance }: Schedule, changes: PolicyChanges = {}): OpenPolicy {
  const policy = policyFor(instance, changes);
  for (const method of policy.methods) findMethod(method);
  return JSON.parse(JSON.stringify(policy)) as OpenPolicy;
}

/**
 * Checks that a shop in the log began with a plan, if one is given.
 *
 * @throws InputError `other_instance`
 */
export function requireSamePlan({ runId, input }: ShopStory, schedule?: Schedule): void {
  if (schedule === undefined || input === null) return;
  const { name, sha256 } = referTo(schedule.instance);
  const isSame = sha256 === input.instance.sha256;
  const modes = logModes(schedule.instance, [...schedule.start.keys()]);
  const hasModes = modes?.every((mode, op) => mode === input.mode?.[op]) ?? true;
  const hasStarts = schedule.start.every((start, op) => start === input.start[op]);
  if (isSame && hasStarts && hasModes) return;
  const is =
    input.instance.name === name
      ? `${name} with other numbers`
      : `${input.instance.name}, not ${name}`;
  const problem = isSame ? `began with another plan for ${name}` : `is ${is}`;
  const hint = 'give another id, or no schedule to resume it';
  throw new InputError('other_instance', `the shop ${runId} in the log ${problem}`, hint);
}
