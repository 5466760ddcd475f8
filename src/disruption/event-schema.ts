import { checkJson } from '@alas-jssp/core/json-check';
import type { CheckedJson, JsonFault } from '@alas-jssp/core/json-fault';
import { describeFound, isObject } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import * as z from 'zod';
import { fieldNumber } from '../jssp/formats/plan-fields.js';
import { MAX_TIME } from '../jssp/instance.js';
import { MAX_TOTAL_WEIGHT } from '../jssp/instance-checks.js';
import {
  type CountedEvent,
  type DisruptionEvent,
  EVENT_KINDS,
  type EventKind,
  type EventNeed,
} from './event.js';
import { resourceNumber } from './resource-labels.js';

// The messages of these schemas are hints: the problem text describes the value found.
const unsigned = (number: number): number => number + 0; // -0 is no other number than 0
const time = z
  .int(`give a whole number from 0 to ${MAX_TIME}`)
  .min(0)
  .max(MAX_TIME)
  .overwrite(unsigned);
const positive = (hint: string) => z.number(hint).positive(hint);
const weight = z
  .int(`give a whole number from 0 to ${MAX_TOTAL_WEIGHT}`)
  .min(0)
  .max(MAX_TOTAL_WEIGHT)
  .overwrite(unsigned);
const name = z
  .string('give a name in quotes')
  .min(1, 'give a name of 1 to 200 letters')
  .max(200, 'use at most 200 characters');

/** Schemas of the terms for jobs, steps and machines, which become numbers from 0. */
export interface Spelling {
  readonly job: z.ZodType<number>;
  readonly step: z.ZodType<number>;
  readonly machine: z.ZodType<number>;
  readonly resource: z.ZodType<number>;
}

const index = (what: string) =>
  z.int(`give a ${what} as a whole number from 0`).min(0).overwrite(unsigned);

/** The terms of programs. */
export const countedSpelling: Spelling = {
  job: index('job'),
  step: index('step'),
  machine: index('machine'),
  resource: index('resource'),
};

/** The terms of files and the command line; `docs/reference/formats.md` lists the spellings. */
export const labelledSpelling: Spelling = {
  job: label('job', 1, 'give a job like "Job1"; jobs count from 1'),
  step: label('step', 1, 'give a step as a whole number from 1'),
  machine: label('machine', 0, 'give a machine like "Machine0"; machines count from 0'),
  resource: z.unknown().transform((value, context) => {
    const number = resourceNumber(value);
    if (number !== undefined && number <= MAX_TIME) return unsigned(number);
    const message = 'give a resource like "Resource0"; resources count from 0';
    context.addIssue({ code: 'custom', message, input: value });
    return z.NEVER;
  }),
};

function label(field: 'job' | 'step' | 'machine', first: number, hint: string): z.ZodType<number> {
  return z.unknown().transform((value, context) => {
    const number = fieldNumber(field, value);
    if (Number.isInteger(number) && number >= first && number <= MAX_TIME) {
      return unsigned(number - first);
    }
    context.addIssue({ code: 'custom', message: hint, input: value });
    return z.NEVER;
  });
}

/** The schemas of all kinds. Optional members get defaults (see {@link readEvent}). */
function schemasFor({ job, step, machine, resource }: Spelling) {
  const at = time.optional();
  const needs = needsSchema(resource);
  return {
    ...partSchemas({ job, step, machine, resource }),
    breakdown: z
      .strictObject(
        {
          kind: z.literal('breakdown'),
          at,
          machine,
          from: time,
          to: time.optional(),
          resumable: z.boolean('give true or false').optional(),
          estimated: z.literal(true, 'give true, or leave it out').optional(),
        },
        'give an object with the keys kind, machine, from and, if need be, to, at, resumable, estimated',
      )
      .refine(({ from, to = from + 1 }) => to > from, {
        message: 'let it end after it begins',
        path: ['to'],
      })
      .refine(isKnownBy('from'), knownInTime('it begins')),
    duration: z
      .strictObject(
        {
          kind: z.literal('duration'),
          at,
          job,
          step,
          machine: machine.optional(),
          duration: time.optional(),
          factor: positive('give a positive number').optional(),
        },
        'give an object with the keys kind, job, step, duration or factor and, if need be, at, machine',
      )
      .refine(({ duration, factor }) => (duration === undefined) !== (factor === undefined), {
        message: 'give either a duration or a factor',
        path: ['duration'],
      }),
    arrival: z
      .strictObject(
        { kind: z.literal('arrival'), at, job: arrivingJob(machine, needs) },
        'give an object with the keys kind, job and, if need be, at',
      )
      .refine(
        ({ at = 0, job: { release = at } }) => at <= release,
        knownInTime('the job is released'),
      ),
    cancellation: z.strictObject(
      { kind: z.literal('cancellation'), at, job },
      'give an object with the keys kind, job and, if need be, at',
    ),
    delay: z
      .strictObject(
        { kind: z.literal('delay'), at, job, step: step.optional(), until: time },
        'give an object with the keys kind, job, until and, if need be, step, at',
      )
      .refine(isKnownBy('until'), knownInTime('it ends')),
    restored: z.strictObject(
      { kind: z.literal('restored'), at, machine },
      'give an object with the keys kind, machine, at',
    ),
  };
}

