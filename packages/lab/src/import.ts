// How long imports of the package take: each entry in fresh processes, in turns, beside `node -e 0`.
// Usage:
//   npm run bench -- import [--runs 15]
// Prints the median wall-clock time of a process and its quotient to that of `alas-jssp/lcrp`.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { median } from './measure.js';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' } } });
const ENTRIES = ['alas-jssp', 'alas-jssp/lcrp', 'alas-jssp/jssp', 'alas-jssp/harness'];
const programs: [string, string][] = [
  ['node -e 0', '0'],
  ...ENTRIES.map((entry): [string, string] => [entry, `import '${entry}'`]),
];

const times = new Map(programs.map(([name]) => [name, [] as number[]]));
for (let run = 0; run < Number(values.runs); run++) {
  for (const [name, program] of programs) times.get(name)?.push(timeOf(program));
}
const medians = new Map([...times].map(([name, list]) => [name, median(list)]));
const unit = medians.get('alas-jssp/lcrp') ?? Number.NaN;
console.log('| import | median ms | × alas-jssp/lcrp |');
console.log('| --- | ---: | ---: |');
for (const [name, ms] of medians) {
  console.log(`| \`${name}\` | ${ms.toFixed(0)} | ${(ms / unit).toFixed(2)} |`);
}

/** Milliseconds that a process takes for a program, from its start to its end. */
function timeOf(program: string) {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return performance.now() - began;
}
