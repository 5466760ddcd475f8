import { AlasError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import {
  compileGuard,
  type Guard,
  type Json,
  type Registry,
  type Validator,
} from '@alas-jssp/workflow';
import type { Specification } from '../specification/specification.js';
import { splitMapping } from '../template/sources.js';
import type { Template, TemplateNode } from '../template/template.js';

/** A condition of a constraint on the input or the output of a node. */
interface NodeCondition {
  readonly constraint: string;
  /** The text of the constraint. */
  readonly text: string;
  readonly guard: Guard;
}

/** The validators of a draft, by node: conditions of its constraints, and refusals of its reviewers. */
export function draftValidators(
  template: Template,
  specification: Specification,
): Required<Pick<Registry, 'validators' | 'inputValidators'>> {
  const byNode = (make: (node: TemplateNode) => Validator | undefined) =>
    Object.fromEntries(
      template.nodes.flatMap((node) => {
        const validator = make(node);
        return validator === undefined ? [] : [[node.id, validator]];
      }),
    );
  return {
    validators: byNode((node) => {
      const conditions = conditionsOf(template, specification, node, 'output');
      const reviews = node.details.reviews !== undefined;
      return conditions.length === 0 && !reviews ? undefined : judgeOutput(node, conditions);
    }),
    inputValidators: byNode((node) => {
      const conditions = conditionsOf(template, specification, node, 'input');
      return conditions.length === 0 ? undefined : judgeInput(node, conditions);
    }),
  };
}

/** The conditions on the input or on the output of a node, from the coverage of constraints. */
export function conditionsOf(
  { constraintCoverage }: Template,
  { constraints }: Specification,
  { id }: TemplateNode,
  by: 'input' | 'output',
): NodeCondition[] {
  return constraintCoverage.flatMap(({ constraint, enforced }) =>
    enforced.flatMap((one): NodeCondition[] => {
      if (one.by !== by || one.node !== id) return [];
      const text = constraints.find((known) => known.id === constraint)?.text ?? one.holds;
      return [{ constraint, text, guard: compileCondition(one.holds) }];
    }),
  );
}

/** Compiles a condition; the checks of drafts have inferred its types. */
function compileCondition(holds: string): Guard {
  return compileGuard(holds, { variables: { input: true, output: true, outputs: true } });
}

function judgeOutput(node: TemplateNode, conditions: readonly NodeCondition[]): Validator {
  // A model may answer again, and learns why.
  const mayAnswerAgain = node.work === 'model';
  return async ({ input, value }) => {
    if (node.details.reviews !== undefined && !(isObject(value) && value.ok === true)) {
      return { outcome: 'reject', errors: [refusalOf(node, value)] };
    }
    const bindings = { input: withConstants(node, input), output: value };
    const errors = await brokenOf(conditions, bindings);
    if (errors.length === 0) return { outcome: 'pass' };
    if (!mayAnswerAgain) return { outcome: 'reject', errors };
    return { outcome: 'feedback', feedback: errors.join('; ') };
  };
}

function judgeInput(node: TemplateNode, conditions: readonly NodeCondition[]): Validator {
  return async ({ value }) => {
    const errors = await brokenOf(conditions, { input: withConstants(node, value) });
    return errors.length === 0 ? { outcome: 'pass' } : { outcome: 'reject', errors };
  };
}

/** The input of a node with its constants, as its conditions see it. */
function withConstants({ details }: TemplateNode, input: Json | undefined): Json {
  return { ...splitMapping(details.input).constants, ...(isObject(input) ? input : {}) } as Json;
}

/** The constraints whose conditions do not hold; one that cannot be evaluated does not hold. */
async function brokenOf(
  conditions: readonly NodeCondition[],
  bindings: Readonly<Record<string, Json>>,
): Promise<string[]> {
  const errors: string[] = [];
  for (const { constraint, text, guard } of conditions) {
    try {
      if (!(await guard.evaluate(bindings))) errors.push(`${constraint}: ${text}`);
    } catch (error) {
      if (!(error instanceof AlasError)) throw error;
      errors.push(`${constraint}: ${error.message}`);
    }
  }
  return errors;
}

/** The refusal of a reviewer, with its reasons if it gives any. */
function refusalOf({ id, details }: TemplateNode, value: Json): string {
  const { ok: _, ...reasons } = isObject(value) ? value : {};
  const because = Object.keys(reasons).length === 0 ? '' : `: ${JSON.stringify(reasons)}`;
  return `${id} refuses ${details.reviews}${because}`;
}
