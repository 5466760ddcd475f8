import type { Json } from '@alas-jssp/workflow';
import type { Specification } from '../specification/specification.js';

/** The input of a run that the examples of a specification make up. */
export function exampleInput({
  inputs,
}: Pick<Specification, 'inputs'>): Readonly<Record<string, Json>> {
  return Object.fromEntries(inputs.map(({ name, example }) => [name, example as Json]));
}
