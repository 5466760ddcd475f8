import { once } from '@alas-jssp/core/once';
import { completeEvents } from '../disruption/apply-events.js';
import { instanceFromJobs, type OperationLiteral } from '../jssp/instance.js';
import { dispatch } from '../search/construct/dispatch.js';
import { lcrp } from './lcrp.js';
import { repairLive } from './live/repair.js';
import { commitVersion, openLiveShop } from './live/shop.js';
import { updateStatus } from './phases/status.js';
import { policy } from './policy/make-policy.js';
import { defaultPolicy } from './policy/policy.js';

/**
 * Lets the runtime compile the code of repairs, so that the first real one is as fast as any other: some repairs of an
 * artificial shop, once per process. Takes 0.1 to 0.2 s.
 */
export const warmUp = once(() => {
  const jobs = Array.from({ length: 40 }, (_, job) =>
    Array.from(
      { length: 10 },
      (_, step): OperationLiteral => [
        (job * 7 + step * (1 + (job % 3) * 2)) % 10,
        5 + ((job * 31 + step * 17) % 40),
      ],
    ),
  );
  const schedule = dispatch(instanceFromJobs('warm-up', jobs, 10), { rule: 'mwkr' });
  const shop = openLiveShop(schedule);
  const shiftsOnly = policy({ objective: 'makespan', budget: { passes: 0 } });
  for (let seed = 1; seed <= REPAIRS; seed++) {
    const now = 10 * seed;
    const breakdown = {
      kind: 'breakdown',
      machine: seed % 10,
      from: now,
      to: now + 60,
      resumable: seed % 2 === 0,
    } as const;
    const { task } = updateStatus({ schedule, events: [breakdown], now });
    void lcrp.repair(task, defaultPolicy, { seed });
    if (shop === null) continue;
    const repaired = repairLive(shop, completeEvents([breakdown], now), now, shiftsOnly, {});
    if (repaired !== null) commitVersion(shop, repaired.status.totals);
  }
});

const REPAIRS = 20;
