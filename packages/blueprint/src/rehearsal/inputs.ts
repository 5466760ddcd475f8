import type { Random } from '@alas-jssp/core/random';
import type { Json } from '@alas-jssp/workflow';
import type { RunnableDraft } from '../running/draft-registry.js';
import { exampleInput } from '../running/example-input.js';

/** Of ten inputs, those that are the example. */
const EXAMPLE_OF_TEN = 4;

/**
 * Draws an input of a run: the example, or one in which fields have other values that lead elsewhere: ids of other
 * records of the trial system, numbers next to those that guards and conditions compare, the other boolean, a shorter
 * list.
 */
export function drawInput(draft: RunnableDraft, random: Random): Readonly<Record<string, Json>> {
  const example = exampleInput(draft.specification);
  if (random.integer(1, 10) <= EXAMPLE_OF_TEN) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const others = otherValues(draft, name, value);
      const isKept = others.length === 0 || random.next() < 0.5;
      return [name, isKept ? value : others[random.integer(0, others.length - 1)]];
    }),
  );
}

function otherValues(draft: RunnableDraft, name: string, value: Json): readonly Json[] {
  const field = draft.specification.inputs.find((one) => one.name === name);
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') {
    const whole = field?.type === 'integer';
    const near = comparedNumbers(draft).flatMap((one) => [one - 1, one, one + 1]);
    return [0, 1, value * 10, ...near].filter((one) => !whole || Number.isInteger(one));
  }
  if (typeof value === 'string') return otherIds(draft, value);
  if (Array.isArray(value)) return [[], value.slice(0, 1)];
  return [];
}

/** Ids of other records of the kind of which the example is an id. */
function otherIds({ catalogue }: RunnableDraft, example: string): string[] {
  return Object.values(catalogue.trial)
    .map((records) => records.map(({ id }) => id))
    .filter((ids) => ids.includes(example))
    .flatMap((ids) => ids.filter((id) => id !== example));
}

/** The numbers in guards and conditions. */
function comparedNumbers({ template }: RunnableDraft): number[] {
  const expressions = [
    ...template.edges.map(({ when }) => when),
    ...template.constraintCoverage.flatMap(({ enforced }) =>
      enforced.map((one) => ('holds' in one ? one.holds : undefined)),
    ),
  ];
  const numbers = expressions.flatMap((text) => text?.match(/(?<![\w.])\d+(\.\d+)?/g) ?? []);
  return [...new Set(numbers.map(Number))];
}
