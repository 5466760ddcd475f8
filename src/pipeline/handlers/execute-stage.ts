import { monotonicSeconds } from '@alas-jssp/core/clock';
import { errorLine } from '@alas-jssp/core/errors';
import {
  type DisruptionEvent,
  type InjectionParameters,
  injectEvents,
} from '../../disruption/index.js';
import type { Instance } from '../../jssp/instance.js';
import { asSchedule, type Candidate } from '../../jssp/plan.js';
import { findMethod } from '../../lcrp/baselines/find-method.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import { type Simulation, simulate } from '../../lcrp/simulation/simulate.js';
import { warmUp } from '../../lcrp/warm-up.js';
import type { PipelineLog } from '../logged-run.js';
import { simulateInLog } from '../shop/simulate-in-log.js';

/** The disruption of an execution: the events themselves, or settings of their injection. */
export type Disruption = readonly DisruptionEvent[] | InjectionParameters;

/** The disruption of the execute stage, and the repair methods. */
export interface ExecuteSettings {
  readonly disruption: Disruption;
  /** Names of repair methods: each executes the same schedule with the same events. */
  readonly methods: readonly string[];
  readonly policy: OpenPolicy;
  /** Seed of injected events. */
  readonly eventSeed: number;
  /** Seed of the repairs. */
  readonly seed: number;
}

/** An execution under one method. */
export interface Execution {
  readonly method: string;
  /** The simulated execution with the verdict on its schedule; null if the method failed. */
  readonly simulation: Simulation | null;
  readonly seconds: number;
  /** The failure of the method in one line; else null. */
  readonly error: string | null;
}

/**
 * Executes a feasible schedule in simulated time, once with each method. A failed method is a regular result, and the
 * executions are independent.
 *
 * @param log keeps each execution as a run of its own; see `executeShop`
 * @throws InputError `bad_parameter` for unknown injector settings; the reason of `signal` if that was aborted
 */
export async function executeSchedule(
  instance: Instance,
  plan: Candidate,
  { disruption, methods, policy, eventSeed, seed }: ExecuteSettings,
  signal: AbortSignal | undefined,
  log?: PipelineLog,
): Promise<Execution[]> {
  const schedule = asSchedule(instance, plan);
  const events = isList(disruption)
    ? disruption
    : injectEvents({ instance, severity: disruption, seed: eventSeed });
  warmUp(); // Without it the first repairs of a thread would look slow.
  const executions: Execution[] = [];
  for (const method of methods) {
    const began = monotonicSeconds();
    let simulation: Simulation | null = null;
    let error: string | null = null;
    try {
      const repairer = findMethod(method);
      const given = { schedule, events, policy, seed, signal };
      simulation =
        log === undefined
          ? await simulate({ ...given, method: repairer })
          : await simulateInLog({ ...given, method }, log);
    } catch (thrown) {
      signal?.throwIfAborted();
      error = errorLine(thrown);
    }
    executions.push({ method, simulation, seconds: monotonicSeconds() - began, error });
  }
  return executions;
}

/** `Array.isArray` does not narrow read-only lists. */
function isList(disruption: Disruption): disruption is readonly DisruptionEvent[] {
  return Array.isArray(disruption);
}
