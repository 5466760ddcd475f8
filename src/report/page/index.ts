// For browser pages that show schedules and let people move operations: views as plain data, and the judge, without
// Node APIs.
export { completionTime } from '../../jssp/calendar.js';
export { createInstance, type Instance, replaceInstance } from '../../jssp/instance.js';
export { createSchedule } from '../../jssp/schedule.js';
export { GERMAN_CLOCK } from '../../jssp/sentences/german-clock.js';
export { validate } from '../../validator/validate.js';
export type { Violation } from '../../validator/violation.js';
export { machineOrder } from '../chart/schedule-chart.js';
export { CHART_TEXTS, type ChartTexts } from './browser/gantt/chart-texts.js';
export { type ViewWords, wordsOfView } from './browser/gantt/view-words.js';
export type {
  DowntimeColumns,
  MovesView,
  ProposalView,
  ScheduleView,
} from './views/schedule-data.js';
