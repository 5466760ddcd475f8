// Not public: parts of the library that only packages/service uses. They change without notice.

export { withDates } from './disruption/event-times.js';
export { labelEvent } from './disruption/event-words.js';
export { readEventList, requireKnown } from './disruption/events-json.js';
export { findKind, kindOf } from './disruption/kind-of.js';
export { eventLabels } from './disruption/labels.js';
export { type Benchmark, benchmarks, benchmarksOf } from './jssp/benchmark-index.js';
export { fieldNumber } from './jssp/formats/plan-fields.js';
export { instanceName } from './jssp/formats/source.js';
export { readTime } from './jssp/formats/time-fields.js';
export { isFree } from './jssp/instance.js';
export { JOINED_SIGNS } from './jssp/instance-names.js';
export { knownLabels, labelsOf } from './jssp/labels.js';
export { loadBenchmark } from './jssp/load-benchmark.js';
export { objectiveOf } from './jssp/objectives.js';
export {
  defaultImportMap,
  IMPORT_FIELDS,
  type ImportField,
  type ImportMap,
  MAP_SCHEMA,
  parseImportMap,
  readImportMap,
} from './jssp/orders/import-map.js';
export { importShop } from './jssp/orders/import-shop.js';
export { readOrders } from './jssp/orders/order-book.js';
export { readShopTables, type ShopTables, shopTableOf } from './jssp/orders/shop-tables.js';
export { type ImportFile, importFile, readImportColumns } from './jssp/orders/table.js';
export { asSchedule } from './jssp/plan.js';
export { seedOf } from './jssp/seeds.js';
export { english, type Sentences } from './jssp/sentences/english.js';
export { german } from './jssp/sentences/german.js';
export { CALENDAR_SCHEMA, parseCalendars, readCalendars } from './jssp/shifts/calendar-file.js';
export { afterShiftsWords, constraintsOf, wordsOf } from './jssp/words.js';
export { affected, delayAffected } from './lcrp/baselines/affected.js';
export { judgeExecution, worstViolation } from './lcrp/judge-repair.js';
export { explainMove, reasonOfEdit } from './lcrp/metrics/edit-words.js';
export { cascade } from './lcrp/phases/cascade.js';
export { plannedOrder } from './lcrp/phases/planned-order.js';
export { describeLostPin } from './lcrp/pins/lost-pins.js';
export { planPolicy } from './lcrp/plan/repair-plan.js';
export {
  changePolicy,
  evaluationsFor,
  hasLimits,
  type OpenPolicy,
  withObjective,
} from './lcrp/policy/policy.js';
export { warmUp } from './lcrp/warm-up.js';
export { createSearchPlanner } from './pipeline/planners/search-planner.js';
export { type ReportedDowntime, reportedEnd } from './pipeline/shop/breakdowns.js';
export type { ShopRepair } from './pipeline/shop/follow-shop.js';
export { fromNowOn, paceTime, type ShopPace } from './pipeline/shop/pace.js';
export { requireFewEdits } from './pipeline/shop/shop-steps.js';
export { addEntry, newStory, readTurn } from './pipeline/shop/story.js';
export {
  formatCommand,
  formatEnd,
  formatProblem,
  formatReason,
  formatRefusal,
  formatTurn,
  type StoryWords,
  storyWords,
} from './pipeline/shop/story-lines.js';
export { withWishedMachines } from './pipeline/shop/wished-starts.js';
export {
  encodePlan,
  PLAN_FILE_TYPES,
  type PlanFileFormat,
  type PlanFileOptions,
} from './report/files/plan-file.js';
export { importRemarks } from './report/import-remarks.js';
export { viewSchedule } from './report/page/views/schedule-view.js';
