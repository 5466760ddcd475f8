import type { Instance } from '../../jssp/instance.js';
import type { Objective } from '../../jssp/objectives.js';
import { seedOf } from '../../jssp/seeds.js';
import { resolveSource } from '../../jssp/suites.js';
import { endWords } from '../../jssp/words.js';
import { type PlanRepair, planPolicy, repairPlan } from '../../lcrp/plan/repair-plan.js';
import { withObjective } from '../../lcrp/policy/policy.js';
import { resolvePolicy } from '../../lcrp/policy/policy-file.js';
import { type Column, columnsOf } from '../../report/columns.js';
import { formatFixed, share, whole } from '../../report/format.js';
import { type ValidationReport, validate } from '../../validator/index.js';
import { withGivenObjective } from '../common/given-objective.js';
import { knownBounds } from '../common/known-bounds.js';
import type { OutputOptions } from '../common/options.js';
import { printError, remark, remarkVerdict } from '../common/output.js';
import { readPlanOf, warnIfOtherInstance, writePlanFile } from '../common/plan-files.js';
import { exitCode, type Session } from '../common/session.js';
import { datesOf, timeColumn, warnAfterShifts } from '../common/shop-times.js';
import { printRows } from '../common/tables.js';

/** The options of `alas-jssp repair` for a wrong plan. */
export interface RepairPlanOptions extends OutputOptions {
  seed: number;
  policy?: string;
  objective?: Objective;
  out?: string;
}

/** Makes a feasible schedule from an untrusted plan and returns the exit code. */
export async function repairWrongPlan(
  session: Session,
  spec: string,
  file: string,
  options: RepairPlanOptions,
): Promise<number> {
  const source = resolveSource(spec);
  const instance = source.load();
  const planFile = await readPlanOf(session, file, instance);
  const before = validate(instance, planFile.plan);
  const seed = seedOf(options.seed, source, 0, 'repair');
  const named = options.policy === undefined ? planPolicy : resolvePolicy(options.policy, instance);
  const policy = withGivenObjective(named, options.objective);
  const repaired = await repairPlan(instance, planFile.plan, { seed }, policy);
  const after = validate(instance, repaired.schedule, { bound: knownBounds(instance).lowerBound });
  const [wrong] = after.violations;
  if (repaired.feasible !== after.valid) throw new Error(`the repair is wrong: ${wrong.message}`);

  if (options.out !== undefined) writePlanFile(options.out, repaired.schedule, source.name);
  for (const line of warnIfOtherInstance(planFile, source.name)) remark(session, line);
  const { objective } = withObjective(instance, policy);
  const outcome = { ...outcomeOf(source.name, before, after, repaired), objective };
  const { makespan, makespan_before } = outcome;
  const dates = datesOf(instance, { makespan_before, makespan });
  const { format } = options;
  const data = { schema: 'alas-jssp/repair@1', ...outcome, ...dates };
  await printRows(session, format, columnsFor(instance), [outcome], data);
  remarkVerdict(session, format, describe(outcome, instance));
  warnAfterShifts(session, repaired.schedule);
  if (after.valid) return exitCode.done;
  printError(session, `no schedule keeps every limit: ${wrong.message}`);
  return exitCode.no;
}

type PlanRepairOutcome = ReturnType<typeof outcomeOf> & { readonly objective: Objective };

function outcomeOf(
  instance: string,
  before: ValidationReport,
  after: ValidationReport,
  { schedule, seedCoverage, keptOrder, dropped, corrected, inserted, rebuilt }: PlanRepair,
) {
  return {
    instance,
    phase: 'plan',
    violations_before: before.total,
    makespan_before: before.valid ? before.makespan : null,
    feasible: after.valid,
    makespan_rebuilt: rebuilt.makespan,
    makespan: schedule.makespan,
    seed_coverage: seedCoverage,
    kept_order: keptOrder,
    dropped,
    corrected,
    inserted,
  };
}

function describe(outcome: PlanRepairOutcome, shop: Instance): string {
  const { instance, feasible, makespan, seed_coverage, inserted } = outcome;
  const verdict = feasible ? 'feasible' : 'infeasible';
  const coverage = formatFixed(100 * seed_coverage, 1);
  return `${instance}: repaired, ${verdict}, ${endWords(shop, makespan)}, ${coverage} % of the operations from the plan, ${inserted} inserted`;
}

const column = columnsOf<PlanRepairOutcome>();
const columnsFor = (shop: Instance): Column<PlanRepairOutcome>[] => [
  column('instance'),
  column('phase', { minor: 6 }),
  column('violations_before', whole, { header: 'violations' }),
  timeColumn('makespan_before', shop, (row) => row.makespan_before, { minor: 4 }),
  column('feasible'),
  timeColumn('makespan_rebuilt', shop, (row) => row.makespan_rebuilt, {
    header: 'rebuilt',
    minor: 5,
  }),
  timeColumn('makespan', shop, (row) => row.makespan),
  column('seed_coverage', share(1), { header: 'covered %' }),
  column('kept_order', share(1), { header: 'kept order %', minor: 3 }),
  column.of('dropped', ({ dropped }) => sum(dropped), { format: whole, minor: 1 }),
  column.of('corrected', ({ corrected }) => sum(corrected), {
    header: 'corrected',
    format: whole,
    minor: 2,
  }),
  column('inserted', whole, { header: 'added' }),
  column('objective', { when: () => shop.due !== null, minor: 7 }),
];

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((a, b) => a + b, 0);
}
