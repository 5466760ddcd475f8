import type { Tool, ToolCatalogue } from '@alas-jssp/agents';
import type { Random } from '@alas-jssp/core/random';
import type { Specification } from '../specification/specification.js';
import type { Template, TemplateNode } from '../template/template.js';

/** A draft that mutations change. */
export interface MutableDraft {
  readonly specification: Specification;
  readonly template: Template;
  readonly catalogue: ToolCatalogue;
}

/** A change of a good draft, for trials of the checks. */
export interface DraftMutation {
  readonly name: string;
  /** Whether the draft is worse after it: it may lose an effect, a permission, a constraint or a value. */
  readonly harmful: boolean;
  /** @returns the changed draft, a copy; null if the draft has no place for the change */
  apply(draft: MutableDraft, random: Random): MutableDraft | null;
}

/** Changes a copy in place; false if the draft has no place for the change. */
type Edit = (draft: MutableDraft, random: Random) => boolean;

export function harmful(name: string, edit: Edit): DraftMutation {
  return mutation(name, true, edit);
}

export function harmless(name: string, edit: Edit): DraftMutation {
  return mutation(name, false, edit);
}

function mutation(name: string, isHarmful: boolean, edit: Edit): DraftMutation {
  return {
    name,
    harmful: isHarmful,
    apply({ specification, template, catalogue }, random) {
      const copy = structuredClone({ specification, template, catalogue });
      return edit(copy, random) ? copy : null;
    },
  };
}

/** One of some items; undefined if there is none. */
export function pick<T>(items: readonly T[], random: Random): T | undefined {
  return items.length === 0 ? undefined : items[random.integer(0, items.length - 1)];
}

/** Applies a change to one of some items; false if there is none. */
export function editOne<T>(items: readonly T[], random: Random, edit: (item: T) => void): boolean {
  const item = pick(items, random);
  if (item === undefined) return false;
  edit(item);
  return true;
}

/** Removes one of the items of a list that fit; false if none does. */
export function removeOne<T>(list: T[], random: Random, fits: (item: T) => boolean): boolean {
  const item = pick(list.filter(fits), random);
  if (item === undefined) return false;
  list.splice(list.indexOf(item), 1);
  return true;
}

/** The items of a list in another order; false if there is only one order. */
export function reorder<T>(list: T[], random: Random): boolean {
  if (list.length < 2) return false;
  const order = random.shuffle(list.map((_, i) => i));
  const items = [...list];
  order.forEach((from, to) => {
    list[to] = items[from];
  });
  return true;
}

export function calledTool({ catalogue }: MutableDraft, { work, details }: TemplateNode) {
  return work === 'tool' ? catalogue.tools.find(({ name }) => name === details.tool) : undefined;
}

/** The nodes that call a tool with one of some accesses. */
export function nodesWith(
  draft: MutableDraft,
  ...accesses: readonly Tool['access'][]
): TemplateNode[] {
  return draft.template.nodes.filter((node) => {
    const tool = calledTool(draft, node);
    return tool !== undefined && accesses.includes(tool.access);
  });
}

/** The node after another one on the only edge between them; undefined if edges join or part there. */
export function onlyNext({ template }: MutableDraft, id: string): TemplateNode | undefined {
  const from = template.edges.filter((edge) => edge.from === id);
  const [edge] = from;
  if (from.length !== 1 || template.edges.filter(({ to }) => to === edge.to).length !== 1) {
    return undefined;
  }
  return template.nodes.find((node) => node.id === edge.to);
}

/** Swaps two neighbours of a chain: `a → b → c` becomes `b → a → c`. */
export function swapNeighbours({ template }: MutableDraft, first: string, second: string): void {
  for (const edge of template.edges) {
    if (edge.from === first && edge.to === second) {
      edge.from = second;
      edge.to = first;
    } else if (edge.to === first) edge.to = second;
    else if (edge.from === second) edge.from = first;
  }
}
