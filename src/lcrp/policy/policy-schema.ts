import { InputError } from '@alas-jssp/core/errors';
import { parseBudget } from '@alas-jssp/core/stopping';
import * as z from 'zod';
import { countedSpelling, labelledSpelling, type Spelling } from '../../disruption/spelling.js';
import { MAX_TIME } from '../../jssp/instance.js';
import { objectives } from '../../jssp/objectives.js';

/** Numbers from 0 and camel case, as in programs; labels and snake case, as in files. */
export type SpellingName = 'counted' | 'labelled';

// The messages of these schemas are hints: the problem text describes the value found.
const share = z.number('give a number from 0').min(0, 'give a number from 0');
const METHODS = 'give a list of repair methods, such as ["lcrp", "affected", "right-shift"]';
const PORTION = 'give a number from 0 to 1';
const count = z.int('give a whole number from 0').min(0, 'give a whole number from 0');
const positiveCount = z.int('give a whole number from 1').min(1, 'give a whole number from 1');
const time = z
  .int(`give a whole number from 0 to ${MAX_TIME}`)
  .min(0, `give a whole number from 0 to ${MAX_TIME}`)
  .max(MAX_TIME, `give a whole number from 0 to ${MAX_TIME}`);
const positiveTime = z
  .int(`give a whole number from 1 to ${MAX_TIME}, or null`)
  .min(1, `give a whole number from 1 to ${MAX_TIME}, or null`)
  .max(MAX_TIME, `give a whole number from 1 to ${MAX_TIME}, or null`);
const seconds = z
  .number('give a positive number or null')
  .positive('give a positive number or null');

/**
 * The schema of changes to a policy. Reading gives {@link PolicyChanges} without undefined members.
 *
 * @param more keys that a policy itself does not have
 */
export function changesSchema(spelling: SpellingName, more: z.ZodRawShape = {}) {
  const { job, step, machine }: Spelling =
    spelling === 'counted' ? countedSpelling : labelledSpelling;
  const operation = z.strictObject({ job, step }, 'give an object with the keys job and step');
  const part = (shape: z.ZodRawShape) => partialObject(shape, keySpelling(spelling));
  return part({
    ...more,
    objective: z.enum(objectives, `give one of ${objectives.join(', ')}, or null`).nullable(),
    tieBreak: z.boolean('give true, false or null').nullable(),
    cost: part({ rankChange: share, movedEarlier: share, reassigned: share }),
    radius: part({ first: count, most: count }),
    target: z.number(PORTION).min(0, PORTION).max(1, PORTION),
    budget: budgetSchema(part),
    fallback: z
      .strictObject(
        { degradation: share, iterations: positiveCount },
        'give null or an object with the keys degradation, iterations',
      )
      .nullable(),
    limits: part({
      mostChanged: count.nullable(),
      mostEdited: count.nullable(),
      notBefore: time.nullable(),
      pinned: z.array(operation, 'give a list of operations'),
      untouchableMachines: z.array(machine, 'give a list of machines'),
    }),
    estimates: part({ breakdown: positiveTime.nullable() }),
    methods: z.array(z.string(METHODS), METHODS).min(1, METHODS),
    approval: z
      .strictObject(
        {
          seconds: z.number('give a positive number').positive('give a positive number'),
          otherwise: z.enum(['approve', 'decline'], 'give approve or decline'),
        },
        'give null or an object with the keys seconds, otherwise',
      )
      .nullable(),
  });
}

/** A budget as a text or an object; a repair counts its iterations as `evaluations`. */
function budgetSchema(part: (shape: z.ZodRawShape) => z.ZodType) {
  const shape = {
    passes: count,
    evaluations: count.nullable(),
    iterations: count,
    seconds: seconds.nullable(),
    target: count.nullable(),
  };
  const object = z.unknown().transform((given, context) => {
    if (typeof given !== 'string') return given;
    try {
      return parseBudget(given);
    } catch (error) {
      const message = error instanceof InputError ? error.hint : String(error);
      context.addIssue({ code: 'custom', message, input: given });
      return z.NEVER;
    }
  });
  return object.pipe(part(shape)).transform((found) => {
    const { iterations, ...rest } = found as Record<string, unknown>;
    return iterations === undefined ? rest : { evaluations: iterations, ...rest };
  });
}

/** An object whose members are all optional; the result has the keys of `shape`. */
function partialObject(shape: z.ZodRawShape, keyOf: (key: string) => string) {
  const entries = Object.entries(shape);
  const written = entries.map(([key, type]) => [keyOf(key), z.optional(type)] as const);
  const hint = `give an object with any of the keys ${written.map(([key]) => key).join(', ')}`;
  return z.strictObject(Object.fromEntries(written), hint).transform((found) => {
    const values = entries.map(([key]) => [key, found[keyOf(key)]] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  });
}

/** The spelling of a key: unchanged, or in snake case. */
export function keySpelling(spelling: SpellingName): (key: string) => string {
  if (spelling === 'counted') return (key) => key;
  return (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
