import { useState } from 'preact/hooks';
import type { PageData } from '../../views/page-data.js';
import { DataTable, type TableColumn } from '../parts/data-table.js';
import { routeTo } from '../shell/route.js';
import { type FailureRow, OUTCOMES, reasonWords } from './failure-words.js';

interface Props {
  readonly data: PageData;
  readonly nameOf: (answer: FailureRow) => string;
}

/** Plans that are not feasible, with the reason in words; each links to its record. */
export function FailureList({ data, nameOf }: Props) {
  const [text, setText] = useState('');
  const all = data.failures?.answers ?? [];
  const keyOf = new Map(data.records.map((row) => [identity(row), row.key]));
  const rows = all.filter((row) =>
    `${row.instance}\n${row.planner}\n${reasonWords(row)}`
      .toLowerCase()
      .includes(text.trim().toLowerCase()),
  );
  const columns: readonly TableColumn<FailureRow>[] = [
    {
      key: 'instance',
      header: 'instance',
      about: 'Name of the instance; leads to the record with the schedule and the answers',
      value: ({ instance }) => instance,
      show: (row) => {
        const key = keyOf.get(identity(row));
        return key === undefined ? (
          row.instance
        ) : (
          <a href={routeTo('record', key)}>{row.instance}</a>
        );
      },
    },
    ...((data.failures?.planners.length ?? 0) > 1
      ? [
          {
            key: 'planner',
            header: 'planner',
            about: 'The planner, as it was named',
            value: nameOf,
            minor: true,
          },
        ]
      : []),
    {
      key: 'why',
      header: 'why it failed',
      about: 'The outcome, and the root causes of what the validator found',
      value: ({ outcome }) => OUTCOMES[outcome].name,
      show: reasonWords,
    },
    {
      key: 'claimed',
      header: 'claimed makespan',
      about: 'The makespan that the plan states, true or not',
      value: ({ claimed_makespan }) => claimed_makespan,
      minor: true,
    },
    {
      key: 'files',
      header: 'answers',
      about: 'Files of the answers, in the directory of the run',
      value: ({ files }) => files.join(', '),
      show: ({ files }) => <span class="clip">{files.join(', ')}</span>,
      minor: true,
    },
  ];
  return (
    <section>
      <h3>Plan by plan</h3>
      <form class="toolbar" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search{' '}
          <input
            type="search"
            value={text}
            placeholder="such as ta01"
            onInput={({ currentTarget: { value } }) => setText(value)}
          />
        </label>
        <span class="quiet" aria-live="polite">
          {rows.length} of {all.length} plans that are not feasible
        </span>
      </form>
      <DataTable
        caption="Plans that are not feasible"
        columns={columns}
        rows={rows}
        id={(row) => identity(row)}
      />
    </section>
  );
}

/** Methods that execute the same plan are not distinguished. */
function identity(row: Pick<FailureRow, 'instance' | 'planner' | 'variant' | 'replicate'>): string {
  return JSON.stringify([row.instance, row.planner, row.variant, row.replicate]);
}
