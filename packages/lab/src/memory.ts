// Peak memory of an instance of 1,000,000 operations with a schedule, beyond Node itself.
// Usage: npm run bench -- memory [--json FILE]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateTaillard, writeStandard } from 'alas-jssp/jssp';
import { save } from './measure.js';

const directory = mkdtempSync(join(tmpdir(), 'alas-jssp-bench-'));
const file = join(directory, 'large.txt');
const shop = generateTaillard({ jobs: 1000, machines: 1000, timeSeed: 1, machineSeed: 2 });
writeFileSync(file, writeStandard(shop));

const work = `
  const { readInstance } = await import('alas-jssp/jssp');
  const { dispatch } = await import('alas-jssp/search');
  const { isFeasible } = await import('alas-jssp/validator');
  const instance = readInstance(process.argv[1]);
  const schedule = dispatch(instance, { rule: 'mwkr' });
  if (!isFeasible(instance, schedule.start)) throw new Error('not feasible');
`;
const load =
  "await import('alas-jssp/jssp'); await import('alas-jssp/search'); await import('alas-jssp/validator');";

const [node, loaded, worked] = ['', load, work].map(peakMegabytes);
const rows = [
  { name: 'Node itself', megabytes: node },
  { name: 'the package, loaded', megabytes: loaded - node },
  { name: 'read, dispatched and judged', megabytes: worked - node, target: '≤ 200 MB' },
];
console.log('\npeak resident memory, 1000×1000, each beyond Node itself');
for (const { name, megabytes, target } of rows) {
  console.log(
    `  ${name.padEnd(44)} ${megabytes.toFixed(0).padStart(6)} MB${target ? `   target ${target}` : ''}`,
  );
}
save(rows);
rmSync(directory, { recursive: true });

/** Runs a program in a process of its own and returns its largest resident set. */
function peakMegabytes(program: string) {
  const report = 'process.stdout.write(String(process.resourceUsage().maxRSS));';
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `${program}\n${report}`, file],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return Number(stdout) / 1024;
}
