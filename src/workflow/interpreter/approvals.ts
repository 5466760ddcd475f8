import type { Datum } from './datum.js';

/** Places of an approval's name that the input of its task fills in. */
const PLACE = /\{(input(?:\.\w+)+)\}/g;

/**
 * The name of the approval that a task waits for: `version-{input.label}` names one for each input, so
 * that in a loop what was approved once is not approved for good.
 */
export function approvalName(template: string, input: Datum): string {
  return template.replace(PLACE, (_, reference: string) => {
    const keys = reference.split('.').slice(1);
    const datum = keys.reduce<Datum | undefined>((inner, key) => inner?.get(key), input);
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
