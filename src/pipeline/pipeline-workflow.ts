import type { Workflow } from '@alas-jssp/workflow';
import type { BlueprintSpec, Repairer, Variant } from './blueprint/spec.js';

/** The stages of a workflow, from the context of a pipeline. */
interface StageSettings {
  readonly variant?: Variant | undefined;
  readonly repair?:
    | (Pick<BlueprintSpec, 'rounds'> & { readonly by?: Repairer | undefined })
    | undefined;
  readonly optimize?: unknown;
}

const workflows = new Map<string, Workflow>();

/** Workflows by content: one from another thread is a new object every time. */
const known = new Map<string, Workflow>();

/** The first workflow with this content: a runtime plans and compiles each object once. */
export function sameWorkflow(workflow: Workflow): Workflow {
  const content = JSON.stringify(workflow);
  const first = known.get(content) ?? workflow;
  known.set(content, first);
  return first;
}

/**
 * The workflow for the requested stages; each is built and checked once.
 *
 * @param asks whether the planner uses a model, which can also repair its plans
 */
export async function pipelineWorkflow(
  { variant, repair, optimize }: StageSettings,
  asks = false,
): Promise<Workflow> {
  const rounds = repair === undefined ? 0 : repair.rounds;
  const repairer = asks ? repair?.by : undefined;
  const spec: BlueprintSpec = { variant, rounds, repairer, optimize: optimize !== undefined };
  const key = JSON.stringify(spec);
  const known = workflows.get(key);
  if (known !== undefined) return known;
  // The checker loads slowly, and callers with a given workflow do not need it.
  const { blueprint } = await import('./blueprint/blueprint.js');
  const built = blueprint(spec);
  workflows.set(key, built);
  return built;
}
