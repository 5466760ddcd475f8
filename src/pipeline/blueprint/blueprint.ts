import { InputError } from '@alas-jssp/core/errors';
import {
  checkWorkflow,
  type DeclaredOptions,
  declareStep,
  defineWorkflow,
  type Finding,
  type Flow,
  firstAvailable,
  type Ref,
  type RepairSpec,
  type StepDefinition,
  type Workflow,
} from '@alas-jssp/workflow';
import { planPolicy } from '../../lcrp/plan/repair-plan.js';
import { pipelineSteps } from '../handlers/handlers.js';
import type { PipelineStep, RepairInput, RepairRound, StageVerdict } from '../step-values.js';
import { form, logSchemas, schemas } from './schemas.js';
import { type BlueprintSpec, type FilledSpec, fillSpec } from './spec.js';

/**
 * Builds the workflow that plans a job shop: Algorithm 1 of the ALAS paper. The checker, which is independent of the
 * builder, then verifies the template: its structure, its constraints and the coverage of the named disruptions. The
 * same spec gives the same workflow.
 *
 * @throws InputError `bad_variant`, `bad_number`; `no_blueprint` with the findings as its value if the checker finds an
 *   error, such as a disruption that no repair covers
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

/** Maximum number of log entries that a validator sees (κ). */
const SCOPE = { entries: 32 };

/** The invariant at the end of every run of the pipeline. */
const SUCCESS_HAS_MAKESPAN = '$output.status != "ok" or $type($output.makespan) = "number"';

/** Writes the workflow: roles, steps and their order, schemas, bounds, validators. */
function writeTemplate(spec: FilledSpec): Workflow {
  const { variant, rounds, repairs, repairer, disruptions } = spec;
  const asks = repairs && repairer === 'llm' ? { repairer } : {};
  const { workflow } = defineWorkflow(
    'job-shop',
    {
      description: 'plans a job shop, judges and repairs what is planned, and searches on from it',
      input: form('task'),
      output: form('outcome'),
      schemas,
      logSchemas,
      invariants: { 'success has a makespan': SUCCESS_HAS_MAKESPAN },
      meta: {
        blueprint: {
          variant,
          rounds: repairs ? rounds : 0,
          ...asks,
          disruptions: [...disruptions],
        },
      },
    },
    (flow, task) => planAndJudge(flow, task, spec),
  );
  return workflow;
}

/** The order of the steps in a variant (Table 6 of the paper): a plan that is rejected and not repaired ends there. */
function planAndJudge(flow: Flow, task: Ref<unknown>, spec: FilledSpec) {
  const { judge, repairs, optimizes } = spec;
  const steps = stepsOf(spec);
  const { candidate: plan } = flow.step(steps.plan, task);
  const validated =
    judge === 'validator' ? flow.step(steps.validate, { candidate: plan }) : undefined;
  const judged = judge === 'planner' ? flow.step(steps.selfCheck, { candidate: plan }) : validated;
  const repair = (): Ref<RepairRound> => {
    const findings = validated === undefined ? {} : { report: validated.report };
    const round = flow.loop<RepairInput, Ref<RepairRound>>(
      'repair',
      { candidate: plan, ...findings },
      repairRound(steps),
      repairLoop(spec),
    );
    if (optimizes && !spec.repairsBlindly) {
      const gate = { '$input.valid': () => {}, otherwise: 'supervise' };
      flow.choose('repaired', { valid: round.valid }, gate, { input: form('gate') });
    }
    return round;
  };
  let repaired: Ref<RepairRound | undefined> | undefined;
  if (judged !== undefined && hasVerdict(spec)) {
    const gate = { '$input.valid': () => {}, otherwise: repairs ? repair : 'supervise' };
    const round = flow.choose('verdict', { valid: judged.valid }, gate, { input: form('gate') });
    if (repairs) repaired = round;
  } else if (repairs) repaired = repair();
  const last = repaired === undefined ? plan : firstAvailable(repaired.candidate, plan);
  const checked = lastCheck(flow, steps, last, spec);
  const verdicts = [checked, repaired, validated].filter((one) => one !== undefined);
  const ends = firstAvailable(flow.caught(steps.fail), ...(verdicts as [Ref<StageVerdict>]));
  return flow.step(steps.supervise, { last: ends });
}

/** The search and the validation of its result, or only the validation of a result that no validator has seen. */
function lastCheck(
  flow: Flow,
  steps: Steps,
  candidate: Ref<RepairInput['candidate']>,
  spec: FilledSpec,
): Ref<StageVerdict> | undefined {
  if (!spec.optimizes) {
    return needsLastCheck(spec) ? flow.step(steps.finalCheck, { candidate }) : undefined;
  }
  const { candidate: found, lowerBound: bound, stage } = flow.step(steps.optimize, { candidate });
  const own = trustsClaims(spec) ? { stage } : {};
  return flow.step(steps.finalCheck, { candidate: found, bound, ...own });
}

/**
 * A round: a repair, its validation, and the supervisor, which passes on the input of the next round and of later
 * steps. A model gets the violations; after its last round its best plan is repaired by the protocol.
 */
function repairRound({ fix, revalidate, keep }: Steps) {
  return (flow: Flow, before: Ref<RepairInput>): Ref<RepairRound> => {
    const { candidate, feasible, details } = flow.step(fix, before);
    const { valid, makespan, stage, report } = flow.step(revalidate, { candidate });
    const verdict = { valid, makespan, stage, report };
    return flow.step(keep, { before, candidate, feasible, details, ...verdict });
  };
}

