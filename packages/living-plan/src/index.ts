export {
  type CommandContext,
  type FollowOptions,
  followPlan,
  type LivingPlan,
  type PlanFollower,
  type PlanOutcome,
  type PlanRun,
} from './follow-plan.js';
export { loggedFacts, loggedMeta, nameOf, otherRequest, requestDigest } from './log-values.js';
export { type OpenOptions, openPlan, planLog } from './open-plan.js';
export {
  createPlanMemory,
  type PastInstant,
  type PlanCodec,
  type PlanHistory,
  type PlanLog,
  type PlanMemory,
  type VersionPatch,
} from './plan-memory.js';
export { planHandlers } from './plan-steps.js';
export type {
  CommandMeta,
  CommittedVersion,
  LoggedEvent,
  PlanBase,
  PlanCommand,
  PlanInput,
  PlanInstant,
  PlanKind,
  PlanProposal,
  PlanState,
  PlanVersion,
  RepairAttempt,
  Settlement,
  WithdrawnReport,
} from './plan-values.js';
export { commandSchema, objectSchema, type PlanForm, planWorkflow } from './plan-workflow.js';
export type {
  ApplyContext,
  PlanFault,
  PlanPort,
  RepairContext,
} from './port.js';
export { makesVersions, PLAN_COMMAND, stepOf } from './step-names.js';
export {
  type PlanStory,
  type PlanTurn,
  type RolledBack,
  type StoryReader,
  storyReader,
} from './story.js';
