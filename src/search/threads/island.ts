import { workerData } from 'node:worker_threads';
import type { Instance } from '../../jssp/instance.js';
import type { Objective } from '../../jssp/objectives.js';
import { createEvolution, type EvolutionSettings, isSettled } from '../evolution/evolution.js';
import { createProblem } from '../problem.js';
import { createExchange, type Exchange, type ExchangeBuffers } from './exchange.js';
import { postDone } from './thread.js';

/** The task that an island, a search in a thread of its own, starts with. */
export interface IslandTask {
  readonly instance: Instance;
  readonly objective: Objective;
  readonly settings: EvolutionSettings;
  readonly warmStart: Int32Array | null;
  /** Place of this island among all. */
  readonly island: number;
  readonly islands: number;
  readonly buffers: ExchangeBuffers;
  /** Cost with which it ends by itself. */
  readonly goal: number;
  /** Whether it takes over the best of the others now and then. */
  readonly migrates: boolean;
}

/** Slices between two looks at the other islands. */
const MIGRATION_INTERVAL = 256;

/** Searches until told to stop, and shows its best to the others. */
function search(task: IslandTask): void {
  const { instance, island } = task;
  const exchange = createExchange(task.buffers, instance.operations);
  const problem = createProblem(instance, task.objective);
  const evolution = createEvolution(problem, task.settings, task.warmStart);
  const hasEnded = () =>
    evolution.iterations >= task.settings.iterations ||
    (evolution.best !== null &&
      isSettled(
        { cost: evolution.best.cost, idle: evolution.idle },
        task.goal,
        task.settings.leastTardiness,
      ));
  for (let slice = 1; !exchange.isOver() && !hasEnded(); slice++) {
    evolution.advance();
    const { best } = evolution;
    if (best !== null && best.cost < exchange.costOf(island)) exchange.publish(island, best);
    exchange.report(island, evolution);
    if (task.migrates && slice % MIGRATION_INTERVAL === 0) {
      const better = findBetter(exchange, task);
      if (better !== null) evolution.invite(better);
    }
  }
}

/** The best order of the other islands, if it is better than that of this one. */
function findBetter(exchange: Exchange, { island, islands }: IslandTask): Int32Array | null {
  let best = island;
  for (let other = 0; other < islands; other++) {
    if (exchange.costOf(other) < exchange.costOf(best)) best = other;
  }
  return best === island ? null : exchange.orderOf(best);
}

search(workerData as IslandTask);
postDone();
