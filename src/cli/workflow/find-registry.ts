import { InputError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import type { Json, LogStore, Registry, RunState, Workflow } from '@alas-jssp/workflow';
import {
  findBenchmark,
  type InstanceSource,
  resolveSource,
  resolveSources,
} from '../../jssp/suites.js';
import { fillPipelineInput } from '../../pipeline/pipeline-input.js';
import { importModule, requireModule } from '../../pipeline/planners/import-module.js';
import { createReplayRegistry, isPipeline } from '../../pipeline/replay-registry.js';
import { createShopRegistry } from '../../pipeline/shop/shop-steps.js';
import { isShop } from '../../pipeline/shop/shop-workflow.js';
import { isCoordination, loadCoordinationRegistry } from './coordination-registry.js';
import { isDraftFolder, loadBlueprint } from './draft-folder.js';

/** The start of a run, from the first entry of its log. */
type RunStart = Pick<RunState, 'workflow' | 'input' | 'seed'>;

/** The exports of a module with handlers; only `handlers` is required. */
const PARTS = ['handlers', 'compensators', 'validators', 'inputValidators', 'violations', 'input'];

const EXPORT = 'export { handlers, compensators, validators, … } of a registry';

/** Options that locate handlers and instances. */
export interface RegistryOptions {
  readonly handlers?: string | undefined;
  readonly suite?: string | undefined;
}

/** Whether this product has the handlers of a workflow, so that no module is needed. */
export function bringsHandlers(workflow: Pick<Workflow, 'name' | 'nodes' | 'meta'>): boolean {
  return isPipeline(workflow) || isShop(workflow);
}

/**
 * The handlers of a run: those of the module that the user names, else those of this product for its
 * pipeline, a shop, or the execution of a coordination problem.
 *
 * @param log the log of the run, from which a shop restores its schedule
 * @throws InputError `no_registry` if there are none, `no_file` and `bad_module` for the module,
 *   `no_instance` if that of the pipeline is not found
 */
export async function findRegistry(
  { workflow, input }: RunStart,
  { handlers, suite }: RegistryOptions,
  log?: LogStore,
): Promise<Registry> {
  if (handlers !== undefined) return loadRegistry(handlers);
  if (log !== undefined && isShop(workflow)) {
    return createShopRegistry(log, ({ name }) => findInstance(name, suite).load());
  }
  if (isPipeline(workflow)) {
    return createReplayRegistry(input, ({ name }) => findInstance(name, suite).load());
  }
  if (log !== undefined && isCoordination(workflow)) return loadCoordinationRegistry(log);
  throw new InputError(
    'no_registry',
    `the handlers of the workflow '${workflow.name}' are unknown`,
    'name the ES module that exports them with --handlers',
    {},
    workflow.name,
  );
}

/**
 * The handlers and the input of a new run; the pipeline's input is filled with defaults.
 *
 * @throws InputError as {@link findRegistry}, and for an invalid input of the pipeline
 */
export async function prepareRun(
  workflow: Workflow,
  input: Json,
  options: RegistryOptions & { readonly seed: number },
): Promise<{ readonly input: Json; readonly registry: Registry }> {
  const { handlers, suite, seed } = options;
  if (handlers !== undefined || !isPipeline(workflow)) {
    return { input, registry: await findRegistry({ workflow, input, seed }, options) };
  }
  const find = (name: string) =>
    suite === undefined ? resolveSource(name) : findInstance(name, suite);
  const filled = fillPipelineInput(input, seed, find);
  const json = { ...filled.input } as unknown as Json;
  return { input: json, registry: createReplayRegistry(json, () => filled.instance) };
}

/** Finds an instance by the name in a log, as a benchmark or in the suite. */
export function findInstance(name: string, suite: string | undefined): InstanceSource {
  const named = suite === undefined ? [] : resolveSources(suite);
  const source = named.find((one) => one.name === name) ?? findBenchmark(name);
  if (source !== undefined) return source;
  const problem =
    suite === undefined
      ? `the instance ${name} is no benchmark`
      : `${suite} has no instance ${name}`;
  const hint = 'name its file, or the folder or glob that was run, with --suite';
  throw new InputError('no_instance', problem, hint, {}, name);
}

/**
 * The handlers that a module exports, or those of the draft in a folder. Tools of a draft stay open until the process
 * ends.
 *
 * @throws InputError `no_file`, `bad_module`, `missing_package`, and those of drafts
 */
export async function loadRegistry(path: string): Promise<Registry> {
  if (isDraftFolder(path)) {
    const { openDraftFolder } = await loadBlueprint();
    return (await openDraftFolder(path, {})).registry;
  }
  requireModule(path, `give the path of an ES module with: ${EXPORT}`);
  const exported = await importModule(path);
  const parts = PARTS.filter((name) => exported[name] !== undefined);
  const wrong = ['handlers', ...parts].find((name) => !isObject(exported[name]));
  if (wrong === undefined) {
    return Object.fromEntries(parts.map((name) => [name, exported[name]])) as unknown as Registry;
  }
  const problem = `the module's export ${wrong} is no object`;
  throw new InputError('bad_module', problem, EXPORT, { file: path }, exported[wrong]);
}
