// Total weighted tardiness in shops with alternatives, in processor time of one thread, beside CP-SAT.
//   npm run bench -- search-tardiness [--instances mk01,dpp08a,setups-20x10-2] [--tightness 1.3,1.6] [--downtimes 0]
//                    [--seconds 10] [--deadlines] [--makespan] [--lists] [--operators 0] [--cp-sat]
// Due dates and weights are those of `withDueDates`, downtimes those of a race. With --deadlines, every tenth job must
// be done by one and a half times its due date. --makespan minimises that instead. With --operators, so many do all the
// work. With --lists, the search of lists solves every shop. With --cp-sat, CP-SAT (engines/cpsat/install.sh) solves
// each instance, too, with one worker for as long; its schedules are judged. CP-SAT may stop a little later.
import { parseArgs } from 'node:util';
import {
  createListEvolution,
  createProblem,
  createSearch,
  type Evolution,
  usualTuning,
} from 'alas-jssp/internal/lab';
import { type Instance, replaceInstance, tardinessLowerBound } from 'alas-jssp/jssp';
import { endWithError } from './measure.js';
import { type Conditions, withConditions } from './search/conditions.js';
import { sourcesOf } from './search/sets.js';
import { type CpSat, startCpSat } from './shops/cp-sat.js';
import { plainOf } from './shops/instances.js';
import { judgePlain, plainMakespan, plainTardiness } from './shops/plain-judge.js';

const usual =
  'mk01,mk04,mk06,mk10,dpp01a,dpp08a,dpp18a,behnke20,setups-10x10-2,setups-20x10-2,setups-30x10-2';

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: usual },
    tightness: { type: 'string', default: '1.3' },
    downtimes: { type: 'string', default: '0' },
    operators: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '10' },
    deadlines: { type: 'boolean', default: false },
    makespan: { type: 'boolean', default: false },
    lists: { type: 'boolean', default: false },
    'cp-sat': { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const objective = values.makespan ? 'makespan' : 'total-weighted-tardiness';
const cpSat = values['cp-sat'] ? startCpSat() : null;
const sums = { ours: 0, theirs: 0, better: 0, worse: 0, of: 0 };
try {
  for (const tightness of values.tightness.split(',').map(Number)) {
    for (const name of values.instances.split(',')) {
      for (const source of sourcesOf(name)) {
        const line = await measure(shopOf(source.load(), tightness));
        console.log(`${source.name} ${tightness}: ${line}`);
      }
    }
  }
  const { ours, theirs, better, worse, of } = sums;
  const beside = `, CP-SAT ${theirs}; better on ${better}, worse on ${worse}`;
  console.log(`sum ${ours}${cpSat === null ? '' : beside} of ${of}`);
} catch (error) {
  endWithError(error);
} finally {
  cpSat?.close();
}

function shopOf(plain: Instance, tightness: number): Instance {
  const downtimes = Number(values.downtimes);
  const conditions: Conditions = { tightness, downtimes, resumable: 'none' };
  const dated = withConditions(plain, conditions);
  const limited = values.deadlines ? withDeadlines(dated) : dated;
  return values.operators === '0' ? limited : withOperators(limited, Number(values.operators));
}

async function measure(instance: Instance): Promise<string> {
  const problem = createProblem(instance, objective);
  const leastTardiness = values.makespan ? null : tardinessLowerBound(instance);
  const tuning = usualTuning;
  const settings = { seed: 1, tuning, iterations: Number.POSITIVE_INFINITY, leastTardiness };
  const make = values.lists ? createListEvolution : createSearch;
  const began = processorSeconds();
  const search = make(problem, settings, null);
  for (let used = 0; used < seconds; used = processorSeconds() - began) {
    search.spend(used / seconds);
    search.advance();
  }
  const ours = valueOfBest(search);
  sums.ours += ours;
  sums.of++;
  const line = `${ours}, ${Math.round(search.iterations / seconds)} steps a second`;
  return cpSat === null ? line : `${line}; ${await beside(cpSat, instance, ours)}`;

  function valueOfBest({ best }: Evolution) {
    return best === null
      ? Number.POSITIVE_INFINITY
      : problem.valueOf(problem.scheduleOf(best.order));
  }
}

function processorSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function beside(solver: CpSat, instance: Instance, ours: number): Promise<string> {
  const shop = plainOf(instance);
  const limits = { seconds: 100 * seconds, processor_seconds: seconds, threads: 1 };
  const answer = await solver.solve({ shop, objective, ...limits });
  const { start, mode, value, status, processor_seconds } = answer;
  let theirs = Number.POSITIVE_INFINITY;
  if (start !== null && mode !== null) {
    const plan = { start, mode };
    const faults = judgePlain(shop, plan);
    theirs = (values.makespan ? plainMakespan : plainTardiness)(shop, plan);
    // Before the optimum is known, its tardiness may be above that of its schedule.
    if (faults.length > 0 || value === null || theirs > value) {
      throw new Error(`CP-SAT, ${instance.name}: ${value} with ${faults.slice(0, 3).join(', ')}`);
    }
  }
  sums.theirs += theirs;
  if (ours < theirs) sums.better++;
  if (ours > theirs) sums.worse++;
  return `CP-SAT ${theirs} (${status}, ${processor_seconds} s)`;
}

/** Deadlines of every tenth job. */
function withDeadlines(instance: Instance): Instance {
  const { jobs, due } = instance;
  const deadline = new Int32Array(jobs).fill(-1);
  for (let job = 0; job < jobs; job += 10) deadline[job] = Math.ceil(1.5 * (due?.[job] ?? 0));
  return replaceInstance(instance, { deadline });
}

/** Every mode needs one of so many operators while it works. */
function withOperators(instance: Instance, count: number): Instance {
  const modes = instance.modes?.machine.length ?? instance.operations;
  const resources = {
    count: 1,
    capacity: Int32Array.of(count),
    names: null,
    calendar: null,
    needOffset: Int32Array.from({ length: modes + 1 }, (_, i) => i),
    needResource: new Int32Array(modes),
    needAmount: new Int32Array(modes).fill(1),
    needPhase: new Uint8Array(modes),
  };
  return replaceInstance(instance, { resources });
}
