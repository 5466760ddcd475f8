import { factsOf, type Registry, requireSoundWorkflow } from '@alas-jssp/workflow';
import {
  checkRegistry,
  codeOf,
  type Json,
  planWorkflow,
  type TaskNode,
  type Workflow,
} from '@alas-jssp/workflow/interpreter';
import { createSchemaChecks } from '@alas-jssp/workflow/interpreter/schema-check';
import { ApplicationFailure } from '@temporalio/common';
import { InputError } from 'alas-jssp';
import {
  factsKey,
  NOT_HERE,
  type RegistryFacts,
  type StepCall,
  type TaskFacts,
} from './protocol.js';

/** The failure of a worker that lacks a registered function. */
export function notHere(what: string): ApplicationFailure {
  const lack = what.replace('the registry has ', '');
  const message = `this worker has ${lack}; start one with the handlers of the workflow (--handlers)`;
  return ApplicationFailure.retryable(message, NOT_HERE);
}

/** The facts of a registry about a workflow, which is checked, as is its input. */
export function lookUp(
  registry: Registry,
  call: Extract<StepCall, { kind: 'facts' }>,
): RegistryFacts {
  const { workflow, input, unchecked, violations } = call;
  const plan = planWorkflow(workflow);
  try {
    checkRegistry(plan, registry);
  } catch (error) {
    throw codeOf(error) === 'bad_registry' ? notHere((error as Error).message) : error;
  }
  const missing = violations.find((code) => !Object.hasOwn(registry.violations ?? {}, code));
  if (missing !== undefined) throw notHere(`nothing that violates ${missing}`);
  if (!unchecked) requireSoundWorkflow(workflow, registry);
  requireInput(workflow, input);
  const tasks: Record<string, TaskFacts> = {};
  for (const task of tasksOf(workflow)) {
    const { input: coded, output, child } = registry.handlers[task.handler ?? task.id];
    const more = { input: coded !== undefined, output: output !== undefined };
    tasks[factsKey(task)] = { ...factsOf(registry, task), ...more, child: child?.workflow };
  }
  const undoing = Object.entries(registry.compensators ?? {});
  const ofChildren = undoing.flatMap(([name, { ofChild }]) => (ofChild === true ? [name] : []));
  return { tasks, input: registry.input !== undefined, ofChildren };
}

/** Rejects an input that does not match the schema of the workflow. */
function requireInput(workflow: Workflow, input: Json): void {
  const { input: schema } = workflow.io;
  if (schema === undefined) return;
  const [first, ...more] = createSchemaChecks(workflow.schemas)(schema)(input);
  if (first === undefined) return;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const problem = `${workflow.name} cannot begin: the input does not fit io.input: ${first}${rest}`;
  throw new InputError('bad_input', problem, 'give an input that fits', {}, input);
}

/** All tasks of a workflow, also of branches and iterations. */
function tasksOf({ nodes }: Pick<Workflow, 'nodes'>): TaskNode[] {
  return nodes.flatMap((node) => {
    if (node.type === 'task') return [node];
    if (node.type === 'parallel') return Object.values(node.branches).flatMap(tasksOf);
    return node.type === 'map' ? tasksOf(node.body) : [];
  });
}
