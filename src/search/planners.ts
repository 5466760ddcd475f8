import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../jssp/instance.js';
import { DEFAULT_PLANNER, type Planner, type PlannerContext } from '../jssp/planner.js';
import type { Schedule } from '../jssp/schedule.js';
import { dispatch, dispatchBest, type Generation } from './construct/dispatch.js';
import { insertion } from './construct/insertion.js';
import { est } from './construct/rules/est.js';
import { findRule, ruleId, rules } from './construct/rules.js';

/** A planner specification and its description. */
export interface PlannerSpec {
  readonly spec: string;
  readonly description: string;
}

/** All heuristic planners. */
export const heuristicPlannerSpecs: readonly PlannerSpec[] = [
  { spec: DEFAULT_PLANNER, description: 'the best of all rules, non-delay and active' },
  { spec: 'insertion', description: 'INSA: longest operations first, each where it harms least' },
  ...rules.map((rule) => ({ spec: `dispatch:${ruleId(rule)}`, description: rule.description })),
  ...rules
    .filter((rule) => rule !== est)
    .map((rule) => ({
      spec: `dispatch:${ruleId(rule)}:active`,
      description: `${rule.description}; active schedule`,
    })),
];

/**
 * Makes the planner of a specification: `dispatch:RULE` (non-delay), `dispatch:RULE:active`, `dispatch:best` or
 * `insertion`, in any case and with any punctuation in the rule's name (`fdd/mwkr`, `FDD-MWKR`). `plan` returns a
 * schedule.
 *
 * @returns undefined if the specification is not for a heuristic
 * @throws InputError `unknown_rule` or `unknown_generation` if it is for one, but invalid
 */
export function createHeuristicPlanner(spec: string): Planner | undefined {
  const [kind, ruleName, generationName, ...more] = spec.trim().toLowerCase().split(':');
  if (kind === 'insertion' && ruleName === undefined) {
    return planner('insertion', (instance) => insertion(instance));
  }
  if (kind !== 'dispatch') return undefined;
  if (ruleName === 'best' && generationName === undefined) {
    return planner(
      DEFAULT_PLANNER,
      (instance, { seed, objective }) => dispatchBest(instance, seed, objective).schedule,
    );
  }
  const rule = findRule(ruleName ?? '', ['best']);
  const generation = generationFrom(spec, [generationName ?? 'non-delay', ...more].join(':'));
  if (rule === est && generation === 'active') throw sameInBoth(spec);
  const ending = generation === 'active' ? ':active' : '';
  return planner(`dispatch:${ruleId(rule)}${ending}`, (instance, { seed }) =>
    dispatch(instance, { rule, generation, seed }),
  );
}

function planner(
  name: string,
  plan: (instance: Instance, context: PlannerContext) => Schedule,
): Planner {
  return {
    name,
    plan: async (instance, context) => {
      context.signal?.throwIfAborted();
      return plan(instance, context);
    },
  };
}

/** One planner has one name, so that its records can be compared. */
function sameInBoth(spec: string): InputError {
  return new InputError(
    'unknown_generation',
    `'${spec}' would be the same as dispatch:est, whose schedules are active anyway`,
    'use dispatch:est',
    {},
    spec,
  );
}

function generationFrom(spec: string, name: string): Generation {
  const letters = name.replace(/[^a-z:]/g, '');
  if (letters === 'active') return 'active';
  if (letters === 'nondelay') return 'non-delay';
  throw new InputError(
    'unknown_generation',
    `'${spec}' ends in '${name}', which generates no schedules`,
    'end in :active, or in nothing for non-delay',
    {},
    spec,
  );
}
