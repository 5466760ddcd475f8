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
  answers: () => 42,
  lies: () => ({ entries: [], makespan: 7 }),
  mumbles: (instance) => ({ entries: serial(instance, 0).entries, makespan: Number.NaN }),
};

export const planner = {
  plan(instance, { seed }) {
    const behaviour = behaviours[instance.name] ?? serial;
    return behaviour(instance, seed);
  },
};
