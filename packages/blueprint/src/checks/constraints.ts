import type { JsonSchema } from '@alas-jssp/workflow';
import { areExclusive, inputSchemaOf, outputsOf } from '@alas-jssp/workflow/ir';
import type { DraftFinding } from '../drafting/part.js';
import type { Enforcement, TemplateNode } from '../template/template.js';
import { usableSchema } from '../template/tool-schemas.js';
import { type ConditionVariables, problemOf } from './conditions.js';
import { checkChoice } from './constraint-choices.js';
import { checkTime } from './constraint-time.js';
import type { EnforcementPlace } from './enforcement-place.js';
import { draftError, draftWarning, listNames } from './finding.js';
import { type DraftScope, readsOf, taskOf } from './scope.js';

const PART = 'constraint-coverage';

/** Every constraint of the specification is enforced by something that exists and holds, or is said not to be. */
export function checkConstraints(scope: DraftScope): DraftFinding[] {
  const { specification, template } = scope;
  const covered = new Set(template.constraintCoverage.map(({ constraint }) => constraint));
  const missing = specification.constraints.flatMap(({ id, text }) => {
    if (covered.has(id)) return [];
    const message = `nothing enforces the constraint ${id} (${text})`;
    const hint = `add an entry for ${id}, or say with {"by":"nothing"} why it is not enforced`;
    return [draftError('constraint_uncovered', PART, ['constraintCoverage'], message, hint)];
  });
  const entries = template.constraintCoverage.flatMap(({ constraint, enforced }, i) => {
    const path = ['constraintCoverage', i];
    const known = specification.constraints.find(({ id }) => id === constraint);
    if (known === undefined) {
      const names = listNames(specification.constraints.map(({ id }) => id));
      const message = `the specification has no constraint ${constraint}`;
      const hint = `name one of ${names}, or remove the entry`;
      return [draftError('unknown_constraint', PART, [...path, 'constraint'], message, hint)];
    }
    const late = checkTime(scope, known, enforced, [...path, 'enforced']);
    const single = enforced.flatMap((one, j) =>
      checkEnforcement({ scope, constraint: known, enforced, path: [...path, 'enforced', j] }, one),
    );
    return [...single, ...late];
  });
  return [...missing, ...entries];
}

function checkEnforcement(place: EnforcementPlace, one: Enforcement): DraftFinding[] {
  if (one.by === 'nothing') return checkNothing(place);
  if (one.by === 'invariant') return checkInvariant(place, one.holds);
  const unknown = idsOf(one).filter((id) => !place.scope.nodes.has(id));
  if (unknown.length > 0) {
    const ids = listNames([...place.scope.nodes.keys()]);
    const message = `${place.constraint.id} is enforced at ${listNames(unknown)}, which does not exist`;
    return [error(place, 'unknown_node_in_coverage', message, `name nodes out of ${ids}`)];
  }
  const other = checkRelation(place, one);
  return [...other, ...checkKind(place, one)];
}

function checkKind(place: EnforcementPlace, one: Enforcement): DraftFinding[] {
  const { scope } = place;
  switch (one.by) {
    case 'input':
    case 'output':
      return checkCondition(place, one);
    case 'review':
      return checkReview(place, one.node);
    case 'order':
      return checkOrder(place, one.before, one.after);
    case 'choice':
      return checkChoice(place, one.choice, one.node);
    case 'approval':
      return checkApproval(place, one.node);
    case 'policy':
      return hasPolicy(scope, one.node, one.policy) ? [] : missingPolicy(place, one);
    default:
      return [];
  }
}

function error(
  { path }: EnforcementPlace,
  code: string,
  message: string,
  hint: string,
): DraftFinding {
  return draftError(code, PART, path, message, hint);
}

/** The nodes that an enforcement names. */
function idsOf(one: Enforcement): readonly string[] {
  if (one.by === 'order') return [one.before, one.after];
  if (one.by === 'choice') return [one.choice, one.node];
  return 'node' in one ? [one.node] : [];
}

