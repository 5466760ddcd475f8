// One job after the other; tells that its plan is made once its thread is at work on other things.
export function planner(instance) {
  const { operations, jobOf, jobOffset, machine, duration, name } = instance;
  const entries = [];
  let time = 0;
  for (let op = 0; op < operations; op++) {
    const start = time;
    time += duration[op];
    const step = op - jobOffset[jobOf[op]];
    entries.push({ job: jobOf[op], step, machine: machine[op], start, end: time });
  }
  setTimeout(() => {
    const channel = new BroadcastChannel('plans');
    channel.postMessage(name);
    channel.close();
  }, 20);
  return { entries, makespan: time };
}
