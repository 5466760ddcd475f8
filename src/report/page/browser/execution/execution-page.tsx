import type { ExecutionDetail } from '../../../../harness/page/page-data.js';
import { Problems } from '../shell/problems.js';

/** The execution of a schedule: its versions, and the events between them. */
export function ExecutionPage({ detail: { title, problems } }: { detail: ExecutionDetail }) {
  return (
    <article>
      <h2>{title}</h2>
      <Problems lines={problems} />
    </article>
  );
}
