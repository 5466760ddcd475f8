// Downtimes of machines: the functions of src/jssp/calendar.ts for the hot loop.
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

/** The number of downtimes that are searched linearly. */
const FEW: i32 = 4;

/** Whether any machine has downtimes. */
export function hasDowntimes(): bool {
  return downtimeFrom.length > 0;
}

/** The earliest completion of `work` on a machine, ready at `ready`. */
export function completionOf(work: i32, machine: i32, ready: i32): i32 {
  if (work === 0) return ready;
  const stop = downtimeOffset[machine + 1];
  let next = downtimeOffset[machine];
  for (let high = stop; high - next > FEW; ) {
    const middle = (next + high) >> 1;
    if (downtimeTo[middle] <= ready) next = middle + 1;
    else high = middle;
  }
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
    // A non-resumable downtime would interrupt the work: start after it.
    start = downtimeTo[met];
    next = met + 1;
  }
  return start + work;
}

/** The latest time at which `work` on a machine must be ready to be completed by `by`; it may be negative. */
export function latestStartOf(work: i32, machine: i32, by: i32): i32 {
  if (work === 0) return by;
  const first = downtimeOffset[machine];
  let final = downtimeOffset[machine + 1] - 1;
  for (let low = first; final - low > FEW; ) {
    const middle = (low + final) >> 1;
    if (downtimeFrom[middle] < by) low = middle;
    else final = middle - 1;
  }
  let left = work;
  let end = by;
  for (let i = final; i >= first; i--) {
    if (downtimeFrom[i] >= end) continue;
    if (downtimeTo[i] + left <= end) break;
    // The work spans the downtime, or is completed before it.
    left = downtimeResumable[i] ? left - max(0, end - downtimeTo[i]) : work;
    end = downtimeFrom[i];
  }
  return end - left;
}
