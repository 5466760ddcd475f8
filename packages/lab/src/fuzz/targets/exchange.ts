// Readers and writers of the formats of other programs.
import { writeInstanceAs, writePlanAs } from 'alas-jssp/internal/lab';
import { type Instance, instanceChecksum, parseInstance, parsePlan } from 'alas-jssp/jssp';
import { dispatch } from 'alas-jssp/search';
import type { FuzzTarget } from '../target.js';
import { requireSame } from './require-same.js';

const text = (...lines: readonly string[]) => ({ text: lines.join('\n') });

const JOB_SHOP_LIB =
  '{"name":"x","duration_matrix":[[3,2],[4,1]],"machines_matrix":[[0,1],[[1,2],0]],"metadata":{"optimum":6},' +
  '"release_dates_matrix":[[0,0],[2,0]],"deadlines_matrix":[[null,99],[null,null]],"due_dates_matrix":[[null,9],[null,8]]}';

const PYJOBSHOP =
  '{"jobs":[{"tasks":[1,0],"weight":2,"release_date":1,"deadline":90,"due_date":9,"name":"A"},{"tasks":[2]}],' +
  '"resources":[{"type":"machine","breaks":[[5,9]],"name":"M"},{"type":"renewable","capacity":2,"breaks":[[20,22]]},{"type":"machine"}],' +
  '"tasks":[{"job":0,"allow_breaks":true,"name":"t"},{"job":0,"earliest_start":2},{"job":1},{"job":null}],' +
  '"modes":[{"task":0,"resources":[0],"duration":3},{"task":1,"resources":[2,1],"demands":[0,1],"duration":2},' +
  '{"task":2,"resources":[2],"duration":4},{"task":1,"resources":[2],"duration":5},{"task":3,"resources":[2],"duration":1}],' +
  '"constraints":{"end_before_start":[{"task1":1,"task2":0,"delay":1}],"start_before_end":[{"task1":0,"task2":1,"delay":-9}],' +
  '"setup_times":[{"machine":2,"task1":2,"task2":3,"duration":2}]},"objective":{"weight_makespan":1}}';

/** The operations of an instance that is written and read back. */
const MOST_WRITTEN = 500;

export const exchangeTarget: FuzzTarget = {
  name: 'exchange',
  seeds: [text(JOB_SHOP_LIB), text(PYJOBSHOP)],
  run: (input) => {
    const instance = parseInstance(input);
    if (instance.operations > MOST_WRITTEN || instance.machines > MOST_WRITTEN) return;
    const { text: written, losses } = writeInstanceAs(instance, 'pyjobshop');
    writeInstanceAs(instance, 'job-shop-lib');
    const isSame = losses.every(({ effect }) => effect === 'none');
    const hasFrozenReleases = losses.some(({ feature }) => feature === 'releases');
    const hasEmptyJobs = losses.some(({ feature }) => feature === 'incomplete');
    if (isSame && !hasFrozenReleases && !hasEmptyJobs) {
      const again = parseInstance(written);
      requireSame(instanceChecksum(instance), instanceChecksum(again), 'the checksum');
    }
    if (instance.operations === 0) return;
    const schedule = dispatch(instance, { rule: 'mwkr' });
    requireSamePlan(instance, writeInstanceAs(instance, 'json').text, schedule.start);
  },
};

/** Throws if the starts of a plan are others after PyJobShop. */
function requireSamePlan(instance: Instance, json: string, start: Int32Array): void {
  const entries = Array.from(start, (from, op) => {
    const job = instance.jobOf[op];
    const machine = instance.machine[op];
    const end = from + instance.duration[op];
    return { job, step: op - instance.jobOffset[job], machine, start: from, end };
  });
  const shop = parseInstance(json);
  const { text: written } = writePlanAs({ entries }, shop, 'x', 'pyjobshop');
  const { plan } = parsePlan(written, undefined, shop);
  // The file lists tasks by their numbers.
  const startsOf = (list: readonly { job: number; step: number; start: number }[]) =>
    list.map(({ job, step, start: from }) => `${job}.${step}: ${from}`).sort();
  requireSame(`${startsOf(entries)}`, `${startsOf(plan.entries)}`, 'the plan');
}

const shops = [JOB_SHOP_LIB, PYJOBSHOP].map((one) => parseInstance(one));

export const solutionTarget: FuzzTarget = {
  name: 'solution',
  seeds: [
    text(`{"instance":${JOB_SHOP_LIB},"job_sequences":[[0,1],[0],[1]],"metadata":{}}`),
    text(
      '{"tasks":[{"mode":0,"resources":[0,1],"start":9,"end":12,"idle":0,"breaks":0,"present":true},',
      '{"mode":1,"resources":[2],"start":2,"end":4,"present":true},{"mode":2,"resources":[2],"start":4,"end":8},',
      '{"mode":0,"resources":[],"start":0,"end":0,"present":false}]}',
    ),
    text('instance: x.txt', 'objective: 9', '', 'task,mode,start,end', '0,0,9,12', '1,1,2,4', ''),
  ],
  run: (input) => {
    for (const shop of shops) {
      const { plan } = parsePlan(input, undefined, shop);
      for (const format of ['job-shop-lib', 'pyjobshop', 'json', 'csv'] as const) {
        writePlanAs(plan, shop, 'x', format);
      }
    }
  },
};
