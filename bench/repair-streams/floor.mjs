// A shop floor that keeps its own account of what is known, and judges schedules by it: slowly, unit of time
// by unit, and with nothing of the package. Of what the package says only the downtimes are read, and
// compared with the breakdowns that were told.

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
  return { machines, jobs: list, start: [], plan: null };
}

/**
 * Takes a floor through what happened at `now`, and compares a repaired schedule with what is known then.
 *
 * @param plan the starts of all operations, job after job, that were followed until now
 * @param events those that took effect
 * @param repaired starts and facts of the next instance, by the package
 * @returns faults, none if all is well
 */
export function judge(floor, plan, events, now, { start, calendar }) {
  const faults = [];
  let next = 0;
  for (const job of floor.jobs) {
    for (const one of job.operations) {
      const planned = plan[next++];
      if (one.start < 0 && planned < now) one.start = planned;
      one.wasRunning = one.start >= 0 && (one.end ?? one.start + one.duration) > now;
    }
  }
  for (const event of events) apply(floor, event, now, faults);
  const down = downtimesOf(floor.machines, calendar);
  for (const { kind, machine, from, to, resumable } of events) {
    // A machine that is back again, or down in another way by a later event, is another matter.
    const isLast = events.filter((other) => other.machine === machine).length === 1;
    if (kind !== 'breakdown' || !isLast) continue;
    for (let time = from; time < to; time++) {
      const is = down(machine, time);
      if (is === null || (!resumable && is !== 'lost'))
        faults.push(`machine ${machine} is up at ${time}`);
    }
  }
  return [...faults, ...judgeStarts(floor, start, now, down)];
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
  }
}

function judgeStarts(floor, start, now, down) {
  const faults = [];
  const all = floor.jobs.flatMap(({ operations }) => operations);
  if (start.length !== all.length) return [`${start.length} starts of ${all.length} operations`];
  all.forEach((one, op) => {
    const isLost = one.start >= 0 && one.wasRunning && meets(one, one.start, now, down);
    if (isLost) one.start = -1;
    if (one.start >= 0 && start[op] !== one.start) faults.push(`operation ${op} had started`);
    if (one.start < 0 && start[op] < Math.max(now, one.release))
      faults.push(`operation ${op} is early`);
    if (one.start < 0 && meets(one, start[op], 0, down))
      faults.push(`operation ${op} meets a downtime`);
    if (one.start < 0 && one.duration > 0 && down(one.machine, start[op]) !== null) {
      faults.push(`operation ${op} starts in a downtime`);
    }
    one.at = start[op];
    one.end = endOf(one, start[op], down);
  });
  for (const { operations } of floor.jobs) {
    operations.forEach((one, step) => {
      if (step > 0 && one.at < operations[step - 1].end)
        faults.push('a step begins before its time');
    });
  }
  const busy = new Map();
  all.forEach(({ machine, duration, at, end }, op) => {
    if (duration === 0) return;
    for (let time = at; time < end; time++) {
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

/** The end of an operation, worked off unit by unit; what is interrupted goes on afterwards. */
function endOf({ machine, duration }, start, down) {
  let time = start;
  for (let left = duration; left > 0; time++) if (down(machine, time) !== 'waits') left--;
  return time;
}

/** Whether work that starts then meets a downtime that it does not survive and that begins at `from` or later. */
function meets(one, start, from, down) {
  const end = endOf(one, start, down);
  for (let time = start; time < end; time++) {
    if (time >= from && down(one.machine, time) === 'lost') return true;
  }
  return false;
}

function downtimesOf(machines, calendar) {
  const times = Array.from({ length: machines }, () => new Map());
  if (calendar !== null) {
    for (let k = 0; k < machines; k++) {
      for (let i = calendar.offset[k]; i < calendar.offset[k + 1]; i++) {
        for (let time = calendar.from[i]; time < calendar.to[i]; time++) {
          times[k].set(time, calendar.resumable[i] === 1 ? 'waits' : 'lost');
        }
      }
    }
  }
  return (machine, time) => times[machine].get(time) ?? null;
}

function range(from, to) {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
