import { useState } from 'preact/hooks';
import type { ExecutionDetail } from '../../views/page-data.js';
import { CompareBox, ScheduleSection } from '../gantt/schedule-section.js';
import { Problems } from '../shell/problems.js';
import { type RecordDisruption, RepairTable } from './repair-table.js';

/** The execution of a schedule: its versions under a time slider, with the events between them. */
export function ExecutionPage({ detail }: { detail: ExecutionDetail }) {
  const { title, record, execution, problems } = detail;
  return (
    <article>
      <h2>{title}</h2>
      <Problems lines={problems} />
      {record?.disruption != null && <Outcome disruption={record.disruption} />}
      {execution === null ? (
        <p class="empty">
          The versions of this execution were not kept: run with --log FILE to see them here.
        </p>
      ) : (
        <Versions execution={execution} />
      )}
      {record?.disruption != null && <RepairTable disruption={record.disruption} />}
    </article>
  );
}

function Outcome({
  disruption: { outcome, totals, finished, policy },
}: {
  disruption: RecordDisruption;
}) {
  const { makespan, degradation_percent: growth } = outcome;
  return (
    <p>
      {finished ? 'Finished' : 'Given up'}: makespan {makespan.planned} planned, {makespan.realised}{' '}
      realised{growth !== null && ` (${growth < 0 ? '−' : '+'}${Math.abs(growth).toFixed(1)} %)`};{' '}
      {totals.events} events, {totals.repairs} repairs, policy {policy}
    </p>
  );
}

type ShownExecution = NonNullable<ExecutionDetail['execution']>;

/** The version that was in force at the selected time. */
function Versions({ execution: { versions, instance, remark } }: { execution: ShownExecution }) {
  const [at, setAt] = useState(Math.min(1, versions.length - 1));
  const [selected, setSelected] = useState(-1);
  const [compares, setCompares] = useState(true);
  const choose = (place: number) => {
    setSelected(-1);
    setAt(Math.min(Math.max(place, 0), versions.length - 1));
  };
  const { version, now, events, remarks, schedule, moves } = versions[at];
  return (
    <section>
      {remark !== null && <p class="problems">{remark}</p>}
      {versions.length > 1 && (
        <div class="slider">
          <button type="button" disabled={at === 0} onClick={() => choose(at - 1)}>
            ◂ before
          </button>
          <input
            type="range"
            min={0}
            max={versions.length - 1}
            step={1}
            value={at}
            aria-label="instant of the execution"
            aria-valuetext={`time ${now}, version ${version}: ${events.join(', ')}`}
            onInput={({ currentTarget }) => choose(Number(currentTarget.value))}
          />
          <button
            type="button"
            disabled={at === versions.length - 1}
            onClick={() => choose(at + 1)}
          >
            next ▸
          </button>
          {moves !== null && <CompareBox of="version" checked={compares} onChange={setCompares} />}
        </div>
      )}
      <Ticks versions={versions} at={at} choose={choose} />
      <h3>
        Time {now}, version {version}: makespan {schedule.makespan}
      </h3>
      <ul class="events">
        {events.map((event) => (
          <li key={event}>{event}</li>
        ))}
        {remarks.map((words) => (
          <li key={words} class="quiet">
            {words}
          </li>
        ))}
      </ul>
      <ScheduleSection
        view={schedule}
        moves={compares ? moves : null}
        now={now}
        label={`version ${version} of ${instance} at time ${now}`}
        selected={selected}
        onSelect={setSelected}
      />
    </section>
  );
}

interface TicksProps {
  readonly versions: ShownExecution['versions'];
  readonly at: number;
  readonly choose: (place: number) => void;
}

/** The clickable instants on a time line. */
function Ticks({ versions, at, choose }: TicksProps) {
  const last = Math.max(
    1,
    ...versions.map(({ schedule, now }) => Math.max(schedule.makespan, now)),
  );
  if (versions.length < 2) return null;
  return (
    <div class="ticks">
      {versions.map(({ now, version, events }, i) => (
        <button
          key={`${version} ${now} ${i}`}
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          class={i === at ? 'tick chosen' : 'tick'}
          style={{ left: `${(100 * now) / last}%` }}
          title={`time ${now}, version ${version}: ${events.join(', ') || 'the plan'}`}
          onClick={() => choose(i)}
        />
      ))}
    </div>
  );
}
