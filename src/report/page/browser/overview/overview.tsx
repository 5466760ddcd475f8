import type { PageData } from '../../../../harness/page/page-data.js';
import { routeTo } from '../shell/route.js';

/** All runs of the page at a glance. */
export function Overview({ data }: { data: PageData }) {
  return (
    <ul>
      {data.records.map(({ key, instance, planner }) => (
        <li key={key}>
          <a href={routeTo('record', key)}>
            {instance}, {planner}
          </a>
        </li>
      ))}
    </ul>
  );
}
