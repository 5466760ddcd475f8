// Coordination problems: the model, the judge, planning and repair, and the problems and plans of the background
// papers.
export { main as coordinationMain } from './cli/main.js';
export {
  applyEvent,
  type CoordinationEvent,
  describeEvent,
  EVENTS_SCHEMA,
  type EventList,
  readEventList,
  readEvents,
} from './events/events.js';
export { type AccountLine, accountOf } from './execution/account.js';
export { createReplayRegistry, type Inform } from './execution/execution-plan.js';
export type { ExecutionStory, ExecutionTurn } from './execution/execution-story.js';
export type { ExecutionProposal, KeyedNotice } from './execution/execution-values.js';
export {
  type CoordinationExecution,
  type CoordinationOptions,
  openCoordination,
} from './execution/open-coordination.js';
export {
  type ExecutionTeam,
  planWithTeam,
  type TeamLine,
  type TeamPlanning,
} from './execution/team-repair.js';
export type { Whereabout, Whereabouts } from './execution/whereabouts.js';
export { groupViolations, type ViolationGroup } from './judge/groups.js';
export { judge, type Verdict } from './judge/judge.js';
export type { Past } from './judge/past.js';
export { VIOLATION_CODES, type Violation, type ViolationCode } from './judge/violation.js';
export { type DecodedAnswer, decodeAnswer } from './llm/decode/decode.js';
export { formatClock, parseClock } from './model/clock.js';
export {
  type Action,
  type CoordinationPlan,
  type Doing,
  type Drive,
  PLAN_SCHEMA,
  type PlanFile,
  readPlan,
  type Stay,
  writePlan,
} from './model/plan.js';
export {
  type Activity,
  type Person,
  type Place,
  type Problem,
  type Ride,
  type Road,
  readProblem,
  type Traffic,
  type Vehicle,
  type Window,
} from './model/problem.js';
export { PROBLEM_SCHEMA, type ProblemFacts, type ProblemFile } from './model/problem-schema.js';
export { bundledEvents, bundledNames, bundledPlan, bundledProblem } from './papers/bundled.js';
export { judgePrintedPlans, type PrintedVerdict } from './papers/printed-plans.js';
export {
  type PlanOptions,
  type PlanResult,
  planCoordination,
  planCoordinationAsync,
} from './plan/plan.js';
export type {
  PlanRequest,
  RealmAnswer,
  RealmEvent,
  RealmProblem,
  RealmRepair,
  RealmSearch,
  RealmVerdict,
} from './realm/problems/realm-problem.js';
export { readRealm } from './realm/read-realm.js';
export type { RealmCode, RealmFinding, RealmReading } from './realm/realm-reading.js';
export { type Leaderboard, leaderboardOf } from './realm/suites/leaderboard.js';
export { generateSuite, type LoadedInstance, loadSuite } from './realm/suites/load-suite.js';
export {
  formatRealmRecord,
  REALM_RUN_SCHEMA,
  type RealmRecord,
  readRealmRecords,
  realmRecordKey,
} from './realm/suites/realm-record.js';
export { type RealmRunOptions, runRealm } from './realm/suites/realm-run.js';
export { REALM_SUITES, type RealmCompletions, type RealmSuite } from './realm/suites/suite.js';
export { type Notice, noticesOf } from './repair/notices.js';
export {
  type CoordinationRepair,
  REPAIR_PHASE_WORDS,
  REPAIR_PHASES,
  type RepairOptions,
  type RepairPhase,
  repairCoordination,
} from './repair/repair.js';
export {
  type CoordinationRecord,
  coordinationRecordKey,
  formatCoordinationRecord,
  RUN_SCHEMA,
  readCoordinationRecords,
} from './runs/record.js';
export { type CoordinationReport, reportCoordination } from './runs/report.js';
export { type CoordinationRunOptions, runCoordination } from './runs/run.js';
export {
  type CoordinationTeamResult,
  type CoordinationTeamTask,
  planByTeam,
  type TeamWay,
} from './teams/coordination-team.js';
export {
  ROLE_KINDS,
  type RoleKind,
  type SelfVerdict,
  TEAM_ENDINGS,
  TEAM_TOPOLOGIES,
  TEAM_VARIANTS,
  type TeamAnswer,
  type TeamAsk,
  type TeamQuestion,
  type TeamResult,
  type TeamRole,
  type TeamRound,
  type TeamTask,
  type TeamTopology,
  type TeamTurn,
  type TeamVariant,
  type TeamVerdict,
} from './teams/team.js';
export { runTeam } from './teams/team-loop.js';
export {
  openTeamModels,
  type TeamConversation,
  type TeamModels,
} from './teams/team-models.js';
export { teamRolesFor } from './teams/team-roles.js';
export { bundledTrip, bundledTripEvents, bundledTripNames } from './travel/bundled-trips.js';
export {
  applyTravelEvent,
  readTravelEvents,
  TRAVEL_EVENTS_SCHEMA,
  type TravelEvent,
  type TravelEventList,
} from './travel/events/travel-events.js';
export { generateTravel, type TravelRecipe } from './travel/generate/generate-travel.js';
export { judgeTravel, type TravelPast, type TravelVerdict } from './travel/judge/judge-travel.js';
export {
  TRAVEL_VIOLATION_CODES,
  type TravelViolation,
  type TravelViolationCode,
} from './travel/judge/travel-violation.js';
export {
  readTravelPlan,
  TRAVEL_PLAN_SCHEMA,
  type TravelBooking,
  type TravelPlan,
  type TravelPlanFile,
  writeTravelPlan,
} from './travel/model/travel-plan.js';
export { readTravel, type TravelProblem } from './travel/model/travel-problem.js';
export { TRAVEL_SCHEMA, type TravelFile } from './travel/model/travel-schema.js';
export {
  planTravel,
  type TravelPlanOptions,
  type TravelPlanResult,
} from './travel/plan/plan-travel.js';
export { type DeskFaultRule, parseDeskFault } from './travel/service/desk-faults.js';
export { createTravelClient, type TravelClient } from './travel/service/travel-client.js';
export {
  startTravelService,
  type TravelService,
  type TravelServiceOptions,
} from './travel/service/travel-service.js';
export {
  bookTrip,
  decideTrip,
  replayTrip,
  resumeTrip,
  type TripOptions,
  type TripRequest,
} from './travel/trip/open-trip.js';
export { type TripLine, type TripStory, tripStory } from './travel/trip/trip-story.js';
export { TRIP_AGENTS } from './travel/trip/trip-values.js';
