import { propertyOf } from '@alas-jssp/workflow/ir';
import type { DraftFinding } from '../drafting/part.js';
import type { TemplateNode } from '../template/template.js';
import { draftError, listNames } from './finding.js';
import { type DraftScope, outputSchemaOf, readsOf } from './scope.js';

/** Reviews judge a node that has run, before its output is used, and can refuse it. */
export function checkReviews(scope: DraftScope): DraftFinding[] {
  return scope.template.nodes.flatMap((node) =>
    node.details.reviews === undefined || node.work === 'choice'
      ? []
      : checkReview(scope, node, node.details.reviews),
  );
}

function checkReview(scope: DraftScope, node: TemplateNode, reviewed: string): DraftFinding[] {
  const part = `node/${node.id}`;
  const target = scope.nodes.get(reviewed);
  if (target === undefined || target.id === node.id || target.work === 'choice') {
    const names = scope.template.nodes
      .filter(({ id, work }) => work !== 'choice' && scope.isDoneBefore(id, node.id))
      .map(({ id }) => id);
    const message = `${node.id} reviews ${reviewed}, which is no node that it can review`;
    const hint = `name one of ${listNames(names)}`;
    return [draftError('bad_review', part, ['reviews'], message, hint)];
  }
  return [
    ...checkReviewer(scope, node),
    ...checkPlace(scope, node, reviewed),
    ...checkUse(scope, node, reviewed),
  ];
}

function checkReviewer(scope: DraftScope, node: TemplateNode): DraftFinding[] {
  const findings: DraftFinding[] = [];
  const role = node.role === null ? undefined : scope.roles.get(node.role);
  if (role !== undefined && role.kind !== 'validator') {
    const validators = scope.template.roles.filter(({ kind }) => kind === 'validator');
    const names = validators.map(({ id }) => id);
    const message = `${node.id} reviews, and its role ${role.id} is of kind ${role.kind}`;
    const hint =
      names.length === 0
        ? `give ${node.id} a role of its own of kind "validator"`
        : `give it the role ${listNames(names)}`;
    const path = ['nodes', scope.template.nodes.indexOf(node), 'role'];
    findings.push(draftError('reviewer_not_validator', 'nodes', path, message, hint));
  }
  const schema = outputSchemaOf(scope, node.id);
  const ok = typeof schema === 'boolean' ? 'unknown' : propertyOf(schema, 'ok');
  if (typeof ok === 'string' || !ok.sure || !isBoolean(ok.schema)) {
    const message = `${node.id} reviews, and its output has no "ok" that says whether it accepts`;
    const hint =
      node.work === 'tool'
        ? 'let a node of work compute or model review'
        : 'give the output {"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}';
    const path = [node.work === 'tool' ? 'reviews' : 'output'];
    findings.push(draftError('review_without_verdict', `node/${node.id}`, path, message, hint));
  }
  return findings;
}

function isBoolean(schema: unknown): boolean {
  return (schema as { type?: unknown }).type === 'boolean';
}

function checkPlace(scope: DraftScope, node: TemplateNode, reviewed: string): DraftFinding[] {
  const part = `node/${node.id}`;
  if (!scope.isDoneBefore(reviewed, node.id)) {
    const message = `${node.id} reviews ${reviewed}, which has not surely run before it`;
    const hint = `lead from ${reviewed} to ${node.id}`;
    return [draftError('review_not_after', 'edges', ['edges'], message, hint)];
  }
  if (readsOf(node).includes(reviewed) || node.details.sees.includes(reviewed)) return [];
  const message = `${node.id} reviews ${reviewed}, and does not read its output`;
  const hint = `add a source outputs.${reviewed}.KEY to its input`;
  return [draftError('review_reads_nothing', part, ['input'], message, hint)];
}

/** Nodes that use the reviewed output, and irreversible steps after it, wait for the review. */
function checkUse(scope: DraftScope, node: TemplateNode, reviewed: string): DraftFinding[] {
  const users = scope.template.nodes.filter((other) => {
    if (other.id === node.id || other.details.reviews === reviewed) return false;
    if (readsOf(other).includes(reviewed)) return true;
    return scope.effectOf(other) === 'irreversible' && scope.leadsTo(reviewed, other.id);
  });
  return users.flatMap((user) => {
    if (scope.isDoneBefore(node.id, user.id)) return [];
    const message = `${user.id} uses the work of ${reviewed} before ${node.id} has accepted it`;
    const hint = `lead all paths from ${reviewed} to ${user.id} through ${node.id}`;
    return [draftError('review_too_late', 'edges', ['edges'], message, hint)];
  });
}
