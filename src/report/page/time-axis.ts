/** Marks of a time axis at whole, round times from `from` to `to`, about `most` of them at most. */
export function timeMarks(from: number, to: number, most: number): number[] {
  const step = roundStep((to - from) / Math.max(1, most));
  const marks: number[] = [];
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) marks.push(time);
  return marks;
}

/** The least of 1, 2, 5, 10, 20, … that is at least as large. */
function roundStep(least: number): number {
  let power = 1;
  while (power * 10 <= least) power *= 10;
  return [power, 2 * power, 5 * power, 10 * power].find((step) => step >= least) ?? 10 * power;
}
