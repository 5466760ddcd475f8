import type { Mapping, ToolCatalogue } from '@alas-jssp/agents';
import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import type { Specification } from '../specification/specification.js';
import { toolOfNode } from '../template/compile.js';
import { runInputSchema } from '../template/inputs.js';
import type { Template, TemplateNode } from '../template/template.js';
import { inlineReferences } from '../template/tool-schemas.js';

/** A JSON Schema of an object, as agents have it. */
export type ObjectSchema = Readonly<Record<string, Json>>;

/** The parts of a draft from which the schemas of its nodes follow. */
export interface SchemaSources {
  readonly specification: Specification;
  readonly template: Template;
  readonly catalogue: ToolCatalogue;
}

/** The schema of the input that a node receives: from the sources of its keys. */
export function nodeInputSchema(node: TemplateNode, sources: SchemaSources): ObjectSchema {
  const { input, forEach } = node.details;
  const item = forEach === undefined ? undefined : itemsOf(schemaOfReference(forEach, sources));
  return objectOf(input, (reference) => schemaOfReference(reference, sources, item));
}

/** The schema of the output of one run of a node; empty if it is not known. */
export function nodeOutputSchema(node: TemplateNode, { catalogue }: SchemaSources): ObjectSchema {
  const tool = toolOfNode(node, catalogue);
  const schema = tool === undefined ? node.details.output : tool.output;
  return schema === undefined ? {} : (inlineReferences(schema) as ObjectSchema);
}

function objectOf(mapping: Mapping, schemaOf: (reference: string) => ObjectSchema): ObjectSchema {
  const properties = Object.entries(mapping).map(([key, source]): [string, Json] => [
    key,
    typeof source === 'string' ? schemaOf(source) : { const: source.value as Json },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([key]) => key),
    additionalProperties: false,
  };
}

/** The schema of the values of a reference such as `outputs.order.amount`; empty if it is not known. */
function schemaOfReference(
  reference: string,
  sources: SchemaSources,
  item: ObjectSchema = {},
): ObjectSchema {
  const [base, ...path] = reference.split('.');
  if (base === 'input') {
    return memberSchema(runInputSchema(sources.specification) as ObjectSchema, path);
  }
  if (base === 'item') return memberSchema(item, path);
  const producer = sources.template.nodes.find(({ id }) => id === path[0]);
  if (base !== 'outputs' || producer === undefined) return {};
  const output = nodeOutputSchema(producer, sources);
  const isList = producer.details.forEach !== undefined;
  return memberSchema(isList ? { type: 'array', items: output } : output, path.slice(1));
}

function memberSchema(schema: ObjectSchema, path: readonly string[]): ObjectSchema {
  return path.reduce<ObjectSchema>((outer, key) => {
    const { properties } = outer;
    if (isObject(properties) && Object.hasOwn(properties, key)) {
      return (properties as Record<string, ObjectSchema>)[key];
    }
    return /^\d+$/.test(key) ? itemsOf(outer) : {};
  }, schema);
}

function itemsOf({ items }: ObjectSchema): ObjectSchema {
  return isObject(items) ? (items as ObjectSchema) : {};
}

/** The keys of the output of a node that other parts of the template read. */
export function keysReadOf(id: string, template: Template): readonly string[] {
  const texts: string[] = [template.output ?? ''];
  for (const { details } of template.nodes) {
    texts.push(details.forEach ?? '');
    for (const source of Object.values(details.input)) {
      if (typeof source === 'string') texts.push(source);
    }
  }
  const ofOthers = texts.flatMap((text) => {
    const [base, producer, key] = text.split('.');
    return base === 'outputs' && producer === id && key !== undefined ? [key] : [];
  });
  const undo = template.undo.find(({ node }) => node === id);
  const ofUndo = (undo?.sequence ?? []).flatMap(({ input }) =>
    Object.values(input).flatMap((source) => {
      const [base, key] = typeof source === 'string' ? source.split('.') : [];
      return base === 'output' && key !== undefined ? [key] : [];
    }),
  );
  return [...new Set([...ofOthers, ...ofUndo])];
}
