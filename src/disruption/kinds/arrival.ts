import * as z from 'zod';
import { type Arrival, type ArrivingJob, arrivalWords } from '../arriving.js';
import { labelOperation } from '../labels.js';
import { refusePast } from '../refusals.js';
import { defineEvent } from './definition.js';
import type { EventKindOf, Open } from './kind.js';
import { knownInTime, name, needsSchema, time, weight } from './schema-parts.js';

/** An arrival whose release may be missing: it is the time at which it becomes known. */
type CountedArrival = Open<Omit<Arrival, 'job'>, 'at'> & {
  readonly job: Open<ArrivingJob, 'release'>;
};

/** The draft of an instance has the job already: it only counts it. Its members in files are those of its job. */
export const arrival: EventKindOf<Arrival, CountedArrival> = defineEvent({
  kind: 'arrival',
  inPlace: false,
  schema: ({ machine, resource }) =>
    z
      .strictObject(
        {
          kind: z.literal('arrival'),
          at: time.optional(),
          job: arrivingJob(machine, needsSchema(resource)),
        },
        'give an object with the keys kind, job and, if need be, at',
      )
      .refine(
        ({ at = 0, job: { release = at } }) => at <= release,
        knownInTime('the job is released'),
      ),
  complete: (event, at) => {
    return { ...event, at, job: { ...event.job, release: event.job.release ?? at } };
  },
  begin: ({ job }) => job.release,
  fromNowOn(event, now) {
    const { job } = event;
    return job.release < now ? { ...event, at: now, job: { ...job, release: now } } : event;
  },
  label({ job: { name, operations, release, due, weight } }, labels) {
    const labelled = operations.map((operation) => labelOperation(operation, labels));
    return { job: { name, operations: labelled, release, due, weight } };
  },
  describe: arrivalWords,
  apply(draft, event) {
    const past = refusePast(draft, 'arrival', event.job.release, 'the job is released');
    if (past === undefined) draft.jobs++;
    return past;
  },
  /** All operations of the job, which have no numbers before the event: `affectedByEach` finds them. */
  concerned: () => [],
  reason: ({ job }, words) => words.sentences.effects.arrival(job.name ?? null),
  phrase(event, { sentences }) {
    const { name, operations } = event.job as { name?: string; operations: readonly unknown[] };
    return sentences.events.arrival(name ?? null, operations.length);
  },
});

function arrivingJob(machine: z.ZodType<number>, needs: ReturnType<typeof needsSchema>) {
  const mode = z.strictObject(
    { machine, duration: time, needs },
    'give an object with the keys machine, duration and, if need be, needs',
  );
  const operation = z.strictObject(
    {
      name: name.optional(),
      machine,
      duration: time,
      needs,
      alternatives: z.array(mode, 'give a list of other machines').optional(),
      family: z.int('give a setup family as a whole number from 0, or its name').min(0).optional(),
    },
    'give an object with the keys machine, duration and, if need be, name, alternatives, needs, family',
  );
  return z.strictObject(
    {
      name: name.optional(),
      operations: z
        .array(operation, 'give a list of operations')
        .min(1, 'give at least one operation'),
      release: time.optional(),
      due: time.optional(),
      weight: weight.optional(),
    },
    'give an object with the key operations and, if need be, name, release, due, weight',
  );
}
