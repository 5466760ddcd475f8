import type * as z from 'zod';
import type { RunResult } from '../hosts/result.js';
import { runWorkflow } from '../hosts/run.js';
import type { NewRunOptions } from '../hosts/run-options.js';
import type { Registry } from '../interpreter/registry.js';
import { requireSoundWorkflow } from '../ir/check/sound.js';
import { WORKFLOW_SCHEMA, type Workflow } from '../ir/workflow.js';
import { toWorkflow } from '../ir/workflow-file.js';
import { createMemoryStore } from '../log/memory-store.js';
import { bodyOf, type Flow, knownHandlersOf, registryOf, type SharedParts } from './flow.js';
import type { AnyRef, Ref, ValueOf } from './reference.js';
import { jsonSchemaOf } from './schema.js';
import type { WorkflowDraft } from './step.js';

/** Options of a workflow besides its steps. */
export interface DefinitionOptions<In extends z.ZodType>
  extends Pick<WorkflowDraft, 'description' | 'meta' | 'schemas' | 'logSchemas'> {
  /** The form of the input of a run. */
  readonly input: In;
  /** The form of its output, which is checked at the end. Default: anything. */
  readonly output?: z.ZodType;
  /** The forms of messages by name that a run takes though no step waits for them. */
  readonly signals?: Readonly<Record<string, z.ZodType>>;
  /** Conditions by name, over `$input`, `$output` and the `$outputs` of steps by id. */
  readonly invariants?: Readonly<Record<string, string>>;
}

/** A workflow that was defined in code: its JSON form, and the handlers that its steps bring. */
export interface DefinedWorkflow<I, O> {
  readonly workflow: Workflow;
  readonly registry: Registry;
  /**
   * Runs it as `runWorkflow` does, in memory if no store is given. Declared steps need a registry among
   * the options, which replaces that of the steps.
   */
  run(input: I, options?: DefinedRunOptions): Promise<DefinedResult<O>>;
}

/** Options of a run of a workflow that was defined in code; all are optional. */
export type DefinedRunOptions = Partial<NewRunOptions>;

/** The result of a run, with the type of its output. */
export type DefinedResult<O> = Omit<RunResult, 'output'> & {
  /** Null unless the status is COMPLETED. */
  readonly output: O | null;
};

/**
 * Defines a workflow in code. `build` is called once and lists the steps, each after the one before. The
 * checker judges the workflow here, before any run of it.
 *
 * @param build lists the steps, and returns the output of the workflow
 * @throws InputError `unsound_workflow` and others if the checker finds errors
 */
export function defineWorkflow<In extends z.ZodType, R extends AnyRef>(
  name: string,
  options: DefinitionOptions<In>,
  build: (flow: Flow, input: Ref<z.input<In>>) => R,
): DefinedWorkflow<z.input<In>, ValueOf<R>> {
  const { input, output, signals = {}, invariants = {}, ...rest } = options;
  const schemas = { ...options.schemas };
  const shared: SharedParts = { policies: { plain: {} }, schemas, steps: new Map() };
  const body = bodyOf(shared, build);
  const { policies, steps } = shared;
  const schemaOf = (schema: z.ZodType, what: string) =>
    jsonSchemaOf(schema, 'request', what, schemas);
  const io = {
    input: schemaOf(input, `${name}Input`),
    ...(output && { output: jsonSchemaOf(output, 'output', `${name}Output`, schemas) }),
  };
  const messages = Object.entries(signals).map(([key, schema]) => [key, schemaOf(schema, key)]);
  const workflow = toWorkflow({
    ...rest,
    ...body,
    schema: WORKFLOW_SCHEMA,
    name,
    io,
    policies,
    defaultPolicy: 'plain',
    schemas,
    ...(messages.length > 0 && { signals: Object.fromEntries(messages) }),
    invariants: Object.entries(invariants).map(([key, holds]) => ({ name: key, holds })),
  });
  const registry = registryOf(steps.values());
  requireSoundWorkflow(workflow, { ...registry, handlers: knownHandlersOf(steps.values()) });
  return {
    workflow,
    registry,
    run: async (value, given) =>
      (await runWorkflow(workflow, value, {
        registry,
        store: createMemoryStore(),
        ...given,
      })) as DefinedResult<ValueOf<R>>,
  };
}
