import { type LogStore, runWorkflow } from '../../../packages/workflow/src/index.js';
import type { DisruptionEvent } from '../../../src/disruption/index.js';
import type { Schedule } from '../../../src/jssp/schedule.js';
import { findBenchmark } from '../../../src/jssp/suites.js';
import { createShopMemory } from '../../../src/pipeline/shop/shop-memory.js';
import { shopHandlers } from '../../../src/pipeline/shop/shop-steps.js';
import { readyShop } from '../../../src/pipeline/shop/start-shop.js';
import { dispatch } from '../../../src/search/index.js';

/** A plan of ft10 by a rule, and ten events: of every kind, two of one instant, and one too late. */
export function ft10(): { schedule: Schedule; events: DisruptionEvent[] } {
  const instance = findBenchmark('ft10')?.load();
  if (instance === undefined) throw new Error('there is no ft10');
  const schedule = dispatch(instance, { rule: 'mwkr' });
  const rush = [2, 5, 7].map((machine) => ({ machine, duration: 40 }));
  const down = { kind: 'breakdown', resumable: true } as const;
  const events: DisruptionEvent[] = [
    { ...down, at: 100, machine: 3, from: 100, to: 200 },
    { kind: 'duration', at: 100, job: 2, step: 4, factor: 1.5 },
    { kind: 'arrival', at: 150, job: { name: 'rush', operations: rush, release: 150, due: 400 } },
    { kind: 'restored', at: 170, machine: 3 },
    { ...down, at: 240, machine: 0, from: 260, to: 330, resumable: false },
    { kind: 'delay', at: 300, job: 5, until: 420 },
    { kind: 'cancellation', at: 400, job: 7 },
    { ...down, at: 500, machine: 8, from: 500, to: 590 },
    { kind: 'duration', at: 610, job: 0, step: 0, duration: 3 },
    { kind: 'duration', at: 620, job: 4, step: 9, factor: 0.5 },
  ];
  return { schedule, events };
}

/** Executes events that are known beforehand. */
export function execute(store: LogStore, shop: Parameters<typeof readyShop>[1], runId = 'shop') {
  const { workflow, input, registry } = readyShop(store, { live: false, ...shop });
  return runWorkflow(workflow, input, { store, registry, runId });
}

/** The registry of another process, which knows no more than the log. */
export function freshRegistry(store: LogStore) {
  return shopHandlers({ memory: createShopMemory(store) });
}
