// Total weighted tardiness in shops with alternatives, beside CP-SAT.
//   npm run bench -- search-tardiness [--instances mk01,mk06,setups-20x10-2] [--tightness 1.3,1.6] [--downtimes 0]
//                    [--seconds 10] [--threads 1] [--deadlines] [--cp-sat]
// Due dates and weights are those of `withDueDates`, downtimes those of a race. With --deadlines, every tenth job must
// be done by one and a half times its due date or, if that is later, by three quarters of the end of a dispatched
// schedule. With --cp-sat, CP-SAT (engines/cpsat/install.sh) solves each instance, too, for as long with as many
// threads; its schedules are judged.
import { parseArgs } from 'node:util';
import { type Instance, replaceInstance } from 'alas-jssp/jssp';
import { optimize } from 'alas-jssp/search';
import { endWithError } from './measure.js';
import { withConditions } from './search/conditions.js';
import { sourcesOf } from './search/sets.js';
import { type CpSat, startCpSat } from './shops/cp-sat.js';
import { plainOf } from './shops/instances.js';
import { judgePlain, plainTardiness } from './shops/plain-judge.js';

const OBJECTIVE = 'total-weighted-tardiness';
const usual = 'mk01,mk04,mk06,mk10,dpp01a,dpp08a,dpp18a,behnke20,setups-10x10-2,setups-20x10-2';

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: usual },
    tightness: { type: 'string', default: '1.3' },
    downtimes: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '10' },
    threads: { type: 'string', default: '1' },
    deadlines: { type: 'boolean', default: false },
    'cp-sat': { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const threads = Number(values.threads);
const cpSat = values['cp-sat'] ? startCpSat() : null;
const sums = { ours: 0, theirs: 0, better: 0, worse: 0, of: 0 };
try {
  for (const tightness of values.tightness.split(',').map(Number)) {
    for (const name of values.instances.split(',')) await measure(name, tightness);
  }
  const { ours, theirs, better, worse, of } = sums;
  console.log(
    `sum ${ours}${cpSat === null ? '' : `, CP-SAT ${theirs}; better on ${better}, worse on ${worse} of ${of}`}`,
  );
} catch (error) {
  endWithError(error);
} finally {
  cpSat?.close();
}

async function measure(name: string, tightness: number): Promise<void> {
  for (const source of sourcesOf(name)) {
    const conditions = {
      tightness,
      downtimes: Number(values.downtimes),
      resumable: 'none',
    } as const;
    const dated = withConditions(source.load(), conditions);
    const instance = values.deadlines ? withDeadlines(dated) : dated;
    const began = process.cpuUsage();
    const { value, stats, lowerBound } = await optimize(instance, {
      objective: OBJECTIVE,
      budget: { seconds },
      threads,
      provesBeside: false,
      seed: 1,
    });
    const { user, system } = process.cpuUsage(began);
    const used = ((user + system) / 1e6).toFixed(1);
    const line = `${source.name} ${tightness}: ${value} (bound ${lowerBound.value}), ${stats.iterations} steps, ${used} s of processor time`;
    sums.ours += value;
    sums.of++;
    console.log(cpSat === null ? line : `${line}; ${await beside(cpSat, instance, value)}`);
  }
}

async function beside(solver: CpSat, instance: Instance, ours: number): Promise<string> {
  const shop = plainOf(instance);
  const answer = await solver.solve({ shop, objective: OBJECTIVE, seconds, threads });
  const { start, mode, value, status, processor_seconds } = answer;
  if (start !== null && mode !== null) {
    const plan = { start, mode };
    const faults = judgePlain(shop, plan);
    if (faults.length > 0 || plainTardiness(shop, plan) !== value) {
      throw new Error(`CP-SAT, ${instance.name}: ${value} with ${faults.slice(0, 3).join(', ')}`);
    }
  }
  const theirs = value ?? Number.POSITIVE_INFINITY;
  sums.theirs += theirs;
  if (ours < theirs) sums.better++;
  if (ours > theirs) sums.worse++;
  return `CP-SAT ${theirs} (${status}), ${processor_seconds} s`;
}

/** Deadlines of every tenth job. */
function withDeadlines(instance: Instance): Instance {
  const { jobs, due } = instance;
  const deadline = new Int32Array(jobs).fill(-1);
  for (let job = 0; job < jobs; job += 10) deadline[job] = Math.ceil(1.5 * (due?.[job] ?? 0));
  return replaceInstance(instance, { deadline });
}