/** A constraint that may be given up warns; one that limits changes must be enforced. */
function checkNothing({ scope, constraint, enforced, path }: EnforcementPlace): DraftFinding[] {
  const { id, text, operations } = constraint;
  const limited = scope.specification.operations.filter(
    (one) => operations.length === 0 || operations.includes(one.id),
  );
  const changes = limited.filter(({ access }) => access === 'change' || access === 'irreversible');
  const message = `the workflow does not enforce ${id} (${text})`;
  const isEnforced = enforced.some(({ by }) => by !== 'nothing');
  if (isEnforced || constraint.scope === 'preference' || changes.length === 0) {
    const hint = 'enforce it, or accept the reason';
    return [draftWarning('constraint_not_enforced', PART, path, message, hint)];
  }
  const names = listNames(changes.map((one) => one.id));
  const hint = `enforce it: it limits changes (${names}); a condition on an input, a choice, an order, a review or an approval of their nodes can`;
  return [draftError('constraint_not_enforced', PART, path, message, hint)];
}

function checkInvariant(place: EnforcementPlace, holds: string): DraftFinding[] {
  const { scope } = place;
  const { body, compiled } = scope;
  const output = compiled.workflow.io.output ?? true;
  const variables = { output, input: body.input, outputs: outputsOf(body) };
  const problem = problemOf(holds, variables);
  if (problem === undefined) return [];
  // The checker of workflows reports what does not compile.
  if (problem.code === 'bad_condition') return [];
  return [error(place, problem.code, problem.message, problem.hint)];
}

/**
 * An enforcement is about the operations of its constraint: it is at a node that performs one, that always comes before
 * it, that reviews it or that checks its output.
 */
function checkRelation(place: EnforcementPlace, one: Enforcement): DraftFinding[] {
  const { scope, constraint } = place;
  const performers = constraint.operations.flatMap((operation) => scope.performersOf(operation));
  if (performers.length === 0) return [];
  const ids = performers.map(({ id }) => id);
  const named = one.by === 'choice' ? [one.node] : idsOf(one);
  if (named.some((id) => isAbout(scope, id, ids, one))) return [];
  const message = `${constraint.id} limits ${listNames(ids)}, and is enforced at ${listNames(named)}`;
  const hint = `enforce it at ${listNames(ids)}, or at a node through which all paths to it lead`;
  return [error(place, 'coverage_of_other_node', message, hint)];
}

function isAbout(
  { nodes, isDoneBefore, leadsTo }: DraftScope,
  id: string,
  performers: readonly string[],
  one: Enforcement,
): boolean {
  const node = nodes.get(id) as TemplateNode;
  if (performers.includes(id)) return true;
  const { reviews } = node.details;
  if (reviews !== undefined && performers.includes(reviews)) return true;
  if (one.by === 'policy') {
    // Undoing a step is about all steps whose failure undoes it.
    return one.policy === 'undo' && performers.some((other) => leadsTo(id, other));
  }
  if (performers.some((other) => isDoneBefore(id, other))) return true;
  // A step with an effect of its own comes too late to check another one.
  if (one.by !== 'input' && one.by !== 'output') return false;
  return node.work !== 'tool' && readsOf(node).some((other) => performers.includes(other));
}

function checkCondition(
  place: EnforcementPlace,
  one: Enforcement & { readonly by: 'input' | 'output' },
): DraftFinding[] {
  const { scope } = place;
  const task = taskOf(scope, one.node);
  if (task === undefined) {
    const message = `${one.node} is a choice, which has no conditions on its ${one.by}`;
    const hint = 'name the node that does the work, or let the choice enforce it: {"by":"choice"}';
    return [error(place, 'condition_of_choice', message, hint)];
  }
  const input = handlerInput(scope, one.node);
  const variables: ConditionVariables =
    one.by === 'input' ? { input } : { input, output: ownOutput(scope, one.node) };
  const problem = problemOf(one.holds, variables);
  if (problem === undefined) return [];
  return [draftError(problem.code, PART, [...place.path, 'holds'], problem.message, problem.hint)];
}

/** The schema of the input of a node's handler: references and constants. */
function handlerInput(scope: DraftScope, id: string): JsonSchema {
  const node = scope.nodes.get(id) as TemplateNode;
  const tool = scope.toolOf(node);
  if (tool !== undefined && tool.input.properties !== undefined) return usableSchema(tool.input);
  const compiled = scope.body.graph.nodes.get(id);
  const constants = Object.entries(node.details.input).flatMap(([key, source]) =>
    typeof source === 'string' ? [] : [[key, { const: source.value }] as const],
  );
  if (compiled === undefined || node.details.forEach !== undefined) return true;
  const schema = inputSchemaOf(scope.body, compiled);
  if (typeof schema === 'boolean' || constants.length === 0) return schema;
  const properties = { ...(schema.properties as object), ...Object.fromEntries(constants) };
  return { ...schema, properties } as JsonSchema;
}

