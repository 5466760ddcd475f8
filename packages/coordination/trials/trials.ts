// Mutated plans of random problems, judged by the judge and by an oracle that goes through them minute by minute:
//   npm run trials:coordination -- [--plans 1000000] [--seed 1]
// Ends with one line, and with code 1 if the two ever say different things.
import { parseArgs } from 'node:util';
import { writePlan } from '../src/model/plan.js';
import { compareOnMutatedPlans } from '../test/oracle/trial.js';

/** Plans between two looks at the clock. */
const PORTION = 25_000;

const { values } = parseArgs({
  options: {
    plans: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
  },
});
const write = (line: string) => process.stdout.write(`${line}\n`);
const plans = Number(values.plans);
const counts = new Map<string, number>();
let [made, valid, wrong] = [0, 0, 0];
for (let seed = Number(values.seed); made < plans; seed += PORTION) {
  const result = compareOnMutatedPlans(Math.min(PORTION, plans - made), seed);
  made += result.plans;
  valid += result.valid;
  wrong += result.disagreements.length;
  for (const [code, count] of result.counts) counts.set(code, (counts.get(code) ?? 0) + count);
  for (const { problem, plan, past, ...rest } of result.disagreements.slice(0, 3)) {
    const now = past === undefined ? {} : { now: past.now };
    write(JSON.stringify({ ...rest, ...now, facts: problem.facts, plan: writePlan(plan) }));
  }
  if (wrong > 0) break;
}
for (const [code, count] of counts) write(`${code.padEnd(20)} ${count}`);
write(`${made} mutated plans, ${valid} of them valid: ${wrong} wrong verdicts`);
process.exitCode = wrong > 0 ? 1 : 0;
