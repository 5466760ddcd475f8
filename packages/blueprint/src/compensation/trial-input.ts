import { sampleValue, type ToolCall, type ToolCatalogue, type Toolset } from '@alas-jssp/agents';
import { AlasError } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import type { Json } from '@alas-jssp/workflow';
import type { RunnableDraft } from '../running/draft-registry.js';
import type { Template, TemplateNode } from '../template/template.js';

/** The part of a draft from which the input of a node follows. */
type TrialDraft = Pick<RunnableDraft, 'specification' | 'template' | 'catalogue'>;

/** The circumstances in which a node is tried. */
export interface TrialStart {
  readonly draft: TrialDraft;
  /** Of the run. */
  readonly input: Json;
  readonly seed: number;
  /** Whether the nodes before it act first, also those whose outputs it does not need. */
  readonly afterOthers: boolean;
  /** The output of a node that is code; undefined for those whose output is drawn from its schema. */
  readonly outputOfCode?:
    | ((node: TemplateNode, input: Json) => Promise<Json> | undefined)
    | undefined;
}

/**
 * Prepares the state in which a node is tried, and the input that it receives: the tools whose outputs it depends on are
 * called first, with the input of a run.
 *
 * @throws AlasError of a tool that refuses, `MissingValue` if a source finds nothing
 */
export async function prepareInput(
  node: TemplateNode,
  tools: Pick<Toolset, 'call'>,
  { draft, input, seed, afterOthers, outputOfCode }: TrialStart,
): Promise<Readonly<Record<string, Json>>> {
  const outputs = new Map<string, Json>();
  const values = async (one: TemplateNode, item?: Json) => {
    const entries = await Promise.all(
      Object.entries(one.details.input).map(
        async ([key, source]): Promise<[string, Json]> => [
          key,
          typeof source === 'string' ? await find(source, item) : (source.value as Json),
        ],
      ),
    );
    return Object.fromEntries(entries);
  };
  const find = async (reference: string, item?: Json): Promise<Json> => {
    const [base, ...path] = reference.split('.');
    if (base === 'input') return member(input, path, reference);
    if (base === 'item' && item !== undefined) return member(item, path, reference);
    const producer = draft.template.nodes.find(({ id }) => id === path[0]);
    if (base !== 'outputs' || producer === undefined) throw missing(reference);
    return member(await outputOf(producer), path.slice(1), reference);
  };
  const outputOf = async (producer: TemplateNode): Promise<Json> => {
    const known = outputs.get(producer.id);
    if (known !== undefined) return known;
    const { forEach } = producer.details;
    let output: Json;
    if (forEach === undefined) output = await perform(producer, await values(producer));
    else {
      const made: Json[] = [];
      for (const item of await itemsOf(forEach)) {
        made.push(await perform(producer, await values(producer, item)));
      }
      output = made;
    }
    outputs.set(producer.id, output);
    return output;
  };
  const itemsOf = async (reference: string): Promise<readonly Json[]> => {
    const list = await find(reference);
    return Array.isArray(list) ? list : [];
  };
  const perform = async (one: TemplateNode, given: Record<string, Json>): Promise<Json> => {
    const { tool, output = true } = one.details;
    if (one.work !== 'tool' || tool === undefined) {
      const known = await outputOfCode?.(one, given);
      return known ?? drawOutput(one.id, output, seed, draft.catalogue.trial);
    }
    return tools.call(
      tool,
      given,
      preparationCall(`preparation/${one.id}/${JSON.stringify(given)}`),
    );
  };
  for (const earlier of afterOthers ? nodesBefore(node, draft.template) : []) {
    // On the path to the node not all of them may act: those that cannot are not needed.
    await outputOf(earlier).catch(() => {});
  }
  if (node.details.forEach === undefined) return values(node);
  const [first] = await itemsOf(node.details.forEach);
  if (first === undefined) throw missing(`${node.details.forEach}.0`);
  return values(node, first);
}

/** Outputs that are drawn until one has no empty list: loops need items. */
const DRAWS = 30;

function drawOutput(
  id: string,
  schema: unknown,
  seed: number,
  trial: ToolCatalogue['trial'],
): Json {
  let drawn: Json = null;
  for (let k = 0; k < DRAWS; k++) {
    drawn = sampleValue(schema, createRandom(deriveSeed(seed, 'output', id, k)), id);
    if (!hasEmptyList(drawn)) break;
  }
  return withKnownIds(drawn, id, trial, seed);
}

/** Texts that are named like a kind of records are ids of them: a model that chooses a machine names one that exists. */
function withKnownIds(
  value: Json,
  name: string,
  trial: ToolCatalogue['trial'],
  seed: number,
): Json {
  if (typeof value === 'string') {
    const ids = Object.hasOwn(trial, name) ? trial[name] : [];
    return ids.length === 0 ? value : ids[Math.abs(seed) % ids.length].id;
  }
  if (Array.isArray(value)) return value.map((item) => withKnownIds(item, name, trial, seed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withKnownIds(inner, key, trial, seed)]),
  );
}

function hasEmptyList(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(hasEmptyList);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasEmptyList);
}

/** The nodes on the paths to a node, in their order. */
function nodesBefore({ id }: TemplateNode, { nodes, edges }: Template): TemplateNode[] {
  const before = new Set<string>();
  const visit = (target: string): void => {
    for (const { from, to } of edges) {
      if (to !== target || before.has(from)) continue;
      visit(from);
      before.add(from);
    }
  };
  visit(id);
  return [...before].flatMap((one) => nodes.filter((node) => node.id === one && node.id !== id));
}

/** The circumstances of a call that prepares a trial. */
export function preparationCall(idempotencyKey: string): ToolCall {
  const { signal } = new AbortController();
  return { runId: 'preparation', nodeId: 'preparation', idempotencyKey, signal };
}

function member(value: Json, path: readonly string[], reference: string): Json {
  const found = path.reduce<Json | undefined>((inner, key) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined;
    return (inner as Readonly<Record<string, Json>>)[key];
  }, value);
  if (found === undefined) throw missing(reference);
  return found;
}

function missing(reference: string): AlasError {
  return new AlasError('MissingValue', `there is no ${reference}`, reference);
}
