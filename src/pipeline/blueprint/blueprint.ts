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
  const [{ message, hint }] = errors;
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  const problem = `there is no such workflow: ${message}${more}`;
  return new InputError('no_blueprint', problem, hint, {}, errors);
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
  | 'selfCheck'
  | 'verdict'
  | 'repair'
  | 'repaired'
  | 'optimize'
  | 'finalCheck'
  | 'fail'
  | 'supervise';

/** The nodes that a spec asks for, each with role, schemas, policy and log schema. */
function nodesOf(spec: FilledSpec): GraphBuilder<Id> {
  const { judge, repairs, optimizes, repairsBlindly } = spec;
  const plan = 'outputs.plan.candidate';
  let nodes: GraphBuilder<Id> = graph().task('plan', {
    role: 'planner',
    capabilities: { proposes: 'candidate' },
    io: { output: ref('proposedPlan') },
    policyRef: 'plan',
  });
  if (judge === 'validator') nodes = validator(nodes, 'validate', 'plan', { candidate: plan });
  if (judge === 'planner') nodes = selfCheck(nodes, plan);
  if (hasVerdict(spec)) nodes = gate(nodes, 'verdict', `outputs.${judgeOf(spec)}.valid`);
  if (repairs) {
    const findings = repairsBlindly ? {} : { report: 'outputs.validate.report' };
    nodes = nodes.map('repair', repairRound(spec), {
      input: { candidate: plan, ...findings },
      io: {
        input: ref(repairsBlindly ? 'blindRepairInput' : 'repairInput'),
        output: ref('repairRound'),
      },
      until: '$output.valid or $output.feasible',
      policyRef: 'rounds',
    });
    if (optimizes && !repairsBlindly) nodes = gate(nodes, 'repaired', 'outputs.repair.valid');
  }
  const last = repairs ? ['outputs.repair.candidate', plan] : plan;
  if (optimizes) nodes = search(nodes, last, judge !== 'validator');
  else if (needsLastCheck(spec))
    nodes = validator(nodes, 'finalCheck', 'plan', { candidate: last });
  const judges = ['finalCheck', 'repair', 'validate'].filter((id) =>
    nodes.body.nodes.some((node) => node.id === id),
  );
  return nodes
    .task('fail', { role: 'supervisor', io: { output: ref('failure') } })
    .task('supervise', {
      role: 'supervisor',
      input: { last: ['fail', ...judges].map((id) => `outputs.${id}`) },
      io: { output: ref('outcome') },
    });
}

/** The node that judges a plan before anything else is done with it. */
function judgeOf({ judge }: FilledSpec): 'selfCheck' | 'validate' {
  return judge === 'planner' ? 'selfCheck' : 'validate';
}

/** Whether that has a verdict from which something follows. */
function hasVerdict({ judge, repairs, optimizes }: FilledSpec): boolean {
  return judge === 'validator' ? repairs || optimizes : judge === 'planner' && repairs;
}

/** Whether, without a search, something may come to its end that no validator has judged. */
function needsLastCheck({ judge, repairs }: FilledSpec): boolean {
  return judge === 'planner' || (judge === null && !repairs);
}

function gate(nodes: GraphBuilder<Id>, id: 'verdict' | 'repaired', valid: string) {
  return nodes.choice(id, { input: { valid }, io: { input: ref('gate') } });
}

/** The planner asked about its own plan: what the rule against self-approval is there to forbid. */
function selfCheck(nodes: GraphBuilder<Id>, plan: string): GraphBuilder<Id> {
  return nodes.task('selfCheck', {
    role: 'planner',
    handler: 'selfValidate',
    input: { candidate: plan },
    io: { input: ref('judgedPlan'), output: ref('selfVerdict') },
    policyRef: 'plan',
  });
}

/**
 * The search and the check of what it found. One that is given what no validator has judged believes it:
 * only what ends before the plan says is an improvement.
 */
function search(
  nodes: GraphBuilder<Id>,
  candidate: string | string[],
  believes: boolean,
): GraphBuilder<Id> {
  const found = { candidate: 'outputs.optimize.candidate', bound: 'outputs.optimize.lowerBound' };
  const searched = nodes.task('optimize', {
    role: 'optimizer',
    capabilities: { improves: 'candidate' },
    ...(believes ? { params: { believes } } : {}),
    input: { candidate },
    io: { input: ref('judgedPlan'), output: ref('searchedPlan') },
    policyRef: 'optimize',
  });
  const own = believes ? { stage: 'outputs.optimize.stage' } : {};
  return validator(searched, 'finalCheck', 'optimize', { ...found, ...own });
}

/** A validator: it sees a candidate and a slice of the log, and shares no handler with who made it. */
function validator<Ids extends string, New extends string>(
  nodes: GraphBuilder<Ids>,
  id: New,
  stage: 'plan' | 'repair' | 'optimize',
  input: Record<string, string | string[]>,
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
  const { repairer, rounds, repairsBlindly } = spec;
  const asked = { params: { rounds }, policyRef: 'llmRepair' };
  const handler = repairer === 'llm' ? 'llmRepair' : 'repair';
  const fix = graph().task('fix', {
    role: 'repair',
    handler,
    ...(repairer === 'llm' ? asked : {}),
    ...(repairsBlindly ? { params: { blind: true } } : {}),
    capabilities: { repairs: 'candidate' },
    io: {
      input: ref(repairsBlindly ? 'blindRepairInput' : 'repairInput'),
      output: ref('repairedPlan'),
    },
    logSchemaRef: 'repair',
    repair: boundsOf(spec, pipelineSteps[handler]),
  });
  return validator(fix, 'revalidate', 'repair', { candidate: 'outputs.fix.candidate' })
    .task('keep', {
      role: 'supervisor',
      handler: 'keepBest',
      params: { notes: true },
      input: { before: 'input', ...ROUND },
      io: { output: ref('repairRound') },
      logSchemaRef: 'repair',
    })
    .sequence('fix', 'revalidate', 'keep');
}

/** The edges of the variant (Table 6 of the paper): what is refused and not repaired ends there. */
function connect(nodes: GraphBuilder<Id>, spec: FilledSpec): GraphBuilder<Id> {
  const { judge, repairs, optimizes, repairsBlindly } = spec;
  const isChecked = optimizes || needsLastCheck(spec);
  const next = optimizes ? 'optimize' : needsLastCheck(spec) ? 'finalCheck' : 'supervise';
  let edges = nodes.sequence('fail', 'supervise');
  if (isChecked) edges = edges.sequence('finalCheck', 'supervise');
  if (optimizes) edges = edges.sequence('optimize', 'finalCheck');
  if (repairs && optimizes && !repairsBlindly) {
    edges = edges
      .sequence('repair', 'repaired')
      .branch('repaired', next, '$input.valid')
      .otherwise('repaired', 'supervise');
  } else if (repairs) edges = edges.sequence('repair', next);
  if (judge === null) return edges.sequence('plan', repairs ? 'repair' : next);
  edges = edges.sequence('plan', judgeOf(spec));
  if (!hasVerdict(spec)) return edges.sequence(judgeOf(spec), next);
  return edges
    .sequence(judgeOf(spec), 'verdict')
    .branch('verdict', next, '$input.valid')
    .otherwise('verdict', repairs ? 'repair' : 'supervise');
}
