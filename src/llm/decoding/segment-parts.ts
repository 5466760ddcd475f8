import type { LineParts, Segment } from './segments.js';

/** Whether it says when an operation starts. */
export function isTimed({ start }: Segment): boolean {
  return start !== undefined;
}

/** Whether it says anything about which operation it is. */
export function namesOperation({ job, step, machine }: Segment): boolean {
  return job !== undefined || step !== undefined || machine !== undefined;
}

/** A later part of a line, with the job or machine that its first part names. */
export function inherit(segment: Segment, lead: Segment, first: LineParts['first']): Segment {
  if (first === 'job' && segment.job === undefined) {
    return { ...segment, ...withoutUndefined({ job: lead.job }) };
  }
  if (first === 'machine' && segment.machine === undefined) {
    return { ...segment, ...withoutUndefined({ machine: lead.machine }) };
  }
  return segment;
}

/** The fields that have a value. */
export function withoutUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
