// A program that answers differently whenever it is started: its first claim is the number of its starts, which it counts in
// the file that it is given. With the mode `fails` it ends with an error of several lines.
import { appendFileSync, readFileSync } from 'node:fs';

const [, , counter, mode] = process.argv;
appendFileSync(counter, '.');
const starts = readFileSync(counter, 'utf8').length;
if (mode === 'fails') {
  process.stderr.write(`start ${starts}: the licence is missing\n`);
  process.stderr.write('ask the vendor for one\n    at solve (solver.js:17)\n');
  process.exit(3);
}
process.stdout.write(
  JSON.stringify({
    makespan: starts,
    schedule: [{ job: 'Job1', step: 1, machine: 'Machine2', start: 0, end: 1 }],
  }),
);
