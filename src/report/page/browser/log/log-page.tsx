import type { LogDetail } from '../../../../harness/page/page-data.js';
import { Problems } from '../shell/problems.js';

/** A run of a workflow: the timeline of its entries. */
export function LogPage({ detail: { title, problems } }: { detail: LogDetail }) {
  return (
    <article>
      <h2>{title}</h2>
      <Problems lines={problems} />
    </article>
  );
}
