/** The parts of an instance that the labels of its operations depend on. */
interface NamedOperations {
  readonly names: { readonly operations: readonly string[] | null } | null;
  readonly jobOffset: Int32Array;
}

/** Cached labels by list of names, with the job offsets for which they were computed. The lists are immutable. */
const known = new WeakMap<
  readonly string[],
  { readonly jobOffset: Int32Array; readonly labels: readonly string[] }
>();

/**
 * The labels of operations with names, N entries, '' for one without: its name, or `turning (1)` and `turning (2)` if a
 * job has several of one name. Labels are unique within a job.
 */
export function operationLabels({ names, jobOffset }: NamedOperations): readonly string[] | null {
  const list = names?.operations ?? null;
  if (list === null) return null;
  const found = known.get(list);
  if (found?.jobOffset === jobOffset) return found.labels;
  const labels = numberTwins(list, jobOffset);
  known.set(list, { jobOffset, labels });
  return labels;
}

/** Names of operations, numbered if a job has duplicates; the list itself if none has. */
function numberTwins(list: readonly string[], jobOffset: Int32Array): readonly string[] {
  let labels: string[] | undefined;
  for (let job = 0; job + 1 < jobOffset.length; job++) {
    const [from, to] = [jobOffset[job], jobOffset[job + 1]];
    const counts = new Map<string, number>();
    for (let op = from; op < to; op++) counts.set(list[op], (counts.get(list[op]) ?? 0) + 1);
    counts.delete('');
    if ([...counts.values()].every((count) => count === 1)) continue;
    labels ??= [...list];
    const seen = new Map<string, number>();
    for (let op = from; op < to; op++) {
      const name = list[op];
      if ((counts.get(name) ?? 1) === 1) continue;
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      labels[op] = twinLabel(name, number);
    }
  }
  return labels ?? list;
}

/** The label of one of several operations of a job with the same name, counted from 1. */
export function twinLabel(name: string, number: number): string {
  return `${name} (${number})`;
}
