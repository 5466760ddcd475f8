import type { NodePlan } from '../../workflow/interpreter/plan.js';
import { codeIn, expression, quote, quoteAll } from './jsonata.js';
import { errorNames, TIMEOUT } from './policies.js';
import { pathTemplate, type Scope, type State } from './scope.js';

/** A rule of a policy's `catch`. */
export type CatchRule = NonNullable<NodePlan['policy']['catch']>[number];

/** The rules that can catch a failure of a node, in order; none come after one for all codes. */
export function rulesOf({ node, policy, out }: NodePlan): CatchRule[] {
  const rules = policy.catch ?? [];
  const all = rules.findIndex(({ errors }) => errors.includes('*'));
  const reached = all < 0 ? rules : rules.slice(0, all + 1);
  // As the runtime has it: a rule whose handler is not reached lets the failure pass.
  const isRouted = out.some(({ kind }) => kind === 'catch');
  return reached.map((rule) => {
    const isIdle = rule.handler !== undefined && (rule.handler === node.id || !isRouted);
    return isIdle ? { errors: rule.errors } : rule;
  });
}

/** The failure of an error of the engine, as a template; `Timeout` is our name of its timeouts. */
export function failureTemplate(scope: Scope, plan: NodePlan, timeout = 'Timeout'): State {
  const { Error: error, Cause: cause } = {
    Error: '$states.errorOutput.Error',
    Cause: '$states.errorOutput.Cause',
  };
  const code = `${error} = ${quote(TIMEOUT)} ? ${quote(timeout)} : ${error}`;
  const codes = plan.policy.compensation?.compensateOn ?? ['*'];
  return {
    code: expression(code),
    message: expression(`$exists(${cause}) ? ${cause} : ''`),
    nodeId: pathTemplate(scope, plan.node.id),
    compensates: codes.includes('*') || expression(`${error} in ${quoteAll(errorNames(codes))}`),
  };
}

/** A failure that the machine brings about itself, as a template. */
export function ownFailure(scope: Scope, plan: NodePlan, code: string, message: string): State {
  const codes = plan.policy.compensation?.compensateOn ?? ['*'];
  const compensates = codes.includes('*') || codes.includes(code);
  return { code, message, nodeId: pathTemplate(scope, plan.node.id), compensates };
}

/** Whether the failure that is dealt with has one of some codes, as a condition. */
export function hasCode(scope: Scope, codes: readonly string[]): string {
  return expression(codeIn(`${scope.failure}.code`, codes));
}
