// A shop floor that keeps its own account of what is known, and judges schedules by it: slowly, unit of time
// by unit, and with nothing of the package.

/** A floor from the arrays of an instance that nothing has happened to. */
export function openFloor({ machines, jobs, jobOffset, machine, duration, release, due, weight }) {
  const list = Array.from({ length: jobs }, (_, job) => ({
    due: due?.[job] ?? -1,
    weight: weight?.[job] ?? 1,
    operations: range(jobOffset[job], jobOffset[job + 1]).map((op) => ({
      machine: machine[op],
      duration: duration[op],
      release: release?.[op] ?? 0,
      start: -1,
    })),
  }));
  // Of each machine the times at which it is down: whether work survives that, whether the end is a guess,
  // and the number of the downtime.
  const down = Array.from({ length: machines }, () => new Map());
  return { machines, jobs: list, down, pieces: 0 };
}

/**
 * Takes a floor through what happened at `now`, and judges the starts of a repair by what is known then.
 *
 * @param plan the starts of all operations, job after job, that were followed until now
 * @param events those that took effect, in their order
 * @returns faults, none if all is well
 */
export function judge(floor, plan, events, now, start) {
  const faults = [];
  operationsOf(floor).forEach((one, op) => {
    if (one.start < 0 && plan[op] < now) one.start = plan[op];
  });
  for (const event of events) apply(floor, event, now, faults);
  return [...faults, ...judgeStarts(floor, start, now)];
}

function apply(floor, event, now, faults) {
  const job = floor.jobs[event.job];
  if (event.kind === 'arrival') {
    const { operations, release, due = -1, weight = 1 } = event.job;
    const list = operations.map((one, step) => ({
      machine: one.machine,
      duration: one.duration,
      release: step === 0 ? release : now,
      start: -1,
    }));
    floor.jobs.push({ due, weight, operations: list });
  } else if (event.kind === 'cancellation') {
    // One that runs is finished.
    job.operations = job.operations.filter(({ start }) => start >= 0);
    job.due = -1;
  } else if (event.kind === 'delay') {
    const one = job.operations[event.step];
    if (one.start >= 0) faults.push('a delay of what has started');
    one.release = Math.max(one.release, event.until);
  } else if (event.kind === 'duration') {
    const one = job.operations[event.step];
    const { duration, factor } = event;
    if (factor === undefined) one.duration = duration;
    else if (one.duration > 0) one.duration = Math.max(1, Math.round(one.duration * factor));
    lose(floor, [one], now);
  } else if (event.kind === 'breakdown') {
    breakDown(floor, event);
    lose(floor, operationsOf(floor), now);
  } else if (event.kind === 'restored') restore(floor.down[event.machine], event.at);
}

/** What runs now, and meets a downtime before it is done that it does not survive, has not started. */
function lose({ down }, operations, now) {
  for (const one of operations) {
    if (one.start < 0 || endOf(one, one.start, down) <= now) continue;
    if (meets(one, one.start, now, down)) one.start = -1;
  }
}

/** A breakdown joins the downtimes that it overlaps; guesses about what is down already are given up. */
function breakDown(floor, { machine, from, to, resumable, estimated = false }) {
  const times = floor.down[machine];
  forgetGuess(times, from);
  const overlapped = new Set(range(from, to).map((time) => times.get(time)?.piece));
  for (let time = from; time < to; time++) {
    const known = times.get(time);
    times.set(time, {
      survives: resumable && (known?.survives ?? true),
      isGuess: estimated && (known?.isGuess ?? true),
      piece: -1,
    });
  }
  let last;
  for (const time of [...times.keys()].sort((a, b) => a - b)) {
    const one = times.get(time);
    if (one.piece >= 0 && !overlapped.has(one.piece)) continue;
    const isSame = last?.survives === one.survives && last.isGuess === one.isGuess;
    if (!isSame) floor.pieces++;
    one.piece = floor.pieces;
    last = one;
  }
}

function restore(times, at) {
  const { piece } = times.get(at) ?? {};
  forgetGuess(times, at);
  for (const [time, one] of [...times]) if (time >= at && one.piece === piece) times.delete(time);
}

/** Gives up what is a guess, from a time on, as long as the machine is down without a break. */
function forgetGuess(times, at) {
  if (!times.has(at)) return;
  const isDown = new Set(times.keys());
  for (let time = at; isDown.has(time); time++) if (times.get(time).isGuess) times.delete(time);
}

function judgeStarts(floor, start, now) {
  const faults = [];
  const { down } = floor;
  const all = operationsOf(floor);
  if (start.length !== all.length) return [`${start.length} starts of ${all.length} operations`];
  all.forEach((one, op) => {
    one.at = start[op];
    one.end = endOf(one, one.at, down);
    if (one.start >= 0) {
      if (one.at !== one.start) faults.push(`operation ${op} had started at ${one.start}`);
      return;
    }
    if (one.at < Math.max(now, one.release)) faults.push(`operation ${op} is early`);
    if (one.duration === 0) return;
    if (down[one.machine].has(one.at)) faults.push(`operation ${op} starts in a downtime`);
    if (meets(one, one.at, 0, down)) faults.push(`operation ${op} meets a downtime`);
  });
  for (const { operations } of floor.jobs) {
    operations.forEach((one, step) => {
      if (step > 0 && one.at < operations[step - 1].end)
        faults.push(`step ${step} is before its time`);
    });
  }
  const busy = new Map();
  all.forEach(({ machine, duration, at, end }, op) => {
    for (let time = at; duration > 0 && time < end; time++) {
      const key = `${machine} ${time}`;
      if (busy.has(key)) faults.push(`operations ${busy.get(key)} and ${op} at once`);
      busy.set(key, op);
    }
  });
  return faults;
}

/** Makespan and weighted tardiness of the schedule judged last. */
export function valuesOf({ jobs }) {
  const ends = jobs.map(({ operations }) => Math.max(0, ...operations.map(({ end }) => end)));
  const late = jobs.map(({ due, weight }, job) =>
    due < 0 ? 0 : weight * Math.max(0, ends[job] - due),
  );
  return {
    makespan: Math.max(0, ...ends),
    'total-weighted-tardiness': late.reduce((sum, cost) => sum + cost, 0),
  };
}

/** The end of an operation, worked off unit by unit; what is interrupted and survives goes on afterwards. */
function endOf({ machine, duration }, start, down) {
  let time = start;
  for (let left = duration; left > 0; time++) if (!down[machine].get(time)?.survives) left--;
  return time;
}

/** Whether work that starts then meets a downtime, from a time on, that it does not survive. */
function meets(one, start, from, down) {
  const end = endOf(one, start, down);
  for (let time = Math.max(start, from); time < end; time++) {
    if (down[one.machine].get(time)?.survives === false) return true;
  }
  return false;
}

function operationsOf({ jobs }) {
  return jobs.flatMap(({ operations }) => operations);
}

function range(from, to) {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
