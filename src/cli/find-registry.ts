import { InputError } from '../core/errors.js';
import { isObject } from '../core/json-path.js';
import { resolveSource } from '../jssp/suites.js';
import { importModule, requireModule } from '../pipeline/import-module.js';
import { isQuestion, questionRegistry } from '../pipeline/question.js';
import { createReplayRegistry, isPipeline } from '../pipeline/replay-registry.js';
import type { Registry, RunState } from '../workflow/index.js';

/** What a run began with, as the first entry of its log tells it. */
export type RunStart = Pick<RunState, 'workflow' | 'input' | 'seed'>;

/** What a module may export; all but the handlers may be missing. */
const PARTS = ['handlers', 'compensators', 'validators', 'handOvers', 'violations', 'input'];

const EXPORT = 'export { handlers, compensators, validators, … } of a registry';

/**
 * The handlers of a run: those of the module that the user names, else those of this product's
 * pipeline, or of a question that it asked a model. Its instances are found by their names, which only benchmarks have.
 *
 * @throws InputError `no_registry` if there are none, `no_file` and `bad_module` for the module
 */
export async function findRegistry(
  { workflow, input }: RunStart,
  module: string | undefined,
): Promise<Registry> {
  if (module !== undefined) return loadRegistry(module);
  if (isPipeline(workflow)) {
    return createReplayRegistry(input, ({ name }) => resolveSource(name).load());
  }
  if (isQuestion(workflow)) return questionRegistry;
  throw new InputError(
    'no_registry',
    `the handlers of the workflow '${workflow.name}' are not known`,
    'name the ES module that exports them with --handlers',
    {},
    workflow.name,
  );
}

/**
 * The handlers that a module exports.
 *
 * @throws InputError `no_file`, `bad_module`
 */
export async function loadRegistry(path: string): Promise<Registry> {
  requireModule(path, `give the path of an ES module that does this: ${EXPORT}`);
  const exported = await importModule(path);
  const parts = PARTS.filter((name) => exported[name] !== undefined);
  const wrong = ['handlers', ...parts].find((name) => !isObject(exported[name]));
  if (wrong === undefined) {
    return Object.fromEntries(parts.map((name) => [name, exported[name]])) as unknown as Registry;
  }
  const problem = `the module exports no object as ${wrong}`;
  throw new InputError('bad_module', problem, EXPORT, { file: path }, exported[wrong]);
}
