import type { ScheduleDetail } from '../../../../harness/page/page-data.js';
import { Problems } from '../shell/problems.js';

/** A plan by itself, with what the validator says of it. */
export function SchedulePage({ detail: { title, problems } }: { detail: ScheduleDetail }) {
  return (
    <article>
      <h2>{title}</h2>
      <Problems lines={problems} />
    </article>
  );
}
