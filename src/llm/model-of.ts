import { InputError } from '@alas-jssp/core/errors';
import { recordedPlanners } from './answer-store.js';
import { type ModelSpec, parsePlannerSpec } from './planner-spec.js';

/**
 * The model of a planner; for a replay the recorded one.
 *
 * @throws InputError `bad_planner`, `no_answers`, `many_answers`
 */
export function modelOf(name: string): ModelSpec {
  const spec = parsePlannerSpec(name);
  if (spec.provider !== 'replay') return spec;
  if (spec.spec !== null) return spec.spec;
  const recorded = recordedPlanners(spec.directory);
  if (recorded.length === 1) return modelOf(recorded[0]);
  throw new InputError(
    'many_answers',
    `the answers of ${recorded.length} planners are recorded here: ${recorded.join(', ')}`,
    `name one of them: replay:${spec.directory}#${recorded[0]}`,
    { file: spec.directory },
    name,
  );
}
