import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import { splitMapping } from '../template/sources.js';
import type { TemplateNode } from '../template/template.js';

/** The members that every log entry of a node has: from its input, null for those that this lacks. */
export function entryFields({ details }: TemplateNode, input: unknown): Record<string, Json> {
  const given: Readonly<Record<string, unknown>> = {
    ...splitMapping(details.input).constants,
    ...(isObject(input) ? input : {}),
  };
  return Object.fromEntries(details.log.map((key) => [key, (given[key] ?? null) as Json]));
}
