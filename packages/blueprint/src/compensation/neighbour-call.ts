import type { Tool, ToolCatalogue, TrialSystem } from '@alas-jssp/agents';
import { AlasError } from '@alas-jssp/core/errors';
import type { Json } from '@alas-jssp/workflow';
import type { Neighbour } from './trial-cases.js';
import { preparationCall } from './trial-input.js';

/**
 * Calls a tool for another effect: with an equal input, or with another one, if there is one that it accepts.
 *
 * @returns whether it has changed something
 */
export async function callNeighbour(
  neighbour: Neighbour,
  trial: TrialSystem,
  tool: Tool,
  given: Readonly<Record<string, Json>>,
  catalogue: ToolCatalogue,
): Promise<boolean> {
  const inputs = neighbour.startsWith('equal') ? [given] : otherInputs(given, catalogue);
  for (const [k, input] of inputs.entries()) {
    const before = trial.snapshot();
    try {
      await trial.call(tool.name, input, preparationCall(`neighbour/${k}`));
    } catch (error) {
      if (!(error instanceof AlasError)) throw error;
      continue;
    }
    if (trial.snapshot() !== before) return true;
  }
  return false;
}

/** Inputs like a given one, with ids of other records first, then with other numbers and texts. */
function otherInputs(
  given: Readonly<Record<string, Json>>,
  catalogue: ToolCatalogue,
): Readonly<Record<string, Json>>[] {
  const entries = Object.entries(given);
  const withOther = (othersOf: (value: Json) => readonly Json[]) =>
    entries.flatMap(([key, value]) => othersOf(value).map((other) => ({ ...given, [key]: other })));
  return [...withOther((value) => otherIds(value, catalogue)), ...withOther(otherValues)];
}

/** The ids of the other records of the kind that has a record with an id. */
function otherIds(id: Json, { trial }: ToolCatalogue): readonly string[] {
  return Object.values(trial)
    .map((records) => records.map((record) => record.id))
    .filter((ids) => ids.some((one) => one === id))
    .flatMap((ids) => ids.filter((one) => one !== id));
}

function otherValues(value: Json): readonly Json[] {
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'string') return [`${value}-other`];
  return typeof value === 'boolean' ? [!value] : [];
}
