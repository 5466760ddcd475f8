// Writes the tables of a suite of instances: `npm run suite -- benchmarks/NAME`. The folder holds instance files in any
// format that is read; their names are those of the instances.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { instanceChecksum, lowerBound, readInstance } from 'alas-jssp/jssp';
import { dispatchBest } from 'alas-jssp/search';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('no folder is given; write npm run suite -- benchmarks/NAME\n');
  process.exit(2);
}
const ENDING = /\.(?:txt|jsp|jssp|std|fjs|json)(?:\.gz)?$/;
const suite = basename(resolve(folder));
const { compare } = new Intl.Collator('en', { numeric: true });
const files = readdirSync(folder)
  .filter((file) => ENDING.test(file))
  .sort(compare);
if (files.length === 0) {
  process.stderr.write(
    `${folder} holds no instance file; names end in .txt, .jsp, .jssp, .std, .fjs or .json, and may have .gz after it\n`,
  );
  process.exit(1);
}

/** The least total work: of operations with alternatives the shortest. */
function leastWork({ operations, duration, modes }) {
  if (modes === null) return duration.reduce((sum, time) => sum + time, 0);
  let sum = 0;
  for (let op = 0; op < operations; op++) {
    sum += Math.min(...modes.duration.subarray(modes.offset[op], modes.offset[op + 1]));
  }
  return sum;
}

const instances = files.map((file) => ({
  file,
  name: file.replace(ENDING, ''),
  instance: readInstance(join(folder, file)),
}));
const rows = instances.map(({ file, name, instance }) => {
  const { jobs, machines, operations, modes } = instance;
  const count = modes === null ? operations : modes.machine.length;
  const checksum = instanceChecksum(instance);
  return [name, suite, jobs, machines, operations, count, leastWork(instance), checksum, file];
});
const header = 'instance,suite,jobs,machines,operations,modes,total_work,sha256,file';
writeFileSync(join(folder, 'checksums.csv'), `${[header, ...rows].join('\n')}\n`);
process.stdout.write(`${join(folder, 'checksums.csv')}: ${rows.length} instances\n`);

const boundsFile = join(folder, 'bounds.csv');
if (existsSync(boundsFile)) {
  process.stdout.write(`${boundsFile} is kept\n`);
} else {
  const month = new Date().toISOString().slice(0, 7);
  const bounds = instances.map(({ name, instance }) => {
    const upper = dispatchBest(instance).schedule.makespan;
    return [name, lowerBound(instance).value, upper, month];
  });
  const lines = ['instance,lower_bound,upper_bound,as_of', ...bounds];
  writeFileSync(boundsFile, `${lines.join('\n')}\n`);
  process.stdout.write(
    `${boundsFile}: computed here; replace them by the best published bounds, if there are any\n`,
  );
}
