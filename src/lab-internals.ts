// Not public: parts of the library that only packages/lab measures. They change without notice.
export { completeEvents } from './disruption/apply-events.js';
export { createCalendar } from './jssp/calendar.js';
export { judgeExecution } from './lcrp/judge-repair.js';
export { requireFit } from './lcrp/live/guard.js';
export { shiftRight } from './lcrp/live/shift.js';
export { commitVersion, openLiveShop } from './lcrp/live/shop.js';
export { updateLive } from './lcrp/live/status.js';
export { compensate } from './lcrp/phases/compensate.js';
export { repairCost } from './lcrp/phases/cost.js';
export { recomputeRemainder } from './lcrp/phases/fallback.js';
export { heldOperations } from './lcrp/pins/held-operations.js';
export { warmUp } from './lcrp/warm-up.js';
export { decodePlan } from './llm/decoding/decode-plan.js';
export { orderByTime } from './search/evolution/solution.js';
export { createKernel, type Kernel } from './search/kernel.js';
export { createProblem } from './search/problem.js';
