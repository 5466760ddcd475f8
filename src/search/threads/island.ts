import { monotonicSeconds } from '@alas-jssp/core/clock';
import { serveCalls } from '@alas-jssp/core/thread-calls';
import type { Instance } from '../../jssp/instance.js';
import type { Objective } from '../../jssp/objectives.js';
import { createSearch } from '../create-search.js';
import type { EvolutionSettings } from '../evolution/evolution.js';
import { isSettled } from '../evolution/settled.js';
import { createProblem } from '../problem.js';
import { createExchange, type ExchangeBuffers, publishBest, workOnIsland } from './exchange.js';

/** The task of an island, a search in its own thread. */
export interface IslandTask {
  readonly instance: Instance;
  readonly objective: Objective;
  readonly settings: EvolutionSettings;
  readonly warmStart: Int32Array | null;
  /** Index of this island among all. */
  readonly island: number;
  readonly islands: number;
  readonly buffers: ExchangeBuffers;
  /** Cost at which it ends by itself. */
  readonly goal: number;
  /** Whether it adopts the best of the others periodically. */
  readonly migrates: boolean;
}

/** Searches until it is stopped, and publishes its best to the others. */
function search(task: IslandTask): void {
  const { instance, island } = task;
  const problem = createProblem(instance, task.objective);
  const exchange = createExchange(task.buffers, problem.solutionLength);
  const evolution = createSearch(problem, task.settings, task.warmStart);
  const hasEnded = () =>
    evolution.iterations >= task.settings.iterations ||
    isSettled(evolution, task.goal, task.settings.leastTardiness);
  const neighbours = task.migrates ? Array.from({ length: task.islands }, (_, other) => other) : [];
  for (let slice = 1; !exchange.isOver() && !hasEnded(); slice++) {
    const began = monotonicSeconds();
    workOnIsland(evolution, exchange, island, slice, neighbours);
    exchange.restAfter(1000 * (monotonicSeconds() - began));
  }
  publishBest(evolution, exchange, island);
}

const functions = { search };
/** The functions of an island's thread. */
export type IslandFunctions = typeof functions;
serveCalls(functions);
