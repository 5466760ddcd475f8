import { counted } from '../../../format.js';
import type { PageData } from '../../views/page-data.js';
import { DataTable, type TableColumn } from '../parts/data-table.js';
import { decimals, signed } from '../parts/numbers.js';
import { routeTo } from '../shell/route.js';
import { FailureList } from './failure-list.js';
import { type PlannerFailure, violationWords } from './failure-words.js';
import { OutcomeBars } from './outcome-bars.js';

/** Reasons of failed plans: by planner, by violation, and plan by plan. */
export function FailuresPage({ data }: { data: PageData }) {
  const { failures } = data;
  if (failures === null || failures.planners.length === 0) {
    return <p class="empty">No plan of this page could be judged.</p>;
  }
  const nameOf = plannerNamer(failures.planners);
  const broken = failures.planners.filter(({ violations }) => violations.length > 0);
  const asked = failures.planners.filter(({ models }) => models.length > 0);
  return (
    <>
      <h2>Why plans failed</h2>
      <p class="quiet">
        Plans as their planners handed them over, before any repair. Repairs by the methods that
        execute the same plan count once.
      </p>
      <OutcomeBars planners={failures.planners} nameOf={nameOf} />
      {failures.answers.length === 0 ? (
        <p>All of them are feasible.</p>
      ) : (
        <FailureList data={data} nameOf={nameOf} />
      )}
      {broken.length > 0 && (
        <Violations planners={broken} nameOf={nameOf} isOne={failures.planners.length === 1} />
      )}
      {asked.length > 0 && <Answers planners={asked} nameOf={nameOf} />}
      <Errors planners={failures.planners} nameOf={nameOf} />
      <p>
        <a href={routeTo('record')}>All records</a>
      </p>
    </>
  );
}

interface Props {
  readonly planners: readonly PlannerFailure[];
  readonly nameOf: (planner: PlannerFailure) => string;
}

/** Names of planners, with variant and topology if there are several. */
function plannerNamer(planners: readonly PlannerFailure[]) {
  const several = (key: 'variant' | 'topology') =>
    new Set(planners.map((one) => one[key])).size > 1;
  const hasVariants = several('variant');
  const hasTopologies = several('topology');
  return ({
    planner,
    variant,
    topology,
  }: Pick<PlannerFailure, 'planner' | 'variant' | 'topology'>) =>
    [
      planner,
      ...(hasVariants ? [variant] : []),
      ...(hasTopologies && topology ? [topology] : []),
    ].join(', ');
}

/** Classes of violations by planner, root causes first. */
function Violations({ planners, nameOf, isOne }: Props & { readonly isOne: boolean }) {
  const rows = planners.flatMap((planner) =>
    planner.violations.map((violation) => ({ ...violation, planner })),
  );
  type Row = (typeof rows)[number];
  const share = (count: number | null, { planner }: Row) =>
    count === null ? null : (100 * count) / planner.answers;
  const columns: readonly TableColumn<Row>[] = [
    ...(isOne
      ? []
      : [
          {
            key: 'planner',
            header: 'planner',
            about: 'The planner, as it was named',
            value: ({ planner }: Row) => nameOf(planner),
            minor: true,
          },
        ]),
    {
      key: 'code',
      header: 'violation',
      about: 'The rule that is broken, and its code in records',
      value: ({ code }) => code,
      show: ({ code }) => (
        <>
          {violationWords(code)} <span class="quiet">{code}</span>
        </>
      ),
    },
    {
      key: 'root',
      header: 'root cause in, %',
      about: 'Share of the plans in which it is no consequence of another violation',
      value: (row) => share(row.root_answers, row),
      show: (row) => decimals(share(row.root_answers, row), 1),
      ascending: false,
    },
    {
      key: 'found',
      header: 'found in, %',
      about: 'Share of the plans that have it at all',
      value: (row) => share(row.answers, row),
      show: (row) => decimals(share(row.answers, row), 1),
      ascending: false,
    },
    {
      key: 'count',
      header: 'violations',
      about: 'Number of such violations in all plans together',
      value: ({ violations }) => violations,
      ascending: false,
      minor: true,
    },
  ];
  return (
    <section>
      <h3>Which rules were broken</h3>
      <DataTable
        caption="Violations by planner"
        columns={columns}
        rows={rows}
        id={(row) => `${nameOf(row.planner)} ${row.code}`}
      />
    </section>
  );
}

/** Answers of models: readable share, claims, failed requests, and repairs. */
function Answers({ planners, nameOf }: Props) {
  const columns: readonly TableColumn<PlannerFailure>[] = [
    { key: 'planner', header: 'planner', about: 'The planner, as it was named', value: nameOf },
    {
      key: 'models',
      header: 'models',
      about: 'The models that answered, as their providers name them',
      value: ({ models }) => models.join(', '),
      minor: true,
    },
    {
      key: 'read',
      header: 'read, %',
      about:
        'Mean share of the operations about which the answer says something that could be read',
      value: ({ decoding }) => decoding?.read_percent ?? null,
      show: ({ decoding }) => decimals(decoding?.read_percent ?? null, 1),
    },
    {
      key: 'claims',
      header: 'true makespans',
      about: 'Plans that state the makespan that they have, of those that state one',
      value: ({ claims }) => claims.right,
      show: ({ claims }) => `${claims.right} of ${claims.stated}`,
    },
    {
      key: 'claimed',
      header: 'claimed − true, %',
      about: 'Median of (claimed makespan − true one) / true one; of infeasible plans after repair',
      value: ({ claims }) => claims.median_percent,
      show: ({ claims }) => signed(claims.median_percent, 1),
      minor: true,
    },
    {
      key: 'requests',
      header: 'requests',
      about:
        'Requests to providers; in brackets those refused for too many (429), timed out or failed',
      value: ({ requests }) => requests?.sent ?? null,
      show: ({ requests }) =>
        requests === null
          ? '–'
          : `${requests.sent} (${requests.rate_limited} × 429, ${requests.timed_out} timed out, ${requests.failed} failed)`,
      minor: true,
    },
    {
      key: 'model',
      header: 'repaired by model',
      about:
        'Infeasible plans that the model repaired from a list of violations, of those it was asked about',
      value: ({ repairs }) => repairs.by_model,
      show: ({ repairs }) => `${repairs.by_model} of ${repairs.asked}`,
    },
    {
      key: 'protocol',
      header: 'repaired by protocol',
      about: 'Infeasible plans that the repair protocol repaired: its work, not that of the model',
      value: ({ repairs }) => repairs.by_protocol,
    },
  ];
  return (
    <section>
      <h3>What models answered, and who repaired it</h3>
      <DataTable caption="Answers of models" columns={columns} rows={planners} id={nameOf} />
    </section>
  );
}

/** Errors that occur more than once are one line. */
function Errors({ planners, nameOf }: Props) {
  const errors = planners.flatMap((planner) =>
    planner.errors.map((one) => ({ ...one, name: nameOf(planner) })),
  );
  if (errors.length === 0) return null;
  return (
    <section>
      <h3>Errors</h3>
      <ul class="links">
        {errors.map(({ name, reason, answers, example }) => (
          <li key={`${name} ${reason}`} title={example}>
            {name}, {counted(answers, 'record')}: {reason}
          </li>
        ))}
      </ul>
    </section>
  );
}
