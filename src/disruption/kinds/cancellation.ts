import * as z from 'zod';
import { isFinished, modesIn, type OpenDraft } from '../draft.js';
import { type Refusal, refusal, requireJob } from '../refusals.js';
import { type AppliedTimes, defineEvent } from './definition.js';
import type { EventKindOf, PlannedTimes } from './kind.js';
import { plannedNext } from './planned.js';
import { time } from './schema-parts.js';

/** A job is cancelled: its operations that have not started are removed; a running one is finished. */
export interface Cancellation {
  readonly kind: 'cancellation';
  readonly at: number;
  readonly job: number;
}

export const cancellation: EventKindOf<Cancellation> = defineEvent({
  kind: 'cancellation',
  inPlace: false,
  schema: ({ job }) =>
    z.strictObject(
      { kind: z.literal('cancellation'), at: time.optional(), job },
      'give an object with the keys kind, job and, if need be, at',
    ),
  complete: (event, at) => ({ ...event, at }),
  label: ({ job }, labels) => ({ job: labels.job(job) }),
  describe: ({ job }, words) => `cancellation of ${words.job(job)}`,
  apply: (draft, { job }) => requireJob(draft, job) ?? cancel(draft, job),
  concerned: (schedule, applied, { job }) =>
    job >= schedule.instance.jobs ? [] : afterCancelled(schedule, applied, job),
  holdsUntil: () => -1,
  reason: ({ job }, words) => words.sentences.effects.cancellation(words.job(job)),
  phrase: (_, { sentences, job }) => sentences.events.cancellation(job()),
});

/** The job loses what has not started; what lies between started operations takes no time any more. */
function cancel(draft: OpenDraft, job: number): Refusal | undefined {
  const { jobOffset, kept } = draft;
  const [first, stop] = [jobOffset[job], jobOffset[job] + kept[job]];
  const isLeft = (op: number) => !isFinished(draft, op);
  let op = first;
  while (op < stop && !isLeft(op)) op++;
  if (op === stop) {
    const problem = 'nothing of the job is left to be done';
    return refusal('job_finished', problem, 'cancel a job that is not finished');
  }
  let last = stop - 1;
  while (last >= first && draft.started[last] < 0) last--;
  kept[job] = last + 1 - first;
  for (op = first; op < last; op++) {
    if (draft.started[op] >= 0) continue;
    const { modes, chosen } = modesIn(draft, op);
    draft.modeLists.set(op, { modes: [{ ...modes[chosen], duration: 0, needs: [] }], chosen: 0 });
    draft.write(draft.duration, op, 0);
  }
  draft.due[job] = -1;
  draft.deadline[job] = -1;
  return undefined;
}

/** The operation planned after each cancelled one on its machine. */
function afterCancelled(schedule: PlannedTimes, { newOf }: AppliedTimes, job: number): number[] {
  const { instance, start } = schedule;
  const { jobOffset, machine, duration } = instance;
  const after: number[] = [];
  for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
    if (newOf[op] >= 0 || start[op] < 0 || duration[op] === 0) continue;
    after.push(...plannedNext(schedule, machine[op], start[op], newOf));
  }
  return after;
}
