import { useState } from 'preact/hooks';
import { counted } from '../../../format.js';
import type { PageData } from '../../views/page-data.js';
import { routeTo } from '../shell/route.js';
import { AttributionTable } from './attribution.js';
import { BestPlanner } from './best-planner.js';
import { GapCurves, Profiles } from './curves.js';
import { Differences } from './differences.js';
import { suitesOf } from './planner-rows.js';
import { ExecutionTable, PlannerTable } from './planner-table.js';
import { BestTable, SuiteTable } from './suite-tables.js';

/** All runs of the page at a glance, of all suites or of one. */
export function Overview({ data }: { data: PageData }) {
  const [suite, setSuite] = useState<string | null>(null);
  const suites = suitesOf(data);
  if (data.records.length === 0) {
    return <p class="empty">These runs have no records yet.</p>;
  }
  return (
    <>
      <Runs data={data} />
      {suites.length > 1 && <SuiteChoice suites={suites} suite={suite} choose={setSuite} />}
      <section>
        <h2>Which planner is best?</h2>
        <BestPlanner data={data} suite={suite} />
        <PlannerTable data={data} suite={suite} />
        <ExecutionTable data={data} suite={suite} />
      </section>
      <AttributionTable data={data} suite={suite} />
      <Differences data={data} suite={suite} />
      <div class="charts">
        <GapCurves data={data} suite={suite} />
        <Profiles data={data} />
      </div>
      <SuiteTable data={data} choose={setSuite} />
      <BestTable data={data} suite={suite} />
    </>
  );
}

interface SuiteChoiceProps {
  readonly suites: readonly string[];
  readonly suite: string | null;
  readonly choose: (suite: string | null) => void;
}

function SuiteChoice({ suites, suite, choose }: SuiteChoiceProps) {
  return (
    <p class="toolbar">
      <label>
        Suite{' '}
        <select
          value={suite ?? ''}
          onChange={({ currentTarget: { value } }) => choose(value === '' ? null : value)}
        >
          <option value="">all</option>
          {suites.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </p>
  );
}

/** The runs of the page, and their progress. */
function Runs({ data: { runs, records, summary } }: { data: PageData }) {
  const missing = (summary?.planned ?? 0) - records.length;
  const feasible = records.filter(({ status }) => status === 'ok').length;
  return (
    <section class="runs">
      <p>
        {counted(records.length, 'record')}, {feasible} of them with a feasible schedule
        {missing > 0 && (
          <strong class="warn">; {missing} more are planned and not there yet</strong>
        )}
        . <a href={routeTo('record')}>See them one by one.</a>
      </p>
      <details>
        <summary>How they were made</summary>
        {runs.map(({ directory, command, version, started, finished, machine }) => (
          <dl key={directory}>
            <dt>directory</dt>
            <dd>{directory}</dd>
            <dt>command</dt>
            <dd>
              <code>{command ?? 'called by a program'}</code>
            </dd>
            <dt>when</dt>
            <dd>
              {started} to {finished ?? '(not finished)'}, alas-jssp {version}
            </dd>
            <dt>machine</dt>
            <dd>{machine}</dd>
          </dl>
        ))}
      </details>
    </section>
  );
}
