export { createGuardCommand } from './cli/guard-command.js';
export type {
  ContextFacts,
  EntityFacts,
  NodeConstraint,
  NodeFacts,
  Statement,
} from './context/context-facts.js';
export {
  CONTEXT_KINDS,
  type ContextKind,
  type ContextScope,
  type EntityState,
  type OperationState,
  type RelevantContext,
  relevantContext,
} from './context/relevant-context.js';
export { renderContext } from './context/render-context.js';
export { createMemoryBlobs, openBlobStore } from './guard/blob-store.js';
export type {
  BlobStore,
  Compensation,
  CompensationFactory,
  GuardedCall,
  ObservedEffect,
  UndoneEffect,
} from './guard/compensation.js';
export { shippedCompensations } from './guard/compensations/shipped.js';
export type { Guard, GuardAnswer, GuardLog, OfferedTool } from './guard/guard.js';
export {
  type GuardedTools,
  guardTools,
  type ModelToolCall,
  type ModelToolResult,
  type ToolsPolicy,
} from './guard/guard-tools.js';
export type { GuardCatalogue } from './guard/guarded-tool.js';
export { type GuardOptions, openGuard } from './guard/open-guard.js';
export { type ServerFacts, type ShippedRules, shippedRules } from './guard/policies/shipped.js';
export {
  GUARD_SCHEMA,
  type GuardPolicy,
  type GuardPolicyDraft,
  guardPolicyJsonSchema,
  readGuardPolicy,
  type ServerPolicy,
  type ToolRules,
  type ToolRulesDraft,
  toGuardPolicy,
} from './guard/policy.js';
export { type ClientStreams, serveGuard } from './guard/proxy/serve-guard.js';
export { type RecoveryOptions, recoverSessions } from './guard/recover.js';
export { type LogRecovery, recoverLog } from './guard/recover-log.js';
export type { RequestName } from './guard/repetition.js';
export {
  GUARD_REPORT_SCHEMA,
  type GuardReport,
  isClean,
  type ReportedCall,
} from './guard/report.js';
export { type FunctionTool, functionServer } from './guard/servers/function-server.js';
export type { GuardServer, ListedTool, ServerSpec, ToolAnswer } from './guard/servers/server.js';
export { type AgentBudget, type Allowance, openAllowance } from './models/allowance.js';
export type { SchemaOf } from './models/answer-schema.js';
export { type AskedAnswer, askFor, type Question } from './models/ask-for.js';
export { CASSETTE_SCHEMA, type Cassette, cassetteSchema } from './models/cassette.js';
export { createCassetteModel, playCassette } from './models/cassette-model.js';
export { type Decision, decisionIn, decisionSchema } from './models/decision.js';
export { type Decoded, decodeJson } from './models/decode-json.js';
export type { ModelHandlerOptions } from './models/handler-options.js';
export type { Model, ModelRequest } from './models/model.js';
export { createModelHandler } from './models/model-handler.js';
export { modelIdentity } from './models/model-identity.js';
export { type ModelStepOptions, modelStep } from './models/model-step.js';
export { type OpenModelOptions, openModel, requireModelSpec } from './models/open-model.js';
export { recordCassette } from './models/record-cassette.js';
export {
  cancelIn,
  type GlobalCheck,
  type Supervisor,
  type SupervisorAction,
  type SupervisorAlert,
  type SupervisorOptions,
  supervise,
} from './supervision/supervise.js';
export {
  type AgentCandidate,
  type ReplacementOptions,
  withReplacement,
} from './supervision/with-replacement.js';
export { findCatalogueFaults } from './tools/catalogue-faults.js';
export { limitTools } from './tools/limit-tools.js';
export { catalogueDirectory, moveCatalogue } from './tools/move-catalogue.js';
export { openToolset, type ToolsetOptions } from './tools/open-toolset.js';
export { type CatalogueOptions, readCatalogue, toCatalogue } from './tools/read-catalogue.js';
export {
  capabilityOf,
  catalogueSchema,
  type Mapping,
  mappingSchema,
  TOOLS_SCHEMA,
  type Tool,
  type ToolCatalogue,
  type ToolsImplementation,
  toolSchema,
  type ValueSource,
  valueSource,
} from './tools/tool.js';
export type { ToolCall, Toolset } from './tools/toolset.js';
export { openTrialSystem } from './tools/trial/open-trial-system.js';
export { sampleValue } from './tools/trial/sample-value.js';
export { findStateChanges } from './tools/trial/state-changes.js';
export {
  createTrialSystem,
  type TrialEffect,
  type TrialSystem,
} from './tools/trial/trial-system.js';
export {
  type Calibration,
  type CalibrationCase,
  type CalibrationMistake,
  calibrateValidator,
  type PlantedFault,
  plantFaults,
  type Share,
} from './validators/calibrate.js';
export {
  agreementValidator,
  boundaryValidator,
  type ConditionOptions,
  consistencyValidator,
  constraintValidator,
  dependencyValidator,
  syntacticValidator,
  temporalValidator,
} from './validators/code-validators.js';
export { commonFaults } from './validators/common-faults.js';
export { VALIDATOR_KINDS, type ValidatorKind } from './validators/kinds.js';
export {
  factualValidator,
  MOST_VALIDATOR_TOKENS,
  type ModelValidatorOptions,
  reasoningValidator,
  requireIndependent,
  semanticValidator,
} from './validators/model-validator.js';
export {
  combineValidators,
  type ReadyValidator,
  type ValidatorOptions,
} from './validators/ready-validator.js';
