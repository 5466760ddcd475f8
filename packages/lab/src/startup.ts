// How long commands take to start, compared with Node itself, and how much processor time an empty service takes
// before it listens, and by a time at which it has received no request. The commands take turns, so that a slow machine slows all of them.
// Usage: npm run bench -- startup [--repetitions N] [--json FILE]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median, save } from './measure.js';
import { megabytes, processorSeconds, startServer } from './service/server.js';

const bin = join(import.meta.dirname, '../../..', 'bin', 'alas-jssp.js');
const cases = [
  { name: 'node -e 0', args: ['-e', '0'] },
  { name: '--help', args: [bin, '--help'], target: 2 },
  { name: 'list', args: [bin, 'list'], target: 2.5 },
  { name: 'list instances', args: [bin, 'list', 'instances'] },
  { name: 'show ft06', args: [bin, 'show', 'ft06'] },
  { name: 'run --help', args: [bin, 'run', '--help'] },
];

const at = process.argv.indexOf('--repetitions');
const repetitions = at < 0 ? 21 : Number(process.argv[at + 1]);
const times = cases.map((): number[] => []);
for (let repetition = 0; repetition <= repetitions; repetition++) {
  cases.forEach(({ name, args }, i) => {
    const started = performance.now();
    const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
    const milliseconds = performance.now() - started;
    if (status !== 0) throw new Error(`${name} ended with exit code ${status}`);
    // The first repetition only warms up the disk.
    if (repetition > 0) times[i].push(milliseconds);
  });
}

const rows = cases.map(({ name, target }, i) => {
  const milliseconds = median(times[i]);
  const factor = milliseconds / median(times[0]);
  const wanted = target === undefined ? '' : `   target ${target}×`;
  console.log(
    `  ${name.padEnd(16)} ${milliseconds.toFixed(0).padStart(5)} ms ${factor.toFixed(2).padStart(6)}×${wanted}`,
  );
  return { name, repetitions, median_seconds: milliseconds / 1000, factor, target: target ?? null };
});

/** Repetitions of the service, and the seconds of processor time that it may take. */
const SERVICE_REPETITIONS = 9;
const SERVICE_TARGET = 1;
/** Seconds for which the idle service is left alone. */
const IDLE = 8;

/** Has a process print its processor time, all threads together, before its first line. */
const measure = `const { write } = process.stdout;
process.stdout.write = (...line) => {
  const { user, system } = process.cpuUsage();
  process.stdout.write = write;
  process.stderr.write(\`\${(user + system) / 1e6}\\n\`);
  return process.stdout.write(...line);
};`;

async function serviceSeconds() {
  const data = mkdtempSync(join(tmpdir(), 'alas-jssp-startup-'));
  const preload = `--import=data:text/javascript,${encodeURIComponent(measure)}`;
  const service = spawn(process.execPath, [
    preload,
    bin,
    'serve',
    '--port',
    '0',
    '--quiet',
    '--data',
    data,
  ]);
  const ended = once(service, 'exit');
  const [line] = await once(service.stderr, 'data');
  service.kill('SIGKILL');
  await ended;
  rmSync(data, { recursive: true, force: true });
  return Number(line);
}

/** Processor time and memory of a service some seconds after it began to listen. */
async function idleService() {
  const data = mkdtempSync(join(tmpdir(), 'alas-jssp-startup-'));
  const service = await startServer(data);
  await wait(1000 * IDLE);
  const { pid } = service.child;
  const found = { seconds: processorSeconds(pid).all, memory: megabytes(pid) };
  service.child.kill('SIGTERM');
  await service.ended;
  rmSync(data, { recursive: true, force: true });
  return found;
}

const serviceTimes = [];
for (let repetition = 0; repetition < SERVICE_REPETITIONS; repetition++)
  serviceTimes.push(await serviceSeconds());
const seconds = median(serviceTimes);
console.log(
  `  serve, until it listens   ${seconds.toFixed(2)} s of processor time   target ${SERVICE_TARGET} s`,
);
const idle = await idleService();
console.log(
  `  serve, idle for ${IDLE} s         ${idle.seconds.toFixed(2)} s of processor time   target ${SERVICE_TARGET} s, ${idle.memory} MB`,
);
save([
  ...rows,
  { name: 'serve', repetitions: SERVICE_REPETITIONS, median_processor_seconds: seconds },
  { name: 'serve, idle', processor_seconds: idle.seconds, megabytes: idle.memory },
]);