/** The schema of one output of a node; with `forEach` that for one item. */
function ownOutput(scope: DraftScope, id: string): JsonSchema {
  const task = taskOf(scope, id);
  return task?.io.output ?? true;
}

function checkReview(place: EnforcementPlace, id: string): DraftFinding[] {
  const node = place.scope.nodes.get(id) as TemplateNode;
  if (node.details.reviews !== undefined) return [];
  const reviewers = place.scope.template.nodes.filter(
    ({ details }) => details.reviews !== undefined,
  );
  const names = listNames(reviewers.map((one) => one.id));
  const message = `${id} shall review for ${place.constraint.id}, and reviews nothing`;
  const hint = `name a node that reviews (${names}), or give ${id} "reviews"`;
  return [error(place, 'review_missing', message, hint)];
}

function checkOrder(place: EnforcementPlace, before: string, after: string): DraftFinding[] {
  if (place.scope.isDoneBefore(before, after)) return [];
  const message = `a path leads to ${after} without ${before}`;
  const hint = `lead all paths to ${after} through ${before}`;
  return [
    draftError(
      'order_not_kept',
      'edges',
      ['edges'],
      `${message}, against ${place.constraint.id}`,
      hint,
    ),
  ];
}

/** The changes that the constraint limits wait for the approval. */
function checkApproval(place: EnforcementPlace, id: string): DraftFinding[] {
  const { scope, constraint } = place;
  const node = scope.nodes.get(id) as TemplateNode;
  if (node.details.approval === undefined) {
    const message = `${constraint.id} is enforced by the approval of ${id}, which has none`;
    const hint = `add "approval" with a name, such as "approve ${id}", and "approvers" if the task names them`;
    return [draftError('approval_missing', `node/${id}`, ['approval'], message, hint)];
  }
  const limited = constraint.operations.flatMap((operation) => scope.performersOf(operation));
  const early = limited.filter(
    (one) =>
      scope.effectOf(one) !== 'none' &&
      one.id !== id &&
      one.details.approval === undefined &&
      !scope.isDoneBefore(id, one.id) &&
      !isOtherCase(place, id, one.id),
  );
  return early.map((one) => {
    const message = `${one.id} changes something before the approval of ${id}, against ${constraint.id}`;
    if (areExclusive(scope.body.graph, [id, one.id])) {
      const entry = `{"by":"choice","choice":NODE,"node":"${one.id}"}`;
      const way = `add ${entry} to what enforces ${constraint.id}, with the choice that decides whether ${id} or ${one.id} runs`;
      return draftError('effect_before_approval', PART, place.path, message, way);
    }
    const hint = `lead all paths to ${one.id} through ${id}, or give ${one.id} an approval of its own`;
    return draftError('effect_before_approval', 'edges', ['edges'], message, hint);
  });
}

/** Whether a choice that enforces the same constraint decides which of two nodes runs. */
function isOtherCase({ scope, enforced }: EnforcementPlace, id: string, other: string): boolean {
  const { body, isDoneBefore } = scope;
  if (!areExclusive(body.graph, [id, other])) return false;
  return enforced.some(
    (one) => one.by === 'choice' && isDoneBefore(one.choice, id) && isDoneBefore(one.choice, other),
  );
}

function hasPolicy(
  scope: DraftScope,
  id: string,
  policy: 'timeout' | 'retry' | 'catch' | 'undo',
): boolean {
  const { details } = scope.nodes.get(id) as TemplateNode;
  if (policy === 'timeout') return details.timeout !== undefined;
  if (policy === 'retry') return (details.retry?.attempts ?? 1) > 1;
  if (policy === 'catch') return (details.catch ?? []).length > 0;
  const strategy = scope.undoOf(id)?.strategy;
  return strategy === 'undo' || strategy === 'mitigate';
}

function missingPolicy(
  place: EnforcementPlace,
  { node, policy }: Enforcement & { readonly by: 'policy' },
): DraftFinding[] {
  const message = `${place.constraint.id} is enforced by the ${policy} of ${node}, which has none`;
  const part = policy === 'undo' ? `undo/${node}` : `node/${node}`;
  const path = policy === 'undo' ? ['strategy'] : [policy];
  const hint =
    policy === 'undo'
      ? 'give the strategy "undo" or "mitigate" with a sequence'
      : `add "${policy}" to the node${policy === 'retry' ? ', with at least 2 attempts' : ''}`;
  return [draftError('policy_missing', part, path, message, hint)];
}
