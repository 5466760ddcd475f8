import { sampleValue, type Toolset } from '@alas-jssp/agents';
import { AlasError } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import type { Json } from '@alas-jssp/workflow';
import type { RunnableDraft } from '../running/draft-registry.js';
import type { TemplateNode } from '../template/template.js';

/** The part of a draft from which the input of a node follows. */
type TrialDraft = Pick<RunnableDraft, 'specification' | 'template' | 'catalogue'>;

/**
 * Prepares the state in which a node is tried, and the input that it receives: the tools whose outputs it depends on are
 * called first, with the input of a run; outputs of models and of code are drawn from their schemas.
 *
 * @param input of the run
 * @throws AlasError of a tool that refuses, `MissingValue` if a source finds nothing
 */
export async function prepareInput(
  node: TemplateNode,
  draft: TrialDraft,
  tools: Pick<Toolset, 'call'>,
  input: Json,
  seed: number,
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
      return sampleValue(output, createRandom(deriveSeed(seed, 'output', one.id)), one.id);
    }
    return tools.call(
      tool,
      given,
      preparationCall(`preparation/${one.id}/${JSON.stringify(given)}`),
    );
  };
  if (node.details.forEach === undefined) return values(node);
  const [first] = await itemsOf(node.details.forEach);
  if (first === undefined) throw missing(`${node.details.forEach}.0`);
  return values(node, first);
}

/** The circumstances of a call that prepares a trial. */
export function preparationCall(idempotencyKey: string) {
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
