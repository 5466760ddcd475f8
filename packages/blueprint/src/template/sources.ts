import type { Mapping } from '@alas-jssp/agents';
import type { Json } from '@alas-jssp/workflow';

/** The sources of an input, separated into references and constants. */
export interface SplitMapping {
  readonly references: Readonly<Record<string, string>>;
  readonly constants: Readonly<Record<string, Json>>;
}

/** Separates the references of a mapping from its constants: only references are sources of the workflow. */
export function splitMapping(mapping: Mapping): SplitMapping {
  const references: [string, string][] = [];
  const constants: [string, Json][] = [];
  for (const [key, source] of Object.entries(mapping)) {
    if (typeof source === 'string') references.push([key, source]);
    else constants.push([key, source.value as Json]);
  }
  return {
    references: Object.fromEntries(references),
    constants: Object.fromEntries(constants),
  };
}

/** The node whose output a reference reads; undefined for other references. */
export function nodeOfReference(reference: string): string | undefined {
  const [base, id] = reference.split('.');
  return base === 'outputs' ? id : undefined;
}
