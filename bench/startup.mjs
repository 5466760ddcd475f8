// How long commands take to start, beside Node itself. The commands take turns, so that what slows
// the machine down slows all of them. Build first, then: node bench/startup.mjs [--rounds N] [--json FILE]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { median, save } from './measure.mjs';

const bin = join(import.meta.dirname, '..', 'bin', 'alas-jssp.js');
const cases = [
  { name: 'node -e 0', args: ['-e', '0'] },
  { name: '--help', args: [bin, '--help'], target: 2 },
  { name: 'list', args: [bin, 'list'], target: 2.5 },
  { name: 'list instances', args: [bin, 'list', 'instances'] },
  { name: 'show ft06', args: [bin, 'show', 'ft06'] },
  { name: 'run --help', args: [bin, 'run', '--help'] },
];

const at = process.argv.indexOf('--rounds');
const rounds = at < 0 ? 21 : Number(process.argv[at + 1]);
const times = cases.map(() => []);
for (let round = 0; round <= rounds; round++) {
  cases.forEach(({ name, args }, i) => {
    const started = performance.now();
    const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
    const milliseconds = performance.now() - started;
    if (status !== 0) throw new Error(`${name} ended with exit code ${status}`);
    // The first round only warms up the disk.
    if (round > 0) times[i].push(milliseconds);
  });
}

const rows = cases.map(({ name, target }, i) => {
  const milliseconds = median(times[i]);
  const factor = milliseconds / median(times[0]);
  const wanted = target === undefined ? '' : `   target ${target}×`;
  console.log(
    `  ${name.padEnd(16)} ${milliseconds.toFixed(0).padStart(5)} ms ${factor.toFixed(2).padStart(6)}×${wanted}`,
  );
  return { name, rounds, median_seconds: milliseconds / 1000, factor, target: target ?? null };
});
save(rows);
