// A planner as an ES module: all operations in a random order, by a generator of its own (mulberry32). As it knows nothing,
// `alas-jssp run --attribution` must find that nothing is owed to its plans.
function generator(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const planner = {
  name: 'random-order',
  async plan({ jobs, jobOffset, machine, duration, machines }, { seed }) {
    const next = generator(seed);
    const order = [];
    for (let job = 0; job < jobs; job++) {
      for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) order.push(job);
    }
    for (let i = order.length - 1; i > 0; i--) {
      const k = Math.floor(next() * (i + 1));
      [order[i], order[k]] = [order[k], order[i]];
    }
    const step = new Array(jobs).fill(0);
    const jobEnd = new Array(jobs).fill(0);
    const machineEnd = new Array(machines).fill(0);
    const entries = order.map((job) => {
      const op = jobOffset[job] + step[job];
      const start = Math.max(jobEnd[job], machineEnd[machine[op]]);
      const end = start + duration[op];
      jobEnd[job] = end;
      machineEnd[machine[op]] = end;
      return { job, step: step[job]++, machine: machine[op], start, end };
    });
    return { entries };
  },
};
