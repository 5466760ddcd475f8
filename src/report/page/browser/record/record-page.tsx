import type { RecordDetail } from '../../../../harness/page/page-data.js';
import { Problems } from '../shell/problems.js';

/** A record: what became of a planner on an instance, stage by stage. */
export function RecordPage({ detail: { record, problems } }: { detail: RecordDetail }) {
  return (
    <article>
      <h2>
        {record.instance}, {record.planner}
      </h2>
      <Problems lines={problems} />
      <pre>{JSON.stringify(record, null, 2)}</pre>
    </article>
  );
}