const CAUGHT = [{ errors: ['*'], handler: 'fail' }];

/** The options of the loop of repairs, which alone limits the number of rounds. */
function repairLoop({ turns, repairsBlindly }: FilledSpec) {
  return {
    input: form(repairsBlindly ? 'blindRepairInput' : 'repairInput'),
    output: form('repairRound'),
    until: '$output.valid or $output.feasible',
    most: turns,
    catch: CAUGHT,
    // The repair may change order and times.
    repairable: 'order',
  } as const;
}

type Steps = ReturnType<typeof stepsOf>;

/** The steps, each with role, schemas, bounds and log schema. A workflow has only the steps that its spec requires. */
function stepsOf(spec: FilledSpec) {
  const { budgets, repairer, rounds, repairsBlindly, optimizes } = spec;
  const asks = repairer === 'llm';
  const handler = asks ? 'llmRepair' : 'repair';
  const params = { ...(asks && { rounds }), ...(repairsBlindly && { blind: true }) };
  return {
    plan: stepBy('plan', 'plan', {
      role: 'planner',
      capabilities: { proposes: 'candidate' },
      output: form('proposedPlan'),
      timeout: budgets.plan,
      catch: CAUGHT,
    }),
    validate: validator('validate', 'plan'),
    // The planner judges its own plan, which the rule against self-approval forbids.
    selfCheck: stepBy('selfCheck', 'selfValidate', {
      role: 'planner',
      input: form('judgedPlan'),
      output: form('selfVerdict'),
      timeout: budgets.plan,
      catch: CAUGHT,
    }),
    fix: stepBy('fix', handler, {
      role: 'repair',
      ...(asks && { timeout: budgets.plan }),
      ...(Object.keys(params).length > 0 && { params }),
      capabilities: { repairs: 'candidate' },
      input: form(repairsBlindly ? 'blindRepairInput' : 'repairInput'),
      output: form('repairedPlan'),
      logSchemaRef: asks ? 'modelRepair' : 'repair',
      repair: boundsOf(spec, pipelineSteps[handler]),
    }),
    revalidate: validator('revalidate', 'repair'),
    keep: stepBy('keep', 'keepBest', {
      role: 'supervisor',
      params: { notes: true },
      output: form('repairRound'),
      logSchemaRef: 'repair',
    }),
    optimize: stepBy('optimize', 'optimize', {
      role: 'optimizer',
      capabilities: { improves: 'candidate' },
      ...(trustsClaims(spec) && { params: { believes: true } }),
      input: form('judgedPlan'),
      output: form('searchedPlan'),
      timeout: budgets.optimize,
      catch: CAUGHT,
    }),
    finalCheck: validator('finalCheck', optimizes ? 'optimize' : 'plan'),
    fail: stepBy('fail', 'fail', { role: 'supervisor', output: form('failure') }),
    supervise: stepBy('supervise', 'supervise', {
      role: 'supervisor',
      output: form('outcome'),
    }),
  };
}

/**
 * A validator: it sees a candidate and a slice of the log, and shares no handler with the step that made the candidate.
 */
function validator(name: string, stage: StageVerdict['stage']) {
  return stepBy(name, 'validate', {
    role: 'validator',
    params: { stage },
    context: SCOPE,
    input: form('judgedPlan'),
    output: form('verdict'),
    logSchemaRef: 'validator',
    // A step in the body of a loop has no catch: the loop itself has one.
    ...(stage !== 'repair' && { catch: CAUGHT }),
  });
}

type Handlers = typeof pipelineSteps;

/** A step with the types and the kind of its handler. */
type StepBy<K extends keyof Handlers> =
  Handlers[K] extends PipelineStep<infer I, infer O> ? StepDefinition<I, O> : never;

function stepBy<K extends keyof Handlers>(
  name: string,
  handler: K,
  // biome-ignore lint/suspicious/noExplicitAny: the handler has the types
  options: DeclaredOptions<any, any>,
): StepBy<K> {
  const { kind, covers }: PipelineStep = pipelineSteps[handler];
  return declareStep(name, { ...options, handler, kind, ...(covers && { covers }) }) as StepBy<K>;
}

/**
 * The bounds of one repair; the loop limits the number of repairs. They cover the named disruptions that the handler
 * supports.
 */
function boundsOf({ disruptions }: FilledSpec, { covers }: PipelineStep): RepairSpec {
  return {
    primitives: ['order', 'time'],
    maxRadius: planPolicy.radius.most,
    covers: disruptions.filter((kind) => covers?.includes(kind)),
  };
}

/** Whether a later step depends on the first verdict on a plan. */
function hasVerdict({ judge, repairs, optimizes }: FilledSpec): boolean {
  return judge === 'validator' ? repairs || optimizes : judge === 'planner' && repairs;
}

/** Whether, without a search, a result may be unvalidated. */
function needsLastCheck({ judge, repairs }: FilledSpec): boolean {
  return judge === 'planner' || (judge === null && !repairs);
}

/** Whether the search gets an unvalidated plan: then only a schedule with an earlier end is an improvement. */
function trustsClaims({ judge }: FilledSpec): boolean {
  return judge !== 'validator';
}
