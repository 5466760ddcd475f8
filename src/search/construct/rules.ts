import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import type { Instance } from '../../jssp/instance.js';

/**
 * The order that a rule gives to the operations that wait for a machine; the smallest comes first, equal ones by
 * operation number.
 *
 * - `fixed`: N keys, one per operation, known in advance
 * - `arrival`: the key is the earliest possible start of the operation
 * - `critical-ratio`: `(due − now) / work` changes while operations wait; `due` has n entries, Infinity for none, and
 *   `work` N entries, the work of the job from each operation on
 */
export type Priority =
  | { readonly kind: 'fixed'; readonly key: Float64Array }
  | { readonly kind: 'arrival' }
  | { readonly kind: 'critical-ratio'; readonly due: Float64Array; readonly work: Float64Array };

/** A priority dispatching rule. */
export interface Rule {
  /** The name in the literature, such as `FDD/MWKR`. */
  readonly name: string;
  readonly description: string;
  /** Its definition: authors, year, DOI. */
  readonly source: string;
  /** Whether the rule needs due dates and refuses instances without any. */
  readonly needsDueDates: boolean;
  /** @throws InputError `no_due_dates` if the rule needs due dates and the instance has none */
  prioritize(instance: Instance, seed: number): Priority;
}

const PANWALKAR = 'Panwalkar and Iskander 1977, doi:10.1287/opre.25.1.45';
const HAUPT = 'Haupt 1989, doi:10.1007/BF01721162';
const SELS = 'Sels, Gheysen and Vanhoucke 2012, doi:10.1080/00207543.2011.611539';

const spt: Rule = {
  name: 'SPT',
  description: 'shortest processing time first',
  source: PANWALKAR,
  needsDueDates: false,
  prioritize: ({ duration }) => fixed(Float64Array.from(duration)),
};

const lpt: Rule = {
  name: 'LPT',
  description: 'longest processing time first',
  source: PANWALKAR,
  needsDueDates: false,
  prioritize: ({ duration }) => fixed(negated(Float64Array.from(duration))),
};

const mwkr: Rule = {
  name: 'MWKR',
  description: 'most work remaining in the job first',
  source: HAUPT,
  needsDueDates: false,
  prioritize: (instance) => fixed(negated(workRemaining(instance))),
};

const lwkr: Rule = {
  name: 'LWKR',
  description: 'least work remaining in the job first',
  source: HAUPT,
  needsDueDates: false,
  prioritize: (instance) => fixed(workRemaining(instance)),
};

const mopnr: Rule = {
  name: 'MOPNR',
  description: 'most operations remaining in the job first',
  source: SELS,
  needsDueDates: false,
  prioritize: (instance) => fixed(negated(operationsRemaining(instance))),
};

const fddMwkr: Rule = {
  name: 'FDD/MWKR',
  description: 'smallest ratio of flow due date to work remaining first',
  source: SELS,
  needsDueDates: false,
  prioritize: (instance) => {
    const key = flowDueDates(instance);
    const work = workRemaining(instance);
    for (let op = 0; op < key.length; op++) key[op] /= work[op];
    return fixed(key);
  },
};

const fifo: Rule = {
  name: 'FIFO',
  description: 'first in, first out: the operation that waits longest first',
  source: PANWALKAR,
  needsDueDates: false,
  prioritize: () => ({ kind: 'arrival' }),
};

/**
 * Among operations that could start at different times, EST takes one that could start first. In active generation such
 * a machine never waits while it has work, so the result is the non-delay schedule, in which all candidates could start
 * now and only their numbers decide. So the rule needs no keys.
 */
export const est: Rule = {
  name: 'EST',
  description: 'earliest possible start first (the active schedule is the non-delay one)',
  source: SELS,
  needsDueDates: false,
  prioritize: ({ operations }) => fixed(new Float64Array(operations)),
};

const cr: Rule = {
  name: 'CR',
  description: 'critical ratio: least time to the due date per work remaining first',
  source: HAUPT,
  needsDueDates: true,
  prioritize: (instance) => {
    if (instance.due === null) {
      throw new InputError(
        'no_due_dates',
        `the rule CR needs due dates and ${instance.name} has none`,
        'give the jobs due dates or use another rule',
      );
    }
    const due = Float64Array.from(instance.due, (time) =>
      time < 0 ? Number.POSITIVE_INFINITY : time,
    );
    return { kind: 'critical-ratio', due, work: workRemaining(instance) };
  },
};

const random: Rule = {
  name: 'random',
  description: 'a random number for each operation, drawn once',
  source: PANWALKAR,
  needsDueDates: false,
  prioritize: ({ operations }, seed) => {
    const source = createRandom(deriveSeed(seed, 'dispatch', 'random'));
    const key = new Float64Array(operations);
    for (let op = 0; op < operations; op++) key[op] = source.next();
    return fixed(key);
  },
};

/** Every rule, in the order of tables and of {@link dispatchBest}. */
export const rules: readonly Rule[] = [spt, lpt, mwkr, lwkr, mopnr, fddMwkr, fifo, est, cr, random];

/** The name of a rule in specifications: `fdd-mwkr` for `FDD/MWKR`. */
export function ruleId(rule: Rule): string {
  return rule.name.toLowerCase().replace('/', '-');
}

/**
 * Finds a rule by name, ignoring case and punctuation.
 *
 * @param others alternatives to suggest in place of the name
 * @throws InputError `unknown_rule` that lists the rules
 */
export function findRule(name: string, others: readonly string[] = []): Rule {
  const wanted = lettersOf(name);
  const rule = rules.find((candidate) => lettersOf(candidate.name) === wanted);
  if (rule === undefined) {
    throw new InputError(
      'unknown_rule',
      `there is no dispatching rule '${name}'`,
      suggestNames(name, [...others, ...rules.map(ruleId)]),
      {},
      name,
    );
  }
  return rule;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

function fixed(key: Float64Array): Priority {
  return { kind: 'fixed', key };
}

/** Changes the sign of every number, in place. */
function negated(numbers: Float64Array): Float64Array {
  for (let i = 0; i < numbers.length; i++) numbers[i] = -numbers[i];
  return numbers;
}

/** W: the total duration of the job from each operation on, that operation included. */
function workRemaining({ operations, duration, jobOf }: Instance): Float64Array {
  const work = new Float64Array(operations);
  for (let op = operations - 1; op >= 0; op--) {
    work[op] = duration[op] + (jobOf[op] === jobOf[op + 1] ? work[op + 1] : 0);
  }
  return work;
}

/** The number of operations of the job from each operation on, including those of zero duration. */
function operationsRemaining({ operations, jobOf, jobOffset }: Instance): Float64Array {
  const count = new Float64Array(operations);
  for (let op = 0; op < operations; op++) count[op] = jobOffset[jobOf[op] + 1] - op;
  return count;
}

/** F: the completion of each operation if its job never waited; releases count. */
function flowDueDates({ operations, duration, jobOf, release }: Instance): Float64Array {
  const date = new Float64Array(operations);
  for (let op = 0; op < operations; op++) {
    const before = op > 0 && jobOf[op] === jobOf[op - 1] ? date[op - 1] : 0;
    date[op] = duration[op] + (release === null ? before : Math.max(before, release[op]));
  }
  return date;
}
