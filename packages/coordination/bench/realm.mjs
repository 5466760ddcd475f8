// Plans instances of REALM-Bench (P3, P4), and repairs the plans as the events of P4 become known; equal budgets give
// equal figures. Usage: node bench/realm.mjs DIR…
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  applyEvent,
  judge,
  parseClock,
  planCoordination,
  readEvents,
  readProblem,
  readRealm,
  repairCoordination,
} from '../dist/index.js';

const directories = process.argv.slice(2);
if (directories.length === 0) {
  process.stderr.write('give directories of instances of REALM-Bench: P3 P4\n');
  process.exit(2);
}

const PLAN = '5k-iterations';
const REPAIR = '5k-iterations';

const counts = new Map();
const count = (what) => void counts.set(what, (counts.get(what) ?? 0) + 1);
const unplanned = [];
const began = performance.now();

for (const dir of directories) {
  for (const file of readdirSync(dir).filter((name) => name.endsWith('.json'))) {
    const {
      name,
      problem: facts,
      events,
    } = readRealm(JSON.parse(readFileSync(join(dir, file), 'utf8')));
    if (facts === null) {
      count('refused');
      continue;
    }
    const problem = readProblem(facts);
    const plan = planOf(problem);
    if (plan === null) unplanned.push(hasPlanWithFuel(facts) ? `${name} (by its fuel)` : name);
    else if (events !== null) repairAll(problem, plan, readEvents(events));
  }
}
const lines = [...counts].sort().map(([what, times]) => `${what}: ${times}`);
const seconds = ((performance.now() - began) / 1000).toFixed(0);
const none = `no plan: ${unplanned.join(', ') || 'none'}`;
process.stdout.write(`${[...lines, none, `${seconds} s`].join('\n')}\n`);

function planOf(problem) {
  try {
    const { plan, status } = planCoordination(problem, { budget: PLAN });
    if (!judge(problem, plan).valid) throw new Error(`the judge refuses ${problem.name}`);
    count(`planned, ${status}`);
    return plan;
  } catch (error) {
    count(`not planned, ${error.code ?? error.message}`);
    return null;
  }
}

/** Whether there is a plan where no vehicle has a limit. */
function hasPlanWithFuel(facts) {
  const vehicles = facts.vehicles.map((vehicle) => ({ ...vehicle, range_km: undefined }));
  try {
    planCoordination(readProblem({ ...facts, vehicles }), { budget: PLAN });
    return true;
  } catch {
    return false;
  }
}

function repairAll(first, planned, events) {
  let [problem, plan] = [first, planned];
  for (const event of events) {
    problem = applyEvent(problem, event);
    const now = parseClock(event.at);
    try {
      const repaired = repairCoordination(problem, plan, { now, budget: REPAIR });
      const { valid } = judge(problem, repaired.plan, { plan, now });
      count(`repaired by ${repaired.phase}${valid ? '' : ', and refused by the judge'}`);
      plan = repaired.plan;
    } catch (error) {
      count(`not repaired, ${error.code ?? error.message}`);
      return;
    }
  }
}
