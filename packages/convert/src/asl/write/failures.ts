import type { NodePlan } from '@alas-jssp/workflow/ir';
import { codeIn, expression, objectQuery, quoted, quotedList } from '../jsonata.js';
import { DEADLINE, isDueQuery } from './deadlines.js';
import { errorNames, TIMEOUT } from './policies.js';
import { type MachineScope, pathValue, type State } from './scope.js';

/** A rule of a policy's `catch`. */
export type CatchRule = NonNullable<NodePlan['policy']['catch']>[number];

/** The rules that can catch a failure of a node, in order, up to one for all codes. */
export function rulesOf({ node, policy, out }: NodePlan): CatchRule[] {
  const rules = policy.catch ?? [];
  const all = rules.findIndex(({ errors }) => errors.includes('*'));
  const reached = all < 0 ? rules : rules.slice(0, all + 1);
  // Like the runtime: a rule whose handler is not reachable lets the failure pass.
  const isRouted = out.some(({ kind }) => kind === 'catch');
  return reached.map((rule) => {
    const isIdle = rule.handler !== undefined && (rule.handler === node.id || !isRouted);
    return isIdle ? { errors: rule.errors } : rule;
  });
}

/** The node of a failure without a node: an empty text. */
export const NOWHERE = expression("''");

const ERROR = '$states.errorOutput.Error';
const CAUSE = '$states.errorOutput.Cause';

/**
 * The engine's error as failure handlers receive it, as a template. `Timeout` is our name of the
 * engine's timeouts; the cause of a function's error is JSON that contains its message.
 */
export function errorValue(scope: MachineScope, plan: NodePlan, timeout = 'Timeout'): State {
  const own = quoted(timeout);
  const { hasDeadlines } = scope.writing;
  const late = hasDeadlines ? `(${isDueQuery(scope)} ? ${quoted(DEADLINE)} : ${own})` : own;
  const isJson = `$substring(${CAUSE}, 0, 1) = '{' and $contains(${CAUSE}, 'errorMessage')`;
  const message = `${isJson} ? $parse(${CAUSE}).errorMessage : ${CAUSE}`;
  return {
    code: expression(`${ERROR} = ${quoted(TIMEOUT)} ? ${late} : ${ERROR}`),
    message: expression(`$exists(${CAUSE}) ? (${message}) : ''`),
    nodeId: pathValue(scope, plan.node.id),
  };
}

/** The failure for an error of the engine, as a template. */
export function failureValue(scope: MachineScope, plan: NodePlan, timeout?: string): State {
  const codes = plan.policy.compensation?.compensateOn ?? ['*'];
  const names = quotedList(errorNames(codes, timeout));
  const due = scope.writing.hasDeadlines
    ? ` or (${ERROR} = ${quoted(TIMEOUT)} and ${isDueQuery(scope)})`
    : '';
  const compensates = codes.includes('*') || expression(`${ERROR} in ${names}${due}`);
  return { ...errorValue(scope, plan, timeout), compensates };
}

/** The error of the present failure, as handlers receive it. */
export function errorQuery({ failure }: MachineScope): string {
  return objectQuery(['code', 'message', 'nodeId'].map((key) => [key, `${failure}.${key}`]));
}

/** A failure caused by the machine, as a template. */
export function ownFailure(
  scope: MachineScope,
  plan: NodePlan,
  code: string,
  message: string,
): State {
  const codes = plan.policy.compensation?.compensateOn ?? ['*'];
  const compensates = codes.includes('*') || codes.includes(code);
  return { code, message, nodeId: pathValue(scope, plan.node.id), compensates };
}

/** Whether the present failure has one of some codes, as a condition. */
export function hasCode(scope: MachineScope, codes: readonly string[]): string {
  return expression(codeIn(`${scope.failure}.code`, codes));
}
