import {
  type GraphBuilder,
  graph,
  type Policy,
  toWorkflow,
  type Workflow,
} from '../../workflow/index.js';
import { logSchemas, ref, schemas } from './schemas.js';
import type { FilledSpec } from './spec.js';

/** Entries of the log that a validator sees at most (κ). */
const SCOPE = { entries: 32 };

/** What every run of the pipeline ends with. */
const SUCCESS_HAS_MAKESPAN = '$output.status != "ok" or $type($output.makespan) = "number"';

/** Edges along which a candidate goes to be reworked: a repair may change orders and times there. */
const REWORKED = ['repair', 'optimize'];

/**
 * Drafts the workflow of a spec: roles and nodes, edges, schemas, policies, log schemas and
 * validators (Algorithm 1, lines 1 to 8). Bounds are left to refinement.
 */
export function draftWorkflow(spec: FilledSpec): Workflow {
  const { variant, rounds, repairs, repairer, disruptions } = spec;
  const asks = repairs && repairer === 'llm' ? { repairer } : {};
  const draft = connect(nodesOf(spec), spec).build('job-shop', {
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
  const edges = draft.edges.map((edge) =>
    REWORKED.includes(edge.to) ? { ...edge, repairable: 'order' } : edge,
  );
  return toWorkflow({ ...draft, edges });
}

function policiesOf({ repairs, repairer, optimizes, budgets }: FilledSpec): Record<string, Policy> {
  const caught = { catch: [{ errors: ['*'], handler: 'giveUp' }] };
  return {
    plain: {},
    plan: caught,
    compute: caught,
    ...(repairs ? { rounds: caught } : {}),
    ...(repairs && repairer === 'llm' ? { mend: { timeout: { seconds: budgets.plan } } } : {}),
    ...(optimizes ? { optimize: caught } : {}),
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
  | 'giveUp'
  | 'supervise';

/** The nodes that a spec asks for, each with role, schemas, policy and log schema. */
function nodesOf({
  validates,
  repairs,
  repairer,
  rounds,
  optimizes,
}: FilledSpec): GraphBuilder<Id> {
  let nodes: GraphBuilder<Id> = graph().task('plan', {
    role: 'planner',
    capabilities: { proposes: 'candidate' },
    io: { output: ref('proposed') },
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
    const candidate = 'outputs.plan.candidate';
    const asked = { candidate, report: 'outputs.validate.report' };
    nodes = nodes.map('repair', repairer === 'llm' ? askedRound(rounds) : repairRound(), {
      input: repairer === 'llm' ? asked : { candidate },
      io: { input: ref('round'), output: ref('revalidated') },
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
      io: { input: ref('judged'), output: ref('found') },
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
    .task('giveUp', { role: 'supervisor', io: { output: ref('failure') } })
    .task('supervise', {
      role: 'supervisor',
      input: { last: ['giveUp', ...last].map((id) => `outputs.${id}`) },
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
    io: { input: ref('judged'), output: ref('verdict') },
    // The body of a loop has no node that catches: the loop itself is caught.
    policyRef: stage === 'repair' ? 'plain' : 'compute',
    logSchemaRef: 'validator',
  });
}

/** What a round gives. */
const GATHERED = {
  candidate: 'outputs.fix.candidate',
  feasible: 'outputs.fix.feasible',
  details: 'outputs.fix.details',
  valid: 'outputs.revalidate.valid',
  makespan: 'outputs.revalidate.makespan',
  stage: 'outputs.revalidate.stage',
  report: 'outputs.revalidate.report',
};

/** A round: repair, revalidate, and put together what the next round and the others need. */
function repairRound(): GraphBuilder<'fix' | 'revalidate' | 'gather'> {
  const fix = graph().task('fix', {
    role: 'repair',
    handler: 'repair',
    capabilities: { repairs: 'candidate' },
    io: { input: ref('round'), output: ref('repaired') },
    logSchemaRef: 'repair',
    repair: { primitives: ['order', 'time'] },
  });
  return validator(fix, 'revalidate', 'repair', { candidate: 'outputs.fix.candidate' })
    .task('gather', {
      input: GATHERED,
      io: { output: ref('revalidated') },
      logSchemaRef: 'repair',
    })
    .sequence('fix', 'revalidate', 'gather');
}

/**
 * A round of a model: it is told what is wrong, or, after the last round, its best plan is repaired;
 * the supervisor keeps the better of what was there and what came of it.
 */
function askedRound(rounds: number): GraphBuilder<'fix' | 'revalidate' | 'gather'> {
  const fix = graph().task('fix', {
    role: 'repair',
    handler: 'mend',
    params: { rounds },
    capabilities: { repairs: 'candidate' },
    io: { input: ref('round'), output: ref('repaired') },
    policyRef: 'mend',
    logSchemaRef: 'repair',
    repair: { primitives: ['order', 'time'] },
  });
  return validator(fix, 'revalidate', 'repair', { candidate: 'outputs.fix.candidate' })
    .task('gather', {
      role: 'supervisor',
      handler: 'choose',
      input: { before: 'input', ...GATHERED },
      io: { output: ref('revalidated') },
      logSchemaRef: 'repair',
    })
    .sequence('fix', 'revalidate', 'gather');
}

/** The edges of the variant (Table 6 of the paper): what is refused and not repaired ends there. */
function connect(
  nodes: GraphBuilder<Id>,
  { validates, repairs, optimizes }: FilledSpec,
): GraphBuilder<Id> {
  const next = optimizes ? 'optimize' : 'supervise';
  let edges = nodes.sequence('giveUp', 'supervise');
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
