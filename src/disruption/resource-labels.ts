import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Instance } from '../jssp/instance.js';
import { english, type Sentences } from '../jssp/sentences/english.js';

/** A shop that may have resources. */
type WithResources = Pick<Instance, 'resources'>;

/** A resource in a sentence: its name, or `resource 2`, counted from 0 like machines. */
export function resourceWord(
  instance: WithResources | undefined,
  resource: number,
  { names }: Sentences = english,
): string {
  return instance?.resources?.names?.[resource] || names.resource(resource);
}

/** A resource in files: its name, or `Resource2`. */
export function resourceLabel(instance: WithResources | undefined, resource: number): string {
  return instance?.resources?.names?.[resource] || `Resource${resource}`;
}

const LABEL = /^resource[\s_#-]*(\d+)$/i;

/** The number from 0 that a label without a name or a number stands for; undefined for anything else. */
export function resourceNumber(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.trim() : value;
  const digits = typeof text === 'string' ? LABEL.exec(text)?.[1] : undefined;
  const number = digits === undefined ? text : digits;
  const index = number === '' || number === null ? Number.NaN : Number(number);
  return Number.isInteger(index) && index >= 0 ? index : undefined;
}

/** The resource that a value in a file names, or the hint for an unknown name; undefined if names do not decide. */
export function findResource(
  names: readonly string[] | null | undefined,
  value: unknown,
): { readonly index: number; readonly hint?: never } | { readonly hint: string } | undefined {
  if (!names || typeof value !== 'string') return undefined;
  const text = value.trim();
  const index = names.indexOf(text);
  if (index >= 0) return { index };
  if (resourceNumber(text) !== undefined) return undefined;
  const known = names.filter((name) => name !== '');
  return { hint: suggestNames(text.slice(0, 60), known) };
}

/** The setup family that a value names, or the hint for an unknown name; undefined if names do not decide. */
export function findFamily(
  names: readonly string[] | null | undefined,
  value: unknown,
): ReturnType<typeof findResource> {
  if (!names || typeof value !== 'string') return undefined;
  const text = value.trim();
  const index = names.indexOf(text);
  return index >= 0 ? { index } : { hint: suggestNames(text.slice(0, 60), names) };
}

/** The resources there are, as a hint. */
export function knownResources({ resources }: WithResources): string {
  if (resources === null) return 'this shop has no resources';
  const names = (resources.names ?? []).filter((name) => name !== '');
  if (names.length > 0 && names.length <= 12) return `use one of ${names.join(', ')}`;
  return `use Resource0 to Resource${resources.count - 1}`;
}
