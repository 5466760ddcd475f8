import type { Workflow } from '../workflow/index.js';
import type { BlueprintSpec, Repairer, Variant } from './blueprint/spec.js';

/** The stages that a workflow is to have, as the context of a pipeline says it. */
interface Stages {
  readonly variant?: Variant | undefined;
  readonly repair?:
    | { readonly rounds?: number | undefined; readonly by?: Repairer | undefined }
    | undefined;
  readonly optimize?: unknown;
}

const workflows = new Map<string, Workflow>();

/** Workflows by their content: one that came from another thread is an object of its own every time. */
const known = new Map<string, Workflow>();

/** The first workflow that has this content: a runtime plans and compiles each object once. */
export function sameWorkflow(workflow: Workflow): Workflow {
  const content = JSON.stringify(workflow);
  const first = known.get(content) ?? workflow;
  known.set(content, first);
  return first;
}

/**
 * The workflow for what is asked for; each is built and checked once.
 *
 * @param asks whether the planner asks a model, which can repair its plans, too
 */
export async function pipelineWorkflow(
  { variant, repair, optimize }: Stages,
  asks = false,
): Promise<Workflow> {
  const rounds = repair === undefined ? 0 : repair.rounds;
  const repairer = asks ? repair?.by : undefined;
  const spec: BlueprintSpec = { variant, rounds, repairer, optimize: optimize !== undefined };
  const key = JSON.stringify(spec);
  const known = workflows.get(key);
  if (known !== undefined) return known;
  // The checker takes long to load, and who is handed a workflow does not need it.
  const { blueprint } = await import('./blueprint/blueprint.js');
  const built = blueprint(spec);
  workflows.set(key, built);
  return built;
}
