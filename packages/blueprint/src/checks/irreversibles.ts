import type { Tool } from '@alas-jssp/agents';
import { areExclusive } from '@alas-jssp/workflow/ir';
import type { DraftFinding } from '../drafting/part.js';
import type { TemplateNode } from '../template/template.js';
import { neededBy } from './dependencies.js';
import { draftError } from './finding.js';
import type { DraftScope } from './scope.js';

/**
 * Irreversible steps are approved, have one attempt, and come as late as the data allow; steps that would act twice are
 * not retried.
 */
export function checkIrreversibles(scope: DraftScope): DraftFinding[] {
  return scope.effects.flatMap((node) =>
    scope.effectOf(node) === 'irreversible'
      ? [
          ...checkHeld(node),
          ...checkItems(node),
          ...checkShared(scope, node),
          ...checkLate(scope, node),
        ]
      : checkRetry(scope, node),
  );
}

function checkHeld({ id, details }: TemplateNode): DraftFinding[] {
  const part = `node/${id}`;
  const findings: DraftFinding[] = [];
  if (details.approval === undefined) {
    const message = `${id} cannot be undone, and runs without an approval`;
    const hint = `add "approval" with a name, such as "approve ${id}", and "approvers" if the task names them`;
    findings.push(draftError('irreversible_not_held', part, ['approval'], message, hint));
  }
  if ((details.retry?.attempts ?? 1) > 1) {
    const message = `${id} cannot be undone, and would be attempted ${details.retry?.attempts} times`;
    const path = ['retry', 'attempts'];
    findings.push(draftError('irreversible_retried', part, path, message, 'remove "retry"'));
  }
  return findings;
}

/** An approval opens all items of a loop, unless its name differs by item. */
function checkItems({ id, details }: TemplateNode): DraftFinding[] {
  const { approval, forEach, input } = details;
  if (approval === undefined || forEach === undefined) return [];
  const keys = [...approval.matchAll(/\{input\.(\w+)/g)].map(([, key]) => key);
  const isOfItem = (source: unknown) => typeof source === 'string' && /^item(\.|$)/.test(source);
  if (keys.some((key) => isOfItem(input[key]))) return [];
  const message = `${id} cannot be undone, and one approval of ${JSON.stringify(approval)} opens it for all items`;
  const known = Object.keys(input).find((key) => isOfItem(input[key])) ?? 'KEY';
  const hint = `name the item in the approval, such as "${approval} {input.${known}}"`;
  return [draftError('approval_of_all_items', `node/${id}`, ['approval'], message, hint)];
}

/**
 * An approval opens all steps that wait for it: an irreversible one has an approval of its own. Either of two steps that
 * share one may have it by mistake.
 */
function checkShared({ template, body }: DraftScope, node: TemplateNode): DraftFinding[] {
  const { approval } = node.details;
  const other = template.nodes.find(
    ({ id, details }) =>
      id !== node.id &&
      approval !== undefined &&
      details.approval === approval &&
      !areExclusive(body.graph, [id, node.id]),
  );
  if (other === undefined) return [];
  const message = `${node.id} cannot be undone, and the approval of ${other.id} opens it, too`;
  const name = JSON.stringify(approval);
  const hint = `give ${node.id} an approval with another name than ${name}`;
  const otherHint = `remove "approval" from ${other.id} if the task asks for none, or name it otherwise than ${name}`;
  return [
    draftError('approval_shared', `node/${node.id}`, ['approval'], message, hint),
    draftError('approval_shared', `node/${other.id}`, ['approval'], message, otherHint),
  ];
}

/** A repeated attempt at a tool that is not idempotent acts twice, and one undo undoes one of the two. */
function checkRetry(scope: DraftScope, node: TemplateNode): DraftFinding[] {
  const { id, details } = node;
  const tool = scope.toolOf(node) as Tool;
  if (tool.idempotent || (details.retry?.attempts ?? 1) <= 1) return [];
  const message = `${tool.name} is not idempotent, and ${id} would call it up to ${details.retry?.attempts} times`;
  const hint = 'remove "retry", or use an idempotent tool';
  return [draftError('retry_not_idempotent', `node/${id}`, ['retry'], message, hint)];
}

/** Nothing that can be undone, and no review, comes after an irreversible step without need. */
function checkLate(scope: DraftScope, node: TemplateNode): DraftFinding[] {
  const others = scope.template.nodes.filter(
    (other) =>
      other.id !== node.id &&
      (other.details.reviews !== undefined ||
        !['none', 'irreversible'].includes(scope.effectOf(other))),
  );
  return others.flatMap((other) => {
    if (!mayComeAfter(scope, node.id, other.id) || neededBy(scope, other.id).has(node.id))
      return [];
    const what = other.details.reviews === undefined ? 'can be undone' : 'may refuse';
    const message = `${node.id} cannot be undone, and ${other.id}, which ${what}, may come after it without need`;
    const hint = `lead from ${other.id} to ${node.id}, and remove the path from ${node.id} to ${other.id}`;
    return [draftError('irreversible_too_early', 'edges', ['edges'], message, hint)];
  });
}

/** Whether a node may run after another one has succeeded. */
function mayComeAfter({ body, leadsTo }: DraftScope, id: string, other: string): boolean {
  const { graph } = body;
  if (leadsTo(id, other)) {
    const normal = graph.from(id).filter(({ kind }) => kind !== 'catch');
    return normal.some(({ to }) => to === other || leadsTo(to, other));
  }
  return !leadsTo(other, id) && !areExclusive(graph, [id, other]);
}
