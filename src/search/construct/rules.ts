import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { cr } from './rules/cr.js';
import { est } from './rules/est.js';
import { fddMwkr } from './rules/fdd-mwkr.js';
import { fifo } from './rules/fifo.js';
import { lpt } from './rules/lpt.js';
import { lwkr } from './rules/lwkr.js';
import { mopnr } from './rules/mopnr.js';
import { mwkr } from './rules/mwkr.js';
import { random } from './rules/random.js';
import type { Rule } from './rules/rule.js';
import { spt } from './rules/spt.js';

/**
 * The rules of `dispatch:best`, in the order in which it tries them. Its results are published, so this list does not
 * change.
 */
export const bestRules: readonly Rule[] = [
  spt,
  lpt,
  mwkr,
  lwkr,
  mopnr,
  fddMwkr,
  fifo,
  est,
  cr,
  random,
];

/** Every rule, in the order of tables. */
export const rules: readonly Rule[] = [
  ...bestRules,
  // New rules come last.
];

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
