import type { TrialSystem } from '@alas-jssp/agents';
import { errorLine } from '@alas-jssp/core/errors';
import {
  createSimulation,
  type DoneEffect,
  type Json,
  type Registry,
  type RunResult,
  resumeRun,
  runWorkflow,
  type SimulatedProcess,
  type StepContext,
  type Workflow,
} from '@alas-jssp/workflow';
import { faultOf } from '../rehearsal/fault.js';
import type { CallingWorld } from '../rehearsal/faulty-call.js';
import { createKillingStore } from '../rehearsal/killing-store.js';
import { rehearseTools } from '../rehearsal/rehearsed-tools.js';
import { createDraftRegistry, type RunnableDraft } from '../running/draft-registry.js';
import { compileTemplate, toolOfNode } from '../template/compile.js';
import { compensatorName } from '../template/node-policies.js';
import type { TemplateNode, Undo } from '../template/template.js';
import type { TrialCase } from './trial-cases.js';

/** A node whose undo is tried: a workflow of its own, in which a later step fails. */
export interface UndoUnderTrial {
  readonly node: TemplateNode;
  readonly undo: Undo;
  readonly draft: RunnableDraft;
  readonly workflow: Workflow;
}

/** The end of a trial. */
export interface TrialEnd {
  readonly result: RunResult | undefined;
  /** The error of the compensator that was called again. */
  readonly repeated?: string | undefined;
  /** Calls that reached the system, with what they answered, in order. */
  readonly calls: readonly string[];
  readonly appends: number;
}

const RUN_ID = 'trial';

/** The step after the node: it fails, so that the run undoes the node. */
const LATER = 'later-step';

/** Makes the workflow in which the undo of a node is tried, with the policies that the node has in its own workflow. */
export function undoUnderTrial(
  node: TemplateNode,
  undo: Undo,
  draft: Pick<RunnableDraft, 'specification' | 'template' | 'catalogue'>,
): UndoUnderTrial {
  const { id, details } = node;
  const { forEach: _, approval: __, approvers: ___, catch: ____, ...kept } = details;
  const input = Object.fromEntries(Object.keys(details.input).map((key) => [key, `input.${key}`]));
  const alone: TemplateNode = { ...node, details: { ...kept, input, sees: [], log: [] } };
  const later: TemplateNode = {
    id: LATER,
    work: 'compute',
    role: null,
    does: 'fails',
    operation: null,
    details: { id: LATER, input: {}, sees: [], log: [] },
  };
  const { output: _____, ...rest } = draft.template;
  const template = {
    ...rest,
    nodes: [alone, later],
    edges: [{ from: id, to: LATER, repairable: 'none' as const }],
    constraintCoverage: [],
    disruptionCoverage: [],
    undo: [undo],
  };
  const small: RunnableDraft = { ...draft, template, agents: [], files: {} };
  const { workflow } = compileTemplate(
    template,
    { ...draft.specification, inputs: [] },
    draft.catalogue,
  );
  // Tools check their inputs and outputs themselves; compiling schemas for each run would take most of its time.
  const nodes = workflow.nodes.map((one) => ({ ...one, io: {} }));
  return { node: alone, undo, draft: small, workflow: { ...workflow, nodes, io: {} } };
}

/** Runs the workflow of an undo in simulated time against a trial system, with the faults of a case. */
export async function runTrial(
  { node, undo, draft, workflow }: UndoUnderTrial,
  trial: TrialSystem,
  input: Json,
  { calls, kills, again }: TrialCase,
  betweenCallAndUndo: () => Promise<void>,
): Promise<TrialEnd> {
  const killed = new Set<SimulatedProcess>();
  let process: SimulatedProcess | undefined;
  const killing = createKillingStore(
    kills,
    () => {
      if (process !== undefined) killed.add(process);
      process?.kill();
    },
    () => {},
  );
  const simulation = createSimulation({ seed: 'trial of an undo', store: killing.store });
  const world: CallingWorld = {
    clock: simulation.clock,
    faultAt: (place) => faultOf({ calls }, place),
    timeoutOf: () => node.details.timeout ?? 60,
    refusalOf: () => toolOfNode(node, draft.catalogue)?.refusals[0],
    isAlive: () => process !== undefined && !killed.has(process),
    note: () => {},
  };
  const { store } = simulation;
  const entries = () => (store.runs().includes(RUN_ID) ? [...store.read({ runId: RUN_ID })] : []);
  const recorded = recordCalls(trial);
  const tools = rehearseTools(
    recorded.system,
    () => world,
    () => entries().length,
  );
  const own = createDraftRegistry(draft, {
    toolset: tools,
    agentHandler: () => ({
      run: async () => {
        await betweenCallAndUndo();
        throw new Error('a later step fails: as tried');
      },
    }),
  });
  const effects: { effect: DoneEffect; context: StepContext }[] = [];
  const registry = watchCompensator(own, undo.node, (effect, context) => {
    effects.push({ effect, context });
  });
  let result: RunResult | undefined;
  simulation.start('owner', async (started) => {
    process = started;
    const options = { ...started.options, registry: started.registry(registry) };
    result = store.runs().includes(RUN_ID)
      ? await resumeRun(started.store, RUN_ID, options)
      : await runWorkflow(workflow, input, {
          ...options,
          store: started.store,
          runId: RUN_ID,
          unchecked: true,
        });
  });
  await simulation.run();
  const last = effects.at(-1);
  const repeated = again && last !== undefined ? await undoAgain(own, undo, last) : undefined;
  return { result, repeated, calls: recorded.lines, appends: killing.appends() };
}

/** Calls the compensator once more for the same effect, as after a crash: it sees the log of before. */
async function undoAgain(
  registry: Registry,
  { node }: Undo,
  { effect, context }: { effect: DoneEffect; context: StepContext },
): Promise<string | undefined> {
  const seen = context.slice().filter(({ eventType }) => eventType !== 'Compensated');
  const again: StepContext = { ...context, attempt: context.attempt + 1, slice: () => seen };
  try {
    await registry.compensators?.[compensatorName(node)].run(effect, again);
    return undefined;
  } catch (error) {
    return errorLine(error);
  }
}

function watchCompensator(
  registry: Registry,
  node: string,
  onCall: (effect: DoneEffect, context: StepContext) => void,
): Registry {
  const name = compensatorName(node);
  const compensator = registry.compensators?.[name];
  if (compensator === undefined) return registry;
  return {
    ...registry,
    compensators: {
      ...registry.compensators,
      [name]: {
        ...compensator,
        run: (effect, context) => {
          onCall(effect, context);
          return compensator.run(effect, context);
        },
      },
    },
  };
}

/** A trial system whose calls are kept in words. */
function recordCalls(trial: TrialSystem): { system: TrialSystem; lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    system: {
      ...trial,
      async call(name, input, call) {
        const line = `${name}(${short(input)})`;
        try {
          const output = await trial.call(name, input, call);
          lines.push(`${line} answers ${short(output)}`);
          return output;
        } catch (error) {
          lines.push(`${line} fails: ${errorLine(error)}`);
          throw error;
        }
      },
    },
  };
}

const SHOWN = 120;

function short(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
