import { once } from '../../core/once.js';
import { judgeRepair } from '../judge-repair.js';
import type { RepairResult } from '../repair-result.js';
import type { LiveRepair } from './repair.js';
import type { Version } from './shop.js';

/**
 * The result of a repair in place, as the stateless repair would give it. What takes O(N) is made
 * when it is asked for, and stays what it is whatever is repaired later.
 */
export function resultOf(
  before: Version,
  after: Version,
  { status, edits }: LiveRepair,
): RepairResult {
  const { affected, applied } = status;
  const phase = edits.operation.length === 0 ? 'status' : 'compensation';
  const planned = once(() => {
    const { start, end } = before.schedule();
    return { start, end };
  });
  const judgement = once(() => judgeRepair({ schedule: after.schedule(), phase }, 'lcrp'));
  const task = once(() => ({
    instance: after.schedule().instance,
    planned: planned().start,
    now: after.now,
    affected,
  }));
  return {
    phase,
    edits,
    neighbourhood: new Int32Array(),
    evaluations: 0,
    get schedule() {
      return after.schedule();
    },
    get compensated() {
      return after.schedule();
    },
    reordered: null,
    get task() {
      return task();
    },
    get before() {
      return planned();
    },
    applied: {
      ...applied,
      get instance() {
        return after.schedule().instance;
      },
    },
    get judgement() {
      return judgement();
    },
  };
}
