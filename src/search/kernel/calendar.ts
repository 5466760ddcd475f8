// Downtimes of machines: what src/jssp/calendar.ts says, for the hot loop.
/** Machine k owns the downtimes from `downtimeOffset[k]` to `downtimeOffset[k + 1]` − 1. */
export let downtimeOffset = new StaticArray<i32>(0);
export let downtimeFrom = new StaticArray<i32>(0);
export let downtimeTo = new StaticArray<i32>(0);
export let downtimeResumable = new StaticArray<i32>(0);

export function allocateCalendar(machines: i32, downtimes: i32): void {
  downtimeOffset = new StaticArray<i32>(machines + 1);
  downtimeFrom = new StaticArray<i32>(downtimes);
  downtimeTo = new StaticArray<i32>(downtimes);
  downtimeResumable = new StaticArray<i32>(downtimes);
}

/** Whether any machine is ever down. */
export function hasDowntimes(): bool {
  return downtimeFrom.length > 0;
}

/** When so much work on a machine, ready at `ready`, is done at the earliest. */
export function completionOf(work: i32, machine: i32, ready: i32): i32 {
  if (work === 0) return ready;
  const stop = downtimeOffset[machine + 1];
  let next = downtimeOffset[machine];
  let start = ready;
  while (next < stop) {
    if (downtimeFrom[next] <= start) {
      // Nothing starts inside a downtime.
      start = max(start, downtimeTo[next++]);
      continue;
    }
    let end = start + work;
    let met = next;
    while (met < stop && downtimeFrom[met] < end && downtimeResumable[met]) {
      end += downtimeTo[met] - downtimeFrom[met];
      met++;
    }
    if (met === stop || downtimeFrom[met] >= end) return end;
    // One that is not resumable comes too early: not before it, then.
    start = downtimeTo[met];
    next = met + 1;
  }
  return start + work;
}

/** When so much work on a machine has to start at the latest to be done by a time; may be negative. */
export function latestStartOf(work: i32, machine: i32, by: i32): i32 {
  const first = downtimeOffset[machine];
  let next = downtimeOffset[machine + 1] - 1;
  if (work === 0 || next < first) return by - work;
  while (next >= first && downtimeFrom[next] >= by) next--;
  let left = work;
  let end = by;
  for (; next >= first; next--) {
    if (downtimeTo[next] + left <= end) return end - left;
    // It runs across the downtime, or is done before.
    left = downtimeResumable[next] ? left - max(0, end - downtimeTo[next]) : work;
    end = min(end, downtimeFrom[next]);
  }
  return end - left;
}
