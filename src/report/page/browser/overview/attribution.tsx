import type { PageData } from '../../views/page-data.js';
import { DataTable, type TableColumn } from '../parts/data-table.js';
import { decimals, signed } from '../parts/numbers.js';
import { plannerWithMark } from '../parts/planner-mark.js';

type ShareLine = NonNullable<PageData['attribution']>['shares'][number];

interface Props {
  readonly data: PageData;
  readonly suite: string | null;
}

/** The shares of plan, repair and search in the final schedules, for runs that measured them. */
export function AttributionTable({ data: { attribution }, suite }: Props) {
  if (attribution === null) return null;
  const suites = new Set(attribution.shares.map((row) => row.suite));
  const shown = suites.size === 1 ? [...suites][0] : suite;
  const rows = attribution.shares.filter((row) => row.suite === shown);
  return (
    <section>
      <h3>Who did it?</h3>
      {attribution.findings.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p class="quiet">
        Shares in the gain over a random plan: what is lost if a control replaces the plan, and what
        the same repair and search reach from the plan of the control. The weakest comparison
        counts.
      </p>
      <DataTable
        caption="Shares of plan, repair and search"
        columns={COLUMNS}
        rows={rows}
        id={({ planner, variant, control }) => `${planner} ${variant} ${control}`}
      />
    </section>
  );
}

const COLUMNS: readonly TableColumn<ShareLine>[] = [
  {
    key: 'planner',
    header: 'planner',
    about: 'The planner whose plan is replaced',
    value: ({ planner }) => planner,
    show: ({ planner, synthetic }) => plannerWithMark(planner, synthetic),
  },
  {
    key: 'variant',
    header: 'variant',
    about: 'The variant of the pipeline',
    value: ({ variant }) => variant,
  },
  {
    key: 'control',
    header: 'instead',
    about: 'The control whose plan replaces it',
    value: ({ control }) => control,
  },
  {
    key: 'final_points',
    header: 'gap, %',
    about: 'Mean final gap to the best known value',
    value: ({ final_points }) => final_points,
    show: ({ final_points }) => decimals(final_points, 2),
  },
  {
    key: 'difference',
    header: 'difference',
    about: 'Mean final gap less that of the control: below 0 where the plan helps',
    value: ({ difference }) => difference,
    show: ({ difference }) => signed(difference, 2),
  },
  {
    key: 'plan',
    header: 'plan, %',
    about: 'Share of the plan in the gain over a random plan',
    value: ({ plan }) => plan.percent,
    show: ({ plan }) => decimals(plan.percent, 1),
  },
  {
    key: 'start',
    header: 'repair, %',
    about: 'Share that the plan of the control reaches after the same repair',
    value: ({ start }) => start.percent,
    show: ({ start }) => decimals(start.percent, 1),
  },
  {
    key: 'search',
    header: 'search, %',
    about: 'Share that the same search adds to it',
    value: ({ search }) => search.percent,
    show: ({ search }) => decimals(search.percent, 1),
  },
  {
    key: 'finding',
    header: 'tests',
    about: 'The result of the corrected test of the final values',
    value: ({ finding }) => finding,
  },
];
