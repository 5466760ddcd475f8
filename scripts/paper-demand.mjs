// Writes the demand of experiments with job shops into benchmarks/paper/demand.json: requests and tokens of one thread
// of each experiment of `alas-jssp paper`, by suite, as the estimator of runs counts them. Run it from the root of the
// repository after a change of prompts: npm run build && node scripts/paper-demand.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { measureDemand } from '../dist/harness/paper/demand.js';
import { SHOP_EXPERIMENTS } from '../dist/harness/paper/presets/experiments.js';

const FILE = 'benchmarks/paper/demand.json';
const SUITES = ['dmu', 'ta', 'abz', 'swv', 'yn'];

const before = JSON.parse(readFileSync(FILE, 'utf8'));
const shops = {};
for (const experiment of Object.keys(SHOP_EXPERIMENTS)) {
  shops[experiment] = {};
  for (const suite of SUITES) shops[experiment][suite] = await measureDemand(experiment, suite);
}
writeFileSync(FILE, `${JSON.stringify({ ...before, shops }, null, 2)}\n`);
