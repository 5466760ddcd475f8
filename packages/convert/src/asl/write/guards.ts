import type { NodePlan } from '@alas-jssp/workflow/ir';
import { type Ast, filtersOf, parseGuard, partsOf } from '@alas-jssp/workflow/ir';
import { expression } from '../jsonata.js';
import { ownFailure } from './failures.js';
import { failureState } from './recovery.js';
import { helperState, type MachineScope } from './scope.js';

/** Guards that a state evaluates in order, until one holds. */
interface AskedGuards {
  readonly guards: readonly string[];
  /** Expressions by name of the variable. */
  readonly bindings: Readonly<Record<string, string>>;
  /** The expression for the case that none is evaluated. */
  readonly unless?: string;
}

/**
 * The state before the Choice state of a node whose guards may fail on some values, such as
 * `$input.n > 1` where that is not a number. A Choice state cannot catch that; an empty map can. So
 * its `Items` evaluate the guards.
 *
 * @param next the Choice state
 * @returns the trial, or the Choice state itself if no guard can fail
 */
export function trialBefore(
  scope: MachineScope,
  plan: NodePlan,
  guards: readonly string[],
  next: string,
) {
  return guards.some(canFail) ? helperState(scope, plan.node, 'can it be asked') : next;
}

/** Adds the state that {@link trialBefore} names, if there is one. */
export function addTrial(
  scope: MachineScope,
  plan: NodePlan,
  { guards, bindings, unless }: AskedGuards,
  next: string,
): void {
  const { node } = plan;
  const name = trialBefore(scope, plan, guards, next);
  if (name === next) return;
  const bound = Object.entries(bindings).map(([variable, value]) => `$${variable} := ${value}; `);
  const asked = guards.map((guard) => {
    return `($holds := (${guard}); $exists($holds) ? $holds : false) ? [] : `;
  });
  const all = `(${bound.join('')}${asked.join('')}[])`;
  const message = `a guard of ${node.id} cannot be evaluated`;
  scope.states[name] = {
    Type: 'Map',
    Items: expression(unless === undefined ? all : `${unless} ? [] : ${all}`),
    ItemProcessor: {
      ProcessorConfig: { Mode: 'INLINE' },
      StartAt: `${name}: nothing`,
      States: { [`${name}: nothing`]: { Type: 'Pass', End: true } },
    },
    Catch: [
      {
        ErrorEquals: ['States.ALL'],
        Assign: { [scope.failure.slice(1)]: ownFailure(scope, plan, 'guard_failed', message) },
        Next: failureState(scope, plan),
      },
    ],
    Next: next,
  };
}

/** Whether a guard may fail on some values: comparisons of order, arithmetic and calls may. */
function canFail(guard: string): boolean {
  const visit = (part: Ast): boolean => {
    if (part.type === 'binary' && !SAFE.has(String(part.value))) return true;
    if (part.type === 'unary' && part.value === '-') return true;
    if (part.type === 'function' && !SAFE.has(String(part.procedure?.value))) return true;
    return [...partsOf(part), ...filtersOf(part)].some(visit);
  };
  return visit(parseGuard(guard).ast);
}

/** Operators and functions that accept any value. */
const SAFE = new Set([
  '=',
  '!=',
  'and',
  'or',
  'in',
  '.',
  '??',
  '?:',
  '&',
  'exists',
  'not',
  'boolean',
  'count',
]);
