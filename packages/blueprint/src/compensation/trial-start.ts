import type { Tool } from '@alas-jssp/agents';
import { AlasError } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { drawInput } from '../rehearsal/inputs.js';
import type { RunnableDraft } from '../running/draft-registry.js';
import { exampleInput } from '../running/example-input.js';
import type { TemplateNode } from '../template/template.js';
import { preparationCall, prepareInput, type TrialStart } from './trial-input.js';
import type { ProveUndosOptions } from './undo-proof.js';

/**
 * The start from which the call of a node changes something: with another input of the run for each seed, else with the
 * example, else after the nodes before it.
 *
 * @throws AlasError if the tool refuses the example, or changes nothing
 */
export async function findTrialStart(
  node: TemplateNode,
  tool: Tool,
  seed: number,
  options: ProveUndosOptions,
): Promise<TrialStart> {
  const { specification, outputOfCode } = options;
  const example = exampleInput(specification);
  const draft: RunnableDraft = { ...options, agents: [], files: {} };
  const drawn = seed === 0 ? [] : [drawInput(draft, createRandom(seed))];
  let problem: unknown = new AlasError('no_start', 'it has no input');
  for (const afterOthers of [false, true]) {
    for (const input of [...drawn, example]) {
      const start: TrialStart = { draft, input, seed, afterOthers, outputOfCode };
      const trial = await options.openTrial(seed);
      try {
        const given = await prepareInput(node, trial, start);
        const before = trial.snapshot();
        await trial.call(tool.name, given, preparationCall('start'));
        if (trial.snapshot() !== before) return start;
        problem = new AlasError('no_start', `${tool.name} changes nothing in the trial system`);
      } catch (error) {
        problem = error;
      } finally {
        await trial.close();
      }
    }
  }
  throw problem;
}
