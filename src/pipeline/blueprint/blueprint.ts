import { InputError } from '../../core/errors.js';
import { planPolicy } from '../../lcrp/plan/repair-plan.js';
import {
  checkWorkflow,
  type Finding,
  type GraphBuilder,
  graph,
  type Policy,
  type RepairSpec,
  toWorkflow,
  type Workflow,
} from '../../workflow/index.js';
import { pipelineSteps } from '../handlers/handlers.js';
import type { PipelineStep } from '../step-values.js';
import { logSchemas, ref, schemas } from './schemas.js';
import { type BlueprintSpec, type FilledSpec, fillSpec } from './spec.js';

/**
 * Builds the workflow by which a job shop is planned: Algorithm 1 of the ALAS paper. The template is
 * complete when it is written; then the checker, which knows nothing of who made it, goes over its
 * structure, its constraints and the coverage of the disruptions that are named. The same spec gives the
 * same workflow.
 *
 * @throws InputError `bad_variant`, `bad_number`; `no_blueprint` with the findings as its value if
 *   the checker finds an error, such as a disruption that no repair covers
 */
export function blueprint(spec: BlueprintSpec = {}): Workflow {
  const filled = fillSpec(spec);
  const { disruptions } = filled;
  const workflow = writeTemplate(filled);
  const findings = checkWorkflow(workflow, { handlers: pipelineSteps, disruptions });
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw refusal(errors);
  return workflow;
}

function refusal(errors: readonly Finding[]): InputError {
  const [{ message, cure }] = errors;
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  const problem = `there is no such workflow: ${message}${more}`;
  return new InputError('no_blueprint', problem, cure, {}, errors);
}

/** Entries of the log that a validator sees at most (κ). */
const SCOPE = { entries: 32 };

/** The invariant that every run of the pipeline ends with. */
const SUCCESS_HAS_MAKESPAN = '$output.status != "ok" or $type($output.makespan) = "number"';

/** Writes the workflow: roles and nodes, edges, schemas, policies with their bounds, validators. */
function writeTemplate(spec: FilledSpec): Workflow {
  const { variant, rounds, repairs, repairer, disruptions } = spec;
  const asks = repairs && repairer === 'llm' ? { repairer } : {};
  const built = connect(nodesOf(spec), spec).build('job-shop', {
    description: 'plans a job shop, judges and repairs what is planned, and searches on from it',
    io: { input: ref('task'), output: ref('outcome') },
    schemas,
    logSchemas,
    policies: policiesOf(spec),
    defaultPolicy: 'plain',
    invariants: [{ name: 'success has a makespan', holds: SUCCESS_HAS_MAKESPAN }],
    meta: {
      blueprint: { variant, rounds: repairs ? rounds : 0, ...asks, disruptions: [...disruptions] },
    },
  });
  // What goes to the repair may get another order and other times there.
  const edges = built.edges.map((edge) =>
    edge.to === 'repair' ? { ...edge, repairable: 'order' } : edge,
  );
  return toWorkflow({ ...built, edges });
}

function policiesOf(spec: FilledSpec): Record<string, Policy> {
  const { repairs, repairer, optimizes, budgets, turns } = spec;
  const caught = { catch: [{ errors: ['*'], handler: 'fail' }] };
  const within = (seconds: number): Policy => ({ timeout: { seconds } });
  return {
    plain: {},
    plan: { ...caught, ...within(budgets.plan) },
    compute: caught,
    ...(repairs ? { rounds: { ...caught, loopGuards: { maxIters: turns } } } : {}),
    ...(repairs && repairer === 'llm' ? { llmRepair: within(budgets.plan) } : {}),
    ...(optimizes ? { optimize: { ...caught, ...within(budgets.optimize) } } : {}),
  };
}

/** The bounds of repairs; of the disruptions that are named they cover those that the handler deals with. */
function boundsOf({ turns, disruptions }: FilledSpec, { covers }: PipelineStep): RepairSpec {
  return {
    primitives: ['order', 'time'],
    maxRadius: planPolicy.radius.most,
    maxRounds: turns,
    covers: disruptions.filter((kind) => covers?.includes(kind)),
  };
}

type Id =
  | 'plan'
  | 'validate'
  | 'verdict'
  | 'repair'
  | 'repaired'
  | 'optimize'
  | 'finalCheck'
  | 'fail'
  | 'supervise';

