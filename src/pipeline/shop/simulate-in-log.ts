import { AlasError } from '@alas-jssp/core/errors';
import type { LogStore } from '@alas-jssp/workflow';
import { hasRun } from '@alas-jssp/workflow';
import type { DisruptionEvent } from '../../disruption/index.js';
import type { Schedule } from '../../jssp/schedule.js';
import { judgeExecution } from '../../lcrp/judge-repair.js';
import { measureRepair } from '../../lcrp/metrics/metrics.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import {
  renumber,
  type Simulation,
  type SimulationStep,
  sumUp,
} from '../../lcrp/simulation/simulate.js';
import type { Times } from '../../lcrp/task.js';
import type { MadeRepair } from './shop-steps.js';
import { executeShop } from './start-shop.js';

/** A plan, its future events, and the one repair method. */
interface LoggedSimulation {
  readonly schedule: Schedule;
  readonly events: readonly DisruptionEvent[];
  readonly method: string;
  readonly policy: OpenPolicy;
  readonly seed: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a simulation as the execution of a shop in a log. The schedule and the measures equal those of `simulate`.
 * The log references the instance without its content.
 *
 * @throws as `simulate` does
 */
export async function simulateInLog(
  { schedule: plan, events, method, policy, seed, signal }: LoggedSimulation,
  { store, runId }: { readonly store: LogStore; readonly runId: string },
): Promise<Simulation> {
  const steps: SimulationStep[] = [];
  const skipped: Simulation['skipped'][number][] = [];
  let planned: Times = plan;
  let last: MadeRepair | undefined;
  const onRepair = (repair: MadeRepair): void => {
    last = repair;
    const { status, made, seconds } = repair;
    const { applied } = status;
    const judgement = judgeExecution(made.schedule);
    const metrics = measureRepair({ ...status, ...made });
    const lost = applied.lost.length;
    steps.push({ now: applied.now, events: applied.events, lost, metrics, judgement, seconds });
    planned = renumber(planned, applied);
  };
  const rules = { ...policy, methods: [method], approval: null };
  const shop = { schedule: plan, policy: rules, seed, events, embed: false };
  const find = () => plan.instance;
  const onSkip = (late: Simulation['skipped']) => void skipped.push(...late);
  const options = { store, runId: freeId(store, `${runId}__${method}`), signal, find };
  const { status, error } = await executeShop(shop, { ...options, onRepair, onSkip });
  signal?.throwIfAborted();
  const finished = status === 'COMPLETED';
  // A method that changed nothing may return a schedule that is not executable: that is its result.
  if (!finished && last?.made.phase !== 'status') {
    throw new AlasError('bad_repair', error?.message ?? `the execution is ${status}`);
  }
  const schedule = last === undefined ? plan : last.made.schedule;
  return sumUp(plan, { steps, skipped, planned, finished, schedule });
}

/** An unused run id: a resumed run repeats its executions under new ids. */
function freeId(store: LogStore, wish: string): string {
  let id = wish.replaceAll(/[^A-Za-z0-9._~-]+/g, '-');
  const first = id;
  for (let k = 2; hasRun(store, id); k++) id = `${first}~${k}`;
  return id;
}