/** The schemas of events about resources and alternatives. */
function partSchemas({ job, step, machine, resource }: Spelling) {
  const at = time.optional();
  const needs = needsSchema(resource);
  return {
    capacity: z
      .strictObject(
        {
          kind: z.literal('capacity'),
          at,
          resource,
          from: time,
          to: time.optional(),
          amount: time.optional(),
          estimated: z.literal(true, 'give true, or leave it out').optional(),
        },
        'give an object with the keys kind, resource, from and, if need be, to, amount, at, estimated',
      )
      .refine(({ from, to = from + 1 }) => to > from, {
        message: 'let it end after it begins',
        path: ['to'],
      })
      .refine(isKnownBy('from'), knownInTime('it begins')),
    alternative: z.strictObject(
      { kind: z.literal('alternative'), at, job, step, machine, duration: time, needs },
      'give an object with the keys kind, job, step, machine, duration and, if need be, needs, at',
    ),
  };
}

function needsSchema(resource: z.ZodType<number>) {
  const need = z.strictObject(
    {
      resource,
      amount: z.int('give a whole number from 1').min(1).max(MAX_TIME).optional(),
      during: z.enum(['work', 'setup'], 'give work or setup').optional(),
    },
    'give an object with the key resource and, if need be, amount, during',
  );
  const hint = 'name each resource once, with its amount, for the work and for the setup';
  return z.array(need, 'give a list of needs').refine(areDistinct, hint).optional();
}

/** Whether needs name each resource at most once for the work, and once for the setup. */
function areDistinct(needs: readonly EventNeed[]): boolean {
  const keys = needs.map(({ resource, during = 'work' }) => `${resource} ${during}`);
  return new Set(keys).size === keys.length;
}

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

function isKnownBy<Key extends string>(key: Key) {
  return (event: { at?: number | undefined } & Record<Key, number>): boolean =>
    event.at === undefined || event.at <= event[key];
}

const knownInTime = (begin: string) => ({
  message: `let it become known when ${begin} or earlier`,
  path: ['at'],
});

const countedSchemas = schemasFor(countedSpelling);
const labelledSchemas = schemasFor(labelledSpelling);

/**
 * Checks the shape of an event and adds defaults: a breakdown becomes known when it begins, a job when it is released,
 * the others at `knownBy`; a job is released when it becomes known, and breakdowns are resumable.
 *
 * @param spelling `counted` for numbers from 0, as in programs; `labelled` for files
 * @param knownBy the latest time at which the event is known; undefined if that is unknown
 */
export function readEvent(
  value: unknown,
  spelling: 'counted' | 'labelled',
  knownBy?: number,
): CheckedJson<DisruptionEvent> {
  if (!isObject(value)) return missing([], value, 'give an object with a kind');
  const { kind } = value;
  if (!isEventKind(kind)) {
    const word = typeof kind === 'string' ? kind.slice(0, 40) : '';
    return missing(['kind'], kind, suggestNames(word, EVENT_KINDS));
  }
  const schemas = spelling === 'counted' ? countedSchemas : labelledSchemas;
  const checked = checkJson<CountedEvent>(schemas[kind], value);
  return checked.fault === undefined ? complete(checked.data, knownBy) : checked;
}

function complete(event: CountedEvent, knownBy: number | undefined): CheckedJson<DisruptionEvent> {
  const at = event.at ?? timeKnown(event, knownBy);
  if (at === undefined) {
    return missing(['at'], undefined, 'give the time at which it becomes known');
  }
  if (event.kind === 'breakdown') {
    return { data: { ...event, at, resumable: event.resumable ?? true } };
  }
  if (event.kind === 'capacity') return { data: { ...event, at, amount: event.amount ?? 0 } };
  if (event.kind !== 'arrival') return { data: { ...event, at } };
  return { data: { ...event, at, job: { ...event.job, release: event.job.release ?? at } } };
}

/** The time at which an event becomes known: not after its effect; a delay may be known long before it ends. */
function timeKnown(event: CountedEvent, knownBy: number | undefined): number | undefined {
  if (event.kind === 'delay')
    return knownBy === undefined ? knownBy : Math.min(event.until, knownBy);
  const effect =
    event.kind === 'breakdown' || event.kind === 'capacity'
      ? event.from
      : event.kind === 'arrival'
        ? event.job.release
        : knownBy;
  return effect === undefined ? knownBy : Math.min(effect, knownBy ?? effect);
}

function isEventKind(kind: unknown): kind is EventKind {
  return (EVENT_KINDS as readonly unknown[]).includes(kind);
}

function missing(
  path: readonly PropertyKey[],
  found: unknown,
  hint: string,
): { readonly fault: JsonFault } {
  return { fault: { path, problem: describeFound(found), hint, found } };
}
