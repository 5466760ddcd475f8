import { parentPort, resourceLimits } from 'node:worker_threads';

// A planner as a user might write it: what it does depends on the name of the instance.

/** Works off the jobs one after the other, in an order that depends on the seed. */
function serial(instance, seed) {
  const entries = [];
  let time = 0;
  for (let i = 0; i < instance.jobs; i++) {
    const job = (i + seed) % instance.jobs;
    for (let op = instance.jobOffset[job]; op < instance.jobOffset[job + 1]; op++) {
      const step = op - instance.jobOffset[job];
      const start = time;
      time += instance.duration[op];
      entries.push({ job, step, machine: instance.machine[op], start, end: time });
    }
  }
  return { entries, makespan: time };
}

const behaviours = {
  throws() {
    throw new Error('no plan\n  for this');
  },
  rejects: () => Promise.reject(new RangeError('too hard')),
  exits: () => process.exit(3),
  crashes: () =>
    new Promise(() => {
      setTimeout(() => {
        throw new Error('out of the blue');
      });
    }),
  loops() {
    for (;;);
  },
  waits: () => new Promise(() => {}),
  exhausts() {
    const hoard = [];
    for (;;) hoard.push(new Array(1000).fill(hoard.length));
  },
  /** Makes its own wrong plan right, if the judge should look at the numbers that it was given. */
  scales(instance) {
    for (let op = 0; op < instance.operations; op++) instance.duration[op] = 1;
    instance.machine.fill(0);
    return serial(instance, 0);
  },
  prints(instance, seed) {
    // biome-ignore lint/suspicious/noConsole: users do print
    console.log('to be ignored');
    process.stdout.write('this, too\n');
    parentPort.postMessage(null);
    parentPort.postMessage({ clock: 'end', task: 'prints' });
    return serial(instance, seed);
  },
  hurls: () =>
    new Promise(() => {
      setTimeout(() => {
        throw null;
      });
    }),
  shrugs: () => Promise.reject(undefined),
  dawdles(instance, seed) {
    const end = performance.now() + 500;
    while (performance.now() < end);
    return serial(instance, seed);
  },
  measures: () => ({ entries: [], makespan: resourceLimits.maxOldGenerationSizeMb }),
  answers: () => 42,
  lies: () => ({ entries: [], makespan: 7 }),
  strays: () => ({ entries: [{ job: 0, step: 0, machine: 0, start: Number.NaN, end: 3 }] }),
  mumbles: (instance) => ({ entries: serial(instance, 0).entries, makespan: Number.NaN }),
};

export const planner = {
  plan(instance, { seed }) {
    const behaviour = behaviours[instance.name] ?? serial;
    return behaviour(instance, seed);
  },
};
