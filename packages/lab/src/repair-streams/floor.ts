// A shop floor that keeps its own account of what is known, and judges schedules by it: slowly, unit of time
// by unit, and with nothing of the package.

import type { EffectiveEvent, TimedBreakdown } from 'alas-jssp/disruption';
import type { Instance } from 'alas-jssp/jssp';

interface FloorOperation {
  machine: number;
  duration: number;
  release: number;
  /** −1 as long as it has not started. */
  start: number;
  /** Of the schedule judged last. */
  at: number;
  end: number;
}

/** Times at which a machine is down: whether work survives that, whether the end is a guess, and the downtime. */
export type Downtimes = Map<number, { survives: boolean; isGuess: boolean; piece: number }>;

/** The downtimes of all machines; pieces are the numbers given to downtimes so far. */
export interface Stoppages {
  down: Downtimes[];
  pieces: number;
}

export interface Floor extends Stoppages {
  machines: number;
  jobs: { due: number; weight: number; operations: FloorOperation[] }[];
}

const NOT_STARTED = { start: -1, at: -1, end: -1 };

/** A floor from the arrays of an instance that nothing has happened to. */
export function openFloor({
  machines,
  jobs,
  jobOffset,
  machine,
  duration,
  release,
  due,
  weight,
}: Instance): Floor {
  const list = Array.from({ length: jobs }, (_, job) => ({
    due: due?.[job] ?? -1,
    weight: weight?.[job] ?? 1,
    operations: range(jobOffset[job], jobOffset[job + 1]).map((op) => ({
      machine: machine[op],
      duration: duration[op],
      release: release?.[op] ?? 0,
      ...NOT_STARTED,
    })),
  }));
  const down = Array.from({ length: machines }, (): Downtimes => new Map());
  return { machines, jobs: list, down, pieces: 0 };
}

/**
 * Takes a floor through what happened at `now`, and judges the starts of a repair by what is known then.
 *
 * @param plan the starts of all operations, job after job, that were followed until now
 * @param events those that took effect, in their order
 * @returns faults, none if all is well
 */
export function judge(
  floor: Floor,
  plan: ArrayLike<number>,
  events: readonly EffectiveEvent[],
  now: number,
  start: ArrayLike<number>,
) {
  const faults: string[] = [];
  operationsOf(floor).forEach((one, op) => {
    if (one.start < 0 && plan[op] < now) one.start = plan[op];
  });
  for (const event of events) apply(floor, event, now, faults);
  return [...faults, ...judgeStarts(floor, start, now)];
}

function apply(floor: Floor, event: EffectiveEvent, now: number, faults: string[]) {
  if (event.kind === 'arrival') {
    const { operations, release, due = -1, weight = 1 } = event.job;
    const list = operations.map((one, step) => ({
      machine: one.machine,
      duration: one.duration,
      release: step === 0 ? (release ?? now) : now,
      ...NOT_STARTED,
    }));
    floor.jobs.push({ due, weight, operations: list });
  } else if (event.kind === 'cancellation') {
    // One that runs is finished.
    const job = floor.jobs[event.job];
    job.operations = job.operations.filter(({ start }) => start >= 0);
    job.due = -1;
  } else if (event.kind === 'delay') {
    const one = floor.jobs[event.job].operations[event.step ?? 0];
    if (one.start >= 0) faults.push('a delay of what has started');
    one.release = Math.max(one.release, event.until);
  } else if (event.kind === 'duration') {
    const one = floor.jobs[event.job].operations[event.step];
    const { duration, factor } = event;
    if (duration !== undefined) one.duration = duration;
    else if (one.duration > 0) one.duration = Math.max(1, Math.round(one.duration * (factor ?? 1)));
    lose(floor, [one], now);
  } else if (event.kind === 'breakdown') {
    breakDown(floor, event);
    lose(floor, operationsOf(floor), now);
  } else if (event.kind === 'restored') restore(floor.down[event.machine], event.at);
}

/** What runs now, and meets a downtime before it is done that it does not survive, has not started. */
function lose({ down }: Floor, operations: readonly FloorOperation[], now: number) {
  for (const one of operations) {
    if (one.start < 0 || endOf(one, one.start, down) <= now) continue;
    if (meets(one, one.start, now, down)) one.start = -1;
  }
}

/** A breakdown joins the downtimes that it overlaps; guesses about what is down already are given up. */
export function breakDown(
  floor: Stoppages,
  { machine, from, to, resumable, estimated }: TimedBreakdown,
) {
  const times = floor.down[machine];
  forgetGuess(times, from);
  const overlapped = new Set(range(from, to).map((time) => times.get(time)?.piece));
  for (let time = from; time < to; time++) {
    const known = times.get(time);
    times.set(time, {
      survives: resumable && (known?.survives ?? true),
      isGuess: estimated === true && (known?.isGuess ?? true),
      piece: -1,
    });
  }
  let last: { survives: boolean; isGuess: boolean } | undefined;
  for (const [, one] of [...times].sort(([a], [b]) => a - b)) {
    if (one.piece >= 0 && !overlapped.has(one.piece)) continue;
    const isSame: boolean = last?.survives === one.survives && last.isGuess === one.isGuess;
    if (!isSame) floor.pieces++;
    one.piece = floor.pieces;
    last = one;
  }
}

/** The downtime of a machine at a time ends then. */
export function restore(times: Downtimes, at: number) {
  const { piece } = times.get(at) ?? {};
  forgetGuess(times, at);
  for (const [time, one] of [...times]) if (time >= at && one.piece === piece) times.delete(time);
}

/** Gives up what is a guess, from a time on, as long as the machine is down without a break. */
function forgetGuess(times: Downtimes, at: number) {
  if (!times.has(at)) return;
  const isDown = new Set(times.keys());
  for (let time = at; isDown.has(time); time++) if (times.get(time)?.isGuess) times.delete(time);
}

function judgeStarts(floor: Floor, start: ArrayLike<number>, now: number) {
  const faults: string[] = [];
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
  const busy = new Map<string, number>();
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
export function valuesOf({ jobs }: Floor) {
  const ends = jobs.map(({ operations }) => Math.max(0, ...operations.map(({ end }) => end)));
  const late = jobs.map(({ due, weight }, job) =>
    due < 0 ? 0 : weight * Math.max(0, ends[job] - due),
  );
  return {
    makespan: Math.max(0, ...ends),
    'total-weighted-tardiness': late.reduce((sum, cost) => sum + cost, 0),
  };
}

/** The end of an operation, worked off unit by unit; interrupted work that survives resumes afterwards. */
function endOf({ machine, duration }: FloorOperation, start: number, down: readonly Downtimes[]) {
  let time = start;
  for (let left = duration; left > 0; time++) if (!down[machine].get(time)?.survives) left--;
  return time;
}

/** Whether work that starts then meets a downtime, from a time on, that it does not survive. */
function meets(one: FloorOperation, start: number, from: number, down: readonly Downtimes[]) {
  const end = endOf(one, start, down);
  for (let time = Math.max(start, from); time < end; time++) {
    if (down[one.machine].get(time)?.survives === false) return true;
  }
  return false;
}

function operationsOf({ jobs }: Floor) {
  return jobs.flatMap(({ operations }) => operations);
}

function range(from: number, to: number) {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
