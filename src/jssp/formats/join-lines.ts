const BATCH = 1000;

/** Joins many short strings into one, in batches, so that millions of them are never in memory together. */
export function joinLines(
  count: number,
  separator: string,
  line: (index: number) => string,
): string {
  const batches: string[] = [];
  for (let start = 0; start < count; start += BATCH) {
    const lines: string[] = [];
    for (let i = start; i < Math.min(count, start + BATCH); i++) lines.push(line(i));
    batches.push(lines.join(separator));
  }
  return batches.join(separator);
}