/** The nodes that a spec asks for, each with role, schemas, policy and log schema. */
function nodesOf(spec: FilledSpec): GraphBuilder<Id> {
  const { validates, repairs, optimizes } = spec;
  let nodes: GraphBuilder<Id> = graph().task('plan', {
    role: 'planner',
    capabilities: { proposes: 'candidate' },
    io: { output: ref('proposedPlan') },
    policyRef: 'plan',
  });
  if (validates)
    nodes = validator(nodes, 'validate', 'plan', { candidate: 'outputs.plan.candidate' });
  if (validates && (repairs || optimizes)) {
    nodes = nodes.choice('verdict', {
      input: { valid: 'outputs.validate.valid' },
      io: { input: ref('gate') },
    });
  }
  if (repairs) {
    nodes = nodes.map('repair', repairRound(spec), {
      input: { candidate: 'outputs.plan.candidate', report: 'outputs.validate.report' },
      io: { input: ref('repairInput'), output: ref('repairRound') },
      until: '$output.valid or $output.feasible',
      policyRef: 'rounds',
    });
    if (optimizes) {
      nodes = nodes.choice('repaired', {
        input: { valid: 'outputs.repair.valid' },
        io: { input: ref('gate') },
      });
    }
  }
  if (optimizes) {
    const plan = 'outputs.plan.candidate';
    nodes = nodes.task('optimize', {
      role: 'optimizer',
      capabilities: { improves: 'candidate' },
      input: { candidate: repairs ? ['outputs.repair.candidate', plan] : plan },
      io: { input: ref('judgedPlan'), output: ref('searchedPlan') },
      policyRef: 'optimize',
    });
    const bound = 'outputs.optimize.lowerBound';
    const found = { candidate: 'outputs.optimize.candidate', bound };
    nodes = validator(nodes, 'finalCheck', 'optimize', found);
  } else if (!validates) {
    nodes = validator(nodes, 'finalCheck', 'plan', { candidate: 'outputs.plan.candidate' });
  }
  const last = ['finalCheck', 'repair', 'validate'].filter((id) =>
    nodes.body.nodes.some((node) => node.id === id),
  );
  return nodes
    .task('fail', { role: 'supervisor', io: { output: ref('failure') } })
    .task('supervise', {
      role: 'supervisor',
      input: { last: ['fail', ...last].map((id) => `outputs.${id}`) },
      io: { output: ref('outcome') },
    });
}

/** A validator: it sees a candidate and a slice of the log, and shares no handler with who made it. */
function validator<Ids extends string, New extends string>(
  nodes: GraphBuilder<Ids>,
  id: New,
  stage: 'plan' | 'repair' | 'optimize',
  input: Record<string, string>,
): GraphBuilder<Ids | New> {
  return nodes.task(id, {
    role: 'validator',
    handler: 'validate',
    params: { stage },
    context: SCOPE,
    input,
    io: { input: ref('judgedPlan'), output: ref('verdict') },
    // The body of a loop has no node that catches: the loop itself is caught.
    policyRef: stage === 'repair' ? 'plain' : 'compute',
    logSchemaRef: 'validator',
  });
}

/** The parts of what a round hands on. */
const ROUND = {
  candidate: 'outputs.fix.candidate',
  feasible: 'outputs.fix.feasible',
  details: 'outputs.fix.details',
  valid: 'outputs.revalidate.valid',
  makespan: 'outputs.revalidate.makespan',
  stage: 'outputs.revalidate.stage',
  report: 'outputs.revalidate.report',
};

/**
 * A round: a repair, the verdict on it, and the supervisor, who hands on what the next round and the
 * others need. A model is told what is wrong; after its last round its best plan is repaired.
 */
function repairRound(spec: FilledSpec): GraphBuilder<'fix' | 'revalidate' | 'keep'> {
  const { repairer, rounds } = spec;
  const asked = { params: { rounds }, policyRef: 'llmRepair' };
  const handler = repairer === 'llm' ? 'llmRepair' : 'repair';
  const fix = graph().task('fix', {
    role: 'repair',
    handler,
    ...(repairer === 'llm' ? asked : {}),
    capabilities: { repairs: 'candidate' },
    io: { input: ref('repairInput'), output: ref('repairedPlan') },
    logSchemaRef: 'repair',
    repair: boundsOf(spec, pipelineSteps[handler]),
  });
  return validator(fix, 'revalidate', 'repair', { candidate: 'outputs.fix.candidate' })
    .task('keep', {
      role: 'supervisor',
      handler: 'keepBest',
      input: { before: 'input', ...ROUND },
      io: { output: ref('repairRound') },
      logSchemaRef: 'repair',
    })
    .sequence('fix', 'revalidate', 'keep');
}

/** The edges of the variant (Table 6 of the paper): what is refused and not repaired ends there. */
function connect(
  nodes: GraphBuilder<Id>,
  { validates, repairs, optimizes }: FilledSpec,
): GraphBuilder<Id> {
  const next = optimizes ? 'optimize' : 'supervise';
  let edges = nodes.sequence('fail', 'supervise');
  if (optimizes) edges = edges.sequence('optimize', 'finalCheck', 'supervise');
  if (!validates) {
    return optimizes
      ? edges.sequence('plan', 'optimize')
      : edges.sequence('plan', 'finalCheck', 'supervise');
  }
  edges = edges.sequence('plan', 'validate');
  if (!repairs && !optimizes) return edges.sequence('validate', 'supervise');
  edges = edges
    .sequence('validate', 'verdict')
    .branch('verdict', next, '$input.valid')
    .otherwise('verdict', repairs ? 'repair' : 'supervise');
  if (!repairs) return edges;
  if (!optimizes) return edges.sequence('repair', 'supervise');
  return edges
    .sequence('repair', 'repaired')
    .branch('repaired', 'optimize', '$input.valid')
    .otherwise('repaired', 'supervise');
}
