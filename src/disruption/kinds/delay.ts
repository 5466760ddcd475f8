import * as z from 'zod';
import { firstUnstarted } from '../draft.js';
import { findOperation, refusal, refusePast, requireJob, timeText } from '../refusals.js';
import { defineEvent } from './definition.js';
import type { EventKindOf } from './kind.js';
import { plannedOperation } from './planned.js';
import { isKnownBy, knownInTime, time } from './schema-parts.js';

/**
 * Material comes late: an operation does not start before `until`. Without a step it is the first operation of the job
 * that has not started.
 */
export interface Delay {
  readonly kind: 'delay';
  readonly at: number;
  readonly job: number;
  readonly step?: number | undefined;
  readonly until: number;
}

export const delay: EventKindOf<Delay> = defineEvent({
  kind: 'delay',
  inPlace: true,
  schema: ({ job, step }) =>
    z
      .strictObject(
        { kind: z.literal('delay'), at: time.optional(), job, step: step.optional(), until: time },
        'give an object with the keys kind, job, until and, if need be, step, at',
      )
      .refine(isKnownBy('until'), knownInTime('it ends')),
  complete: (event, at) => ({ ...event, at }),
  /** It may be known long before it ends. */
  timeKnown: ({ until }, knownBy) => (knownBy === undefined ? knownBy : Math.min(until, knownBy)),
  label: ({ job, step, until }, labels) => ({
    job: labels.job(job),
    step: step === undefined ? undefined : labels.step(job, step),
    until,
  }),
  describe: ({ job, step }, words) =>
    step === undefined
      ? `delay of ${words.job(job)}`
      : `delay of ${words.job(job)}, ${words.step(job, step)}`,
  resolve(draft, event) {
    if (event.step !== undefined || event.job >= draft.jobs) return event;
    const op = firstUnstarted(draft, event.job);
    return op < 0 ? event : { ...event, step: op - draft.jobOffset[event.job] };
  },
  apply(draft, { job, step, until }) {
    const missing = requireJob(draft, job);
    if (missing !== undefined) return missing;
    const past = refusePast(draft, 'delay', until, 'it ends');
    if (past !== undefined) return past;
    if (step === undefined) {
      const problem = 'every operation of the job has started';
      return refusal('operation_started', problem, 'delay what has not started');
    }
    const op = findOperation(draft, job, step);
    if (typeof op !== 'number') return op;
    if (draft.started[op] >= 0) {
      const started = draft.started[op];
      const [begin, now] = [timeText(draft, started), timeText(draft, draft.now)];
      const problem = `the operation started at ${begin}, and now is ${now}`;
      return refusal('operation_started', problem, 'delay what has not started', { started });
    }
    draft.write(draft.release, op, Math.max(draft.release[op], until));
    return undefined;
  },
  concerned: (schedule, _, { job, step }) => plannedOperation(schedule, job, step),
  holdsUntil: ({ until }) => until,
  fixesUntil: ({ until }) => until,
  reason({ job, step, until }, words, now, { jobOffset }) {
    const operation = words.operation(jobOffset[job] + (step ?? 0));
    return words.sentences.effects.delay(operation, words.time(until, now));
  },
  phrase: ({ until }, { sentences, operation, time }) =>
    sentences.events.delay(operation(), time(until)),
});
