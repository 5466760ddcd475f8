import { isObject } from '@alas-jssp/core/json-path';
import type { LogEntry } from '@alas-jssp/workflow';
import { conditionsOf } from '../running/conditions.js';
import type { RunnableDraft } from '../running/draft-registry.js';
import { approvalOf } from '../template/compile-node.js';
import { splitMapping } from '../template/sources.js';
import type { TemplateNode } from '../template/template.js';
import type { RehearsedCall } from './rehearsed-tools.js';

/** A constraint that a run did not keep, although the draft says that it is enforced. */
export interface BrokenPromise {
  /**
   * `unapproved`: an irreversible effect, or one that needs an approval, occurred before it. `out of order`: a node acted
   * before one that comes first. `condition`: a node acted on an input that a constraint forbids.
   */
  readonly code: 'unapproved' | 'out of order' | 'condition';
  readonly message: string;
}

/** Checks approvals, orders and conditions of the calls that acted, by the log as it was at each call. */
export async function findBrokenPromises(
  draft: RunnableDraft,
  calls: readonly RehearsedCall[],
  entries: readonly LogEntry[],
): Promise<BrokenPromise[]> {
  const broken: BrokenPromise[] = [];
  for (const call of calls) {
    const node = draft.template.nodes.find(({ id }) => id === call.node);
    if (node === undefined || call.of !== 'call') continue;
    const before = entries.slice(0, call.entries);
    broken.push(
      ...checkApproval(draft, node, call, before),
      ...checkOrder(draft, node, before),
      ...(await checkConditions(draft, node, call)),
    );
  }
  return broken;
}

function checkApproval(
  { template, catalogue }: RunnableDraft,
  node: TemplateNode,
  call: RehearsedCall,
  before: readonly LogEntry[],
): BrokenPromise[] {
  const name = call.tool;
  const input = nodeInput(call, before);
  const tool = catalogue.tools.find((one) => one.name === name);
  if (tool === undefined || tool.access === 'read') return [];
  const undo = template.undo.find((one) => one.node === node.id);
  const isFinal = tool.access === 'irreversible' || undo?.strategy === 'irreversible';
  const isCovered = template.constraintCoverage.some(({ enforced }) =>
    enforced.some((one) => one.by === 'approval' && one.node === node.id),
  );
  const approval = approvalOf(node);
  if (approval === undefined) {
    if (!isFinal && !isCovered) return [];
    return [{ code: 'unapproved', message: `${node.id} calls ${name}, and needs no approval` }];
  }
  const wanted = approval.replace(/\{input\.([^}]+)\}/g, (_, key: string) =>
    String(key.split('.').reduce<unknown>((value, part) => Object(value)[part], input) ?? ''),
  );
  const { approvers = [] } = node.details;
  const isApproved = before.some(({ eventType, payload }) => {
    if (eventType !== 'Approve' || !isObject(payload) || payload.name !== wanted) return false;
    return approvers.length === 0 || approvers.includes(String(payload.by));
  });
  if (isApproved) return [];
  return [{ code: 'unapproved', message: `${node.id} calls ${name} before ${wanted} is approved` }];
}

/** The input of the node that made a call: with a mapping or constants, that of the tool is another one. */
function nodeInput({ path, input }: RehearsedCall, before: readonly LogEntry[]): unknown {
  const registered = before.findLast(
    ({ nodeId, eventType }) => nodeId === path && eventType === 'Register',
  );
  const payload = registered?.payload;
  return isObject(payload) && Object.hasOwn(payload, 'input') ? payload.input : input;
}

/** Every path to a node passes those that constraints put before it. */
function checkOrder(
  { template }: RunnableDraft,
  { id }: TemplateNode,
  entries: readonly LogEntry[],
): BrokenPromise[] {
  return template.constraintCoverage.flatMap(({ constraint, enforced }) =>
    enforced.flatMap((one): BrokenPromise[] => {
      if (one.by !== 'order' || one.after !== id || hasEnded(entries, one.before)) return [];
      const message = `${constraint}: ${id} acts before ${one.before} has ended`;
      return [{ code: 'out of order', message }];
    }),
  );
}

function hasEnded(entries: readonly LogEntry[], node: string): boolean {
  let ended = false;
  for (const { nodeId, eventType, payload } of entries) {
    if (nodeId === node && (eventType === 'EndNode' || eventType === 'Choose')) ended = true;
    if (eventType !== 'Return' || !isObject(payload) || !Array.isArray(payload.nodes)) continue;
    if (payload.nodes.includes(node)) ended = false;
  }
  return ended;
}

async function checkConditions(
  { template, specification }: RunnableDraft,
  node: TemplateNode,
  { tool, input: called }: RehearsedCall,
): Promise<BrokenPromise[]> {
  // With a mapping, the tool's input is not that of the node.
  if (node.details.tool !== tool) return [];
  const { constants } = splitMapping(node.details.input);
  const broken: BrokenPromise[] = [];
  for (const { constraint, text, guard } of conditionsOf(template, specification, node, 'input')) {
    const input = { ...constants, ...called };
    if (await guard.evaluate({ input }).catch(() => false)) continue;
    broken.push({ code: 'condition', message: `${constraint}: ${node.id} acts although ${text}` });
  }
  return broken;
}
