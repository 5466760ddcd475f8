import type { EncodedValue } from './encoded-value.js';

/** Placeholders in the name of an approval, filled in from the input of its task. */
const PLACE = /\{(input(?:\.\w+)+)\}/g;

/**
 * The name of the approval that a task waits for: `version-{input.label}` gives one name for each
 * input, so that each iteration of a loop needs its own approval.
 */
export function approvalName(template: string, input: EncodedValue): string {
  return template.replace(PLACE, (_, reference: string) => {
    const keys = reference.split('.').slice(1);
    const datum = keys.reduce<EncodedValue | undefined>((inner, key) => inner?.get(key), input);
    return String(datum?.json() ?? '');
  });
}

/** Whether a task with this approval may wait for that name. */
export function mayAwait(template: string, name: string): boolean {
  if (!template.includes('{')) return template === name;
  const parts = template.split(/\{input(?:\.\w+)+\}/);
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.+')}$`).test(name);
}
