import { packageVersion } from '@alas-jssp/core/package-version';
import type { Instance } from '../../../jssp/instance.js';
import type { Plan } from '../../../jssp/plan.js';
import type { PageContents } from './page-data.js';
import { viewSchedule } from './schedule-view.js';

/** A page of one plan, which may have faults, with an optional time mark. */
export function collectSchedule(instance: Instance, plan: Plan, now?: number): PageContents {
  const schedule = viewSchedule(instance, plan);
  const title = `A plan for ${instance.name}`;
  const data = {
    schema: 'alas-jssp/page@1' as const,
    title,
    version: packageVersion(),
    home: '#/schedule/plan',
    runs: [],
    records: [],
    summary: null,
    evaluation: null,
    attribution: null,
    failures: null,
    executions: [],
    logs: [],
    problems: [],
  };
  const detail = { title, schedule, now: now ?? null, problems: [] };
  return { data, details: [{ kind: 'schedule', key: 'plan', detail }] };
}
