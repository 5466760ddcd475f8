import { useState } from 'preact/hooks';
import type { ScheduleDetail } from '../../views/page-data.js';
import { ScheduleSection, scheduleFacts } from '../gantt/schedule-section.js';
import { Problems } from '../shell/problems.js';

/** A single plan with the validator's report. */
export function SchedulePage({ detail }: { detail: ScheduleDetail }) {
  const { title, schedule, now, problems } = detail;
  const [selected, setSelected] = useState(-1);
  return (
    <article>
      <Problems lines={problems} />
      <h2>{scheduleFacts(schedule)}</h2>
      <ScheduleSection
        view={schedule}
        now={now}
        label={title}
        selected={selected}
        onSelect={setSelected}
      />
    </article>
  );
}
