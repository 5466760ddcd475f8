// Repairs of random rides as requests, cancellations, breakdowns and slow roads become known, beside planning what is
// left from scratch with the same budget:
//   npm run trials:coordination-repairs -- [--cases 100] [--seed 1] [--iterations 1000]
// Ends with one line, and with code 1 if a repair is wrong, or missing where planning from scratch leads to a plan.
import { parseArgs } from 'node:util';
import { repairChangingRides } from '../test/repair/from-scratch.js';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    iterations: { type: 'string', default: '1000' },
  },
});
const write = (line: string) => process.stdout.write(`${line}\n`);
const [first, cases] = [Number(values.seed), Number(values.cases)];
const budget = { iterations: Number(values.iterations) };
const counts = new Map<string, number>();
let [steps, repaired, losses, wrong] = [0, 0, 0, 0];
for (let seed = first; seed < first + cases; seed++) {
  for (const twice of [false, true]) {
    const result = repairChangingRides([seed], twice, budget);
    for (const line of [...result.losses, ...result.wrong]) write(line);
    for (const [key, count] of result.counts) counts.set(key, (counts.get(key) ?? 0) + count);
    steps += result.steps;
    repaired += result.repaired;
    losses += result.losses.length;
    wrong += result.wrong.length;
  }
}
for (const [key, count] of counts) write(`${key.padEnd(36)} ${count}`);
write(
  `${steps} changes, ${repaired} of them repaired: ${losses} lost to planning from scratch, ${wrong} wrong`,
);
process.exitCode = losses + wrong > 0 ? 1 : 0;
