import type { ToolCatalogue } from '@alas-jssp/agents';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import type { DraftingState } from './drafting-state.js';
import type { DraftFinding, PartName, Parts } from './part.js';
import { familyOfPart, SPECIFICATION_PART_NAMES } from './part-schemas.js';

/** The stages of a round: what a later stage asks depends on the answers of those before it. */
export const DRAFTING_STAGES = ['specification', 'outline', 'edges', 'details', 'undo'] as const;
export type DraftingStage = (typeof DRAFTING_STAGES)[number];

/** All parts of a stage, in the order in which they are asked, as far as the answers so far show them. */
function partsOfStage(stage: DraftingStage, parts: Parts, catalogue: ToolCatalogue): PartName[] {
  switch (stage) {
    case 'specification':
      return [...SPECIFICATION_PART_NAMES];
    case 'outline':
      return ['roles', 'nodes'];
    case 'edges':
      return ['edges'];
    case 'details': {
      const nodes = nodesInOrder(parts).map((id) => `node/${id}`);
      return [...nodes, 'constraint-coverage', 'disruption-coverage'];
    }
    case 'undo':
      return nodesInOrder(parts)
        .filter((id) => changesSomething(id, parts, catalogue))
        .map((id) => `undo/${id}`);
  }
}

/**
 * The parts that a round asks in a stage: all of the first round; later those that have no answer, those that errors
 * name, and those that depend on what has changed.
 */
export function partsToAsk(
  stage: DraftingStage,
  round: number,
  state: DraftingState,
  catalogue: ToolCatalogue,
): PartName[] {
  const all = partsOfStage(stage, state.parts, catalogue);
  if (round === 0) return all;
  const named = namedParts(state);
  return all.filter(
    (part) => !Object.hasOwn(state.parts, part) || named.has(part) || isOutdated(part, state),
  );
}

/** The parts that errors of the best draft name. */
export function namedParts({ best }: Pick<DraftingState, 'best'>): Set<PartName> {
  const errors = (best?.findings ?? []).filter(({ severity }) => severity === 'error');
  return new Set(errors.map((finding) => askedPartOf(finding, best?.parts ?? {})));
}

/** The part that is asked because of a finding: one about a node that the outline lacks is about the outline. */
export function askedPartOf({ part }: DraftFinding, parts: Parts): PartName {
  const { family, id } = familyOfPart(part);
  if (family !== 'node' && family !== 'undo') return part;
  return nodesOf(parts).some((node) => node.id === id) ? part : 'nodes';
}

/** The parts without compensations of nodes that do not need one, since their work has changed. */
export function livingParts(parts: Parts, catalogue: ToolCatalogue): Parts {
  const undo = new Set(partsOfStage('undo', parts, catalogue));
  return Object.fromEntries(
    Object.entries(parts).filter(([part]) => !part.startsWith('undo/') || undo.has(part)),
  );
}

/** Whether an answer of the last round has changed what a part is about: ids, or the outline of its node. */
function isOutdated(part: PartName, { parts, best }: DraftingState): boolean {
  if (best === null) return false;
  const { family, id } = familyOfPart(part);
  const differs = (read: (parts: Parts) => Json) =>
    canonicalJson(read(parts)) !== canonicalJson(read(best.parts));
  const ids = (list: string) => (some: Parts) => listOf(some, list).map((item) => item.id ?? null);
  const nodeIds = (some: Parts) => nodesOf(some).map((node) => node.id);
  switch (family) {
    case 'edges':
      return differs(nodeIds);
    case 'node':
      return differs((some) => outlineOf(some, id));
    case 'undo':
      return differs((some) => toolOf(some, id) ?? null);
    case 'constraint-coverage':
      return differs(ids('constraints')) || differs(nodeIds);
    case 'disruption-coverage':
      return differs(ids('disruptions')) || differs(nodeIds);
    default:
      return false;
  }
}

/** The outline of a node: its work and its operation. */
function outlineOf(parts: Parts, id: string | undefined): Json {
  const node = nodesOf(parts).find((one) => one.id === id);
  return node === undefined ? null : [node.work ?? null, node.operation ?? null];
}

/** The name of the tool of a node, if its details name one. */
export function toolOf(parts: Parts, id: string | undefined): string | undefined {
  const details = parts[`node/${id}`];
  const tool = isObject(details) ? details.tool : undefined;
  return typeof tool === 'string' ? tool : undefined;
}

/** The nodes of the outline. */
export function nodesOf(parts: Parts): { readonly id: string; readonly [key: string]: Json }[] {
  return listOf(parts, 'nodes').flatMap((node) =>
    typeof node.id === 'string' ? [{ ...node, id: node.id }] : [],
  );
}

/** The objects of the list of a part that has the name of its list. */
export function listOf(parts: Parts, name: string): Record<string, Json>[] {
  const answer = parts[name];
  const list = isObject(answer) ? answer[name] : undefined;
  return Array.isArray(list) ? (list.filter(isObject) as Record<string, Json>[]) : [];
}

/** The ids of the nodes, each after those before it as far as the edges have no cycle. */
export function nodesInOrder(parts: Parts): string[] {
  const left = nodesOf(parts).map(({ id }) => id);
  const edges = listOf(parts, 'edges');
  const order: string[] = [];
  while (left.length > 0) {
    const waits = (id: string) =>
      edges.some(({ from, to }) => to === id && from !== id && left.includes(from as string));
    const at = Math.max(
      0,
      left.findIndex((id) => !waits(id)),
    );
    order.push(...left.splice(at, 1));
  }
  return order;
}

/** Whether a node calls a tool that changes something, so that it needs an undo. */
function changesSomething(id: string, parts: Parts, catalogue: ToolCatalogue): boolean {
  const node = nodesOf(parts).find((one) => one.id === id);
  if (node?.work !== 'tool') return false;
  const tool = catalogue.tools.find(({ name }) => name === toolOf(parts, id));
  const operation = listOf(parts, 'operations').find((one) => one.id === node.operation);
  const access = tool?.access ?? operation?.access;
  return access === 'change' || access === 'irreversible';
}
