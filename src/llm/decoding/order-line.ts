import type { MachineOrder } from './found.js';
import type { TextLine } from './lines.js';
import type { LineParts } from './segments.js';
import type { Token } from './tokens.js';

/** Words beside its labels that a line with the order of a machine may have. */
const MOST_WORDS = 2;

/** The order that a line such as `M1: Job 1, Job 3` or `M1: 1, 3` gives a machine. */
export function orderIn(
  { segments, first, bareNumbers }: LineParts,
  { line }: TextLine,
  tokens: readonly Token[],
): MachineOrder | undefined {
  const [lead] = segments;
  if (first !== 'machine' || lead.machine === undefined) return undefined;
  const words = segments.reduce((sum, { otherWords }) => sum + otherWords, 0);
  if (words > MOST_WORDS || !tokens.some(({ text }) => text === ':' || text === '->')) {
    return undefined;
  }
  if (lead.job === undefined) {
    const isBare = segments.length === 1 && bareNumbers.length > 1 && words === 0;
    if (!isBare || lead.duration !== undefined) return undefined;
    const turns = bareNumbers.map(({ value, from, to }) => ({
      job: value,
      place: { line, offset: from, end: to },
    }));
    return { machine: lead.machine, turns };
  }
  const turns = segments.flatMap(({ job, step, from, to }) =>
    job === undefined ? [] : [{ job, step, place: { line, offset: from, end: to } }],
  );
  const areJobs = segments.every(
    ({ job, machine, duration }, i) =>
      job !== undefined && duration === undefined && (i === 0 || machine === undefined),
  );
  return areJobs && turns.length > 1 ? { machine: lead.machine, turns } : undefined;
}
