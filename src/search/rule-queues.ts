import type { Instance } from '../jssp/instance.js';
import { createKineticQueues } from './kinetic-queues.js';
import { createHeapQueues, type ReadyQueues } from './ready-queues.js';
import type { Priority } from './rules.js';

/** Creates empty queues that keep the order of a rule. */
export function createRuleQueues(instance: Instance, priority: Priority): ReadyQueues {
  switch (priority.kind) {
    case 'fixed':
      return createHeapQueues(instance, priority.key);
    case 'arrival':
      return createHeapQueues(instance, null);
    case 'critical-ratio':
      return createKineticQueues(instance, priority.due, priority.work);
  }
}
