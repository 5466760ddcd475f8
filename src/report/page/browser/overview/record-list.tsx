import { useState } from 'preact/hooks';
import { counted, formatSeconds } from '../../../format.js';
import type { PageData, RecordRow } from '../../views/page-data.js';
import { DataTable, type TableColumn } from '../parts/data-table.js';
import { decimals, dollars } from '../parts/numbers.js';
import { plannerWithMark } from '../parts/planner-mark.js';
import { routeTo } from '../shell/route.js';

/** The filter of the record list. */
interface Filter {
  readonly text: string;
  readonly suite: string;
  readonly planner: string;
  readonly status: string;
}

const EVERYTHING: Filter = { text: '', suite: '', planner: '', status: '' };

const STATUSES: Readonly<Record<RecordRow['status'], string>> = {
  ok: 'feasible',
  infeasible: 'infeasible',
  error: 'error',
};

/** All records, with filters; each links to its own view. */
export function RecordList({ data: { records } }: { data: PageData }) {
  const [filter, setFilter] = useState(EVERYTHING);
  const rows = records.filter((row) => fits(row, filter));
  const change = (part: Partial<Filter>) => setFilter({ ...filter, ...part });
  const names = (key: 'suite' | 'planner' | 'status') => [
    ...new Set(records.map((row) => row[key])),
  ];
  return (
    <section>
      <h2>Records</h2>
      <form class="toolbar" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search{' '}
          <input
            type="search"
            value={filter.text}
            placeholder="instance, planner or error"
            onInput={({ currentTarget: { value } }) => change({ text: value })}
          />
        </label>
        {(['suite', 'planner', 'status'] as const).map((key) => (
          <label key={key}>
            {key}{' '}
            <select
              value={filter[key]}
              onChange={({ currentTarget: { value } }) => change({ [key]: value })}
            >
              <option value="">all</option>
              {names(key).map((name) => (
                <option key={name} value={name}>
                  {key === 'status' ? STATUSES[name as RecordRow['status']] : name}
                </option>
              ))}
            </select>
          </label>
        ))}
        <span aria-live="polite" class="quiet">
          {rows.length === records.length
            ? counted(records.length, 'record')
            : `${rows.length} of ${counted(records.length, 'record')}`}
        </span>
      </form>
      <DataTable
        caption="Records"
        columns={columnsOf(records)}
        rows={rows}
        id={({ key }) => key}
        most={100}
      />
    </section>
  );
}

function fits(row: RecordRow, { text, suite, planner, status }: Filter): boolean {
  const all = [row.instance, row.planner, row.variant, row.method ?? '', row.error ?? ''];
  return (
    all.join('\n').toLowerCase().includes(text.trim().toLowerCase()) &&
    (suite === '' || row.suite === suite) &&
    (planner === '' || row.planner === planner) &&
    (status === '' || row.status === status)
  );
}

/** The instance and the planner of a record. */
const ORIGIN: readonly TableColumn<RecordRow>[] = [
  {
    key: 'instance',
    header: 'instance',
    about: 'Name of the instance; leads to the record',
    value: ({ instance }) => instance,
    show: ({ instance, key }) => <a href={routeTo('record', key)}>{instance}</a>,
  },
  {
    key: 'size',
    header: 'jobs × machines',
    about: 'Size of the instance',
    value: ({ jobs, machines }) => jobs * machines,
    show: ({ jobs, machines }) => `${jobs} × ${machines}`,
    minor: true,
  },
  {
    key: 'planner',
    header: 'planner',
    about: 'The planner as it was named',
    value: ({ planner }) => planner,
    show: ({ planner, synthetic }) => plannerWithMark(planner, synthetic),
  },
];

const OUTCOME: readonly TableColumn<RecordRow>[] = [
  {
    key: 'status',
    header: 'outcome',
    about: 'Whether there is a schedule that the validator accepts',
    value: ({ status }) => status,
    show: ({ status, error }) => (
      <span class={status === 'ok' ? 'good' : 'bad'} title={error ?? undefined}>
        {STATUSES[status]}
      </span>
    ),
  },
  {
    key: 'makespan',
    header: 'makespan',
    about: 'Of the final schedule, in units of time of the instance',
    value: ({ makespan }) => makespan,
  },
  {
    key: 'gap',
    header: 'gap, %',
    about: '(makespan − best known) / best known',
    value: ({ gap_percent }) => gap_percent,
    show: ({ gap_percent, proven_optimal }) =>
      proven_optimal ? (
        <span class="good" title="proven optimal: it meets a lower bound">
          {decimals(gap_percent, 2)} ●
        </span>
      ) : (
        decimals(gap_percent, 2)
      ),
  },
  {
    key: 'bounds',
    header: 'bounds',
    about: 'Lower bound and best known makespan',
    value: ({ upper_bound }) => upper_bound,
    show: ({ lower_bound, upper_bound }) => `${lower_bound} – ${upper_bound ?? '?'}`,
    minor: true,
  },
  {
    key: 'violations',
    header: 'violations',
    about: 'Rules that the plan broke as its planner handed it over, before any repair',
    value: ({ violations }) => violations,
    minor: true,
    ascending: false,
  },
  {
    key: 'seconds',
    header: 'time',
    about: 'Wall-clock time of all stages together',
    value: ({ seconds }) => seconds,
    show: (row) => formatSeconds(row.seconds),
  },
];

const COST: TableColumn<RecordRow> = {
  key: 'cost',
  header: 'cost',
  about: 'Of models, in US dollars',
  value: ({ cost_usd }) => cost_usd,
  show: ({ cost_usd }) => dollars(cost_usd),
  minor: true,
};

const ERROR: TableColumn<RecordRow> = {
  key: 'error',
  header: 'error',
  about: 'What went wrong, in one line',
  value: ({ error }) => error,
  show: ({ error }) =>
    error === null ? (
      ''
    ) : (
      <span class="clip" title={error}>
        {error}
      </span>
    ),
  minor: true,
  ascending: true,
};

function columnsOf(records: readonly RecordRow[]): readonly TableColumn<RecordRow>[] {
  const differs = (key: 'variant' | 'method' | 'replicate') =>
    new Set(records.map((row) => row[key])).size > 1;
  const some = (
    key: 'variant' | 'method' | 'replicate',
    about: string,
  ): TableColumn<RecordRow>[] =>
    differs(key) ? [{ key, header: key, about, value: (row) => row[key] }] : [];
  const isPaid = records.some(({ cost_usd }) => cost_usd !== 0);
  return [
    ...ORIGIN,
    ...some('variant', 'Variant of the pipeline'),
    ...some('method', 'What repaired the schedule while it was executed'),
    ...some('replicate', 'Number of the repetition, from 0'),
    ...OUTCOME,
    ...(isPaid ? [COST] : []),
    ERROR,
  ];
}
