// A program that plans as no program should: what it does depends on its first argument.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [, , way, ...more] = process.argv;
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const wait = () => setInterval(() => {}, 1e6);

/** One job after the other, from the standard format. */
function serial() {
  const [jobs, machines, ...numbers] = readFileSync(0, 'utf8').split(/\s+/).map(Number);
  const entries = [];
  let time = 0;
  for (let op = 0; op < jobs * machines; op++) {
    const [machine, duration] = numbers.slice(2 * op);
    const [job, step] = [Math.floor(op / machines), op % machines];
    entries.push({ job, step, machine, start: time, end: time + duration });
    time += duration;
  }
  return { entries, makespan: time };
}

/** Starts itself in another way, in a session of its own, without stdio. */
function leave(other, env = process.env) {
  const args = [process.argv[1], other, ...more];
  spawn(process.execPath, args, { detached: true, stdio: 'ignore', env }).unref();
}

const ways = {
  plans: () => say(serial()),
  csv() {
    const rows = serial().entries.map(({ job, step, machine, start, end }) =>
      [job, step, machine, start, end].join(','),
    );
    process.stdout.write(['job,step,machine,start,end', ...rows, ''].join('\n'));
  },
  tells() {
    const { entries } = serial();
    say({ type: 'lower_bound', value: 3.5 });
    say({ type: 'plan', entries: entries.slice(1) });
    say({ type: 'plan', plan: entries });
    say({ type: 'status', status: 'optimal' });
  },
  answers() {
    const rows = serial().entries.map(
      ({ job, step, machine, start, end }) =>
        `| Job${job + 1} | ${step + 1} | Machine${machine} | ${start} | ${end} |`,
    );
    const table = ['| job | step | machine | start | end |', '|---|---|---|---|---|', ...rows];
    say({ type: 'tokens', input: 10, output: 5 });
    say({ type: 'answer', text: `This is my plan:\n\n${table.join('\n')}` });
    say({ type: 'tokens', input: 20, output: 7 });
    say({ type: 'answer', text: 'I have nothing to add.' });
  },
  counts_wrong: () => say({ type: 'tokens', input: -1, output: 0 }),
  gives_up: () => say({ type: 'status', status: 'infeasible' }),
  hangs: wait,
  tells_and_hangs() {
    say({ type: 'plan', entries: serial().entries });
    wait();
  },
  prints_and_hangs() {
    say(serial());
    wait();
  },
  half: () => process.stdout.write('{"type": "plan", "entries": [{"job": 0, "st'),
  rubbish: () => process.stdout.write('Welcome to SOLVER 1.0\nobjective = 12\n'),
  binary: () => process.stdout.write(Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x0a])),
  unknown: () => say({ type: 'bound', value: 3 }),
  wordy() {
    const chunk = Buffer.alloc(2 ** 20, 'x\n');
    const pour = () => {
      while (process.stdout.write(chunk));
      process.stdout.once('drain', pour);
    };
    pour();
  },
  one_line() {
    const chunk = Buffer.alloc(2 ** 20, 'x');
    const pour = () => {
      while (process.stdout.write(chunk));
      process.stdout.once('drain', pour);
    };
    pour();
  },
  silent() {},
  complains() {
    process.stderr.write(`${'.'.repeat(10_000)}\nno licence\n`);
    process.exitCode = 3;
  },
  plans_and_fails() {
    say(serial());
    process.exitCode = 4;
  },
  signals: () => process.kill(process.pid, 'SIGSEGV'),
  allocates() {
    const hoard = [];
    setInterval(() => hoard.push(Buffer.alloc(2 ** 24, 1)), 1);
  },
  children_allocate() {
    for (let i = 0; i < 3; i++) spawn(process.execPath, [process.argv[1], 'allocates']);
    wait();
  },
  closes_stdout() {
    process.stdout.end();
    wait();
  },
  leaves() {
    leave('leaves_again');
    say(serial());
  },
  leaves_again() {
    leave('hangs');
  },
  leaves_and_hangs() {
    leave('leaves_again');
    say({ type: 'plan', entries: serial().entries });
    wait();
  },
  ignores_signals() {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
    wait();
  },
};
ways[way]();
