// Hands over ever better plans, and never comes to its end; how depends on the name of the instance.
const ways = {
  // Never lets go of its thread, and so never hears that it is to stop.
  loops() {
    for (;;);
  },
  waits: () => new Promise(() => {}),
  listens: (signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
};

/** One job after the other, each operation so long after the one before. */
function serial({ operations, jobOf, jobOffset, machine, duration }, gap) {
  const entries = [];
  let time = 0;
  for (let op = 0; op < operations; op++) {
    const end = time + duration[op];
    const step = op - jobOffset[jobOf[op]];
    entries.push({ job: jobOf[op], step, machine: machine[op], start: time, end });
    time = end + gap;
  }
  return { entries };
}

export function planner(instance, { signal, onPlan, onLowerBound }) {
  for (const gap of [2, 3, 0]) onPlan(serial(instance, gap));
  onLowerBound(4);
  return ways[instance.name](signal);
}
