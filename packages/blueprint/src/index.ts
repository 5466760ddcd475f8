export { calibrateDraftFolder } from './calibration/calibrate-folder.js';
export {
  calibrateReviewers,
  type ReviewerCalibration,
  type ReviewerCalibrationOptions,
} from './calibration/calibrate-reviewers.js';
export { checkDraft } from './checks/check-draft.js';
export { createDraftCommand } from './cli/draft.js';
export { createRehearseCommand } from './cli/rehearse-command.js';
export { escalateUndos } from './compensation/escalate-undos.js';
export { type ProvenUndos, proveUndos } from './compensation/prove-undos.js';
export type { ProvenUndo, ProveUndosOptions } from './compensation/undo-proof.js';
export {
  type AssembledDraft,
  assembleDraft,
  type UnassembledDraft,
} from './drafting/assemble-draft.js';
export { disassembleDraft } from './drafting/disassemble-draft.js';
export type {
  AskPart,
  CheckDraft,
  CheckedDraft,
  Draft,
  DraftModels,
  DraftUsage,
  EquipDraft,
  Equipment,
  EquipmentTask,
  PartQuestion,
  PartRecord,
  RoundRecord,
} from './drafting/draft.js';
export { compareDrafts, type DraftDifference } from './drafting/draft-difference.js';
export {
  DEFAULT_DRAFTING_ROUNDS,
  type DraftingProgress,
  type DraftTaskOptions,
  draftTask,
  type OpenQuestion,
} from './drafting/draft-task.js';
export type { DraftFinding, PartName, Parts } from './drafting/part.js';
export { promptOfPart } from './drafting/prompts/part-prompt.js';
export type { PartPrompt, PromptFacts } from './drafting/prompts/prompt.js';
export { type AgentFile, agentFileSchema, type ScoreTerm } from './factory/agent-file.js';
export { type AgentSpec, agentSpecOf, specHash } from './factory/agent-spec.js';
export { type BoundDraft, bindTools } from './factory/bind-tools.js';
export { type AgentCandidate, findCandidates } from './factory/find-candidates.js';
export { type AgentLibrary, type LibraryAgent, openAgentLibrary } from './factory/library.js';
export {
  type AgentOrigin,
  type MadeAgents,
  type MakeAgentsOptions,
  makeAgents,
} from './factory/make-agents.js';
export {
  type AgentOffer,
  type AgentRegistry,
  catalogueRegistry,
  libraryRegistry,
} from './factory/offers.js';
export { type AgentFactory, type FactoryOptions, openFactory } from './factory/open-factory.js';
export { SCORE_WEIGHTS } from './factory/score.js';
export { type DraftFile, draftFileSchema, type UndoProof } from './folder/draft-file.js';
export { DRAFT_FILES, type SavedDraft } from './folder/draft-folder.js';
export { type ReadDraftOptions, readDraft } from './folder/read-draft.js';
export { type WriteDraftOptions, writeDraft } from './folder/write-draft.js';
export type { DraftMutation, MutableDraft } from './mutations/mutation.js';
export { mutations } from './mutations/mutations.js';
export {
  draftWithPlantedFault,
  type PlantableTask,
  type PlantedOutcome,
  type PlantingOptions,
} from './mutations/planted-fault.js';
export {
  type RehearsalOptions,
  type RehearsalProblem,
  type RehearsalProgress,
  type RehearsalReport,
  rehearse,
  type ScenarioReport,
} from './rehearsal/rehearse.js';
export {
  createDraftRegistry,
  type DraftWork,
  type RunnableDraft,
} from './running/draft-registry.js';
export {
  type OpenableDraft,
  type OpenDraftOptions,
  type OpenedDraft,
  openDraft,
} from './running/open-draft.js';
export {
  checkDraftFolder,
  type FolderFinding,
  type OpenFolderOptions,
  openDraftFolder,
} from './running/open-folder.js';
export {
  createSandbox,
  type Evaluation,
  type EvaluationOptions,
  type Sandbox,
  type SandboxOptions,
} from './sandbox/sandbox.js';
export { type DraftScore, type ScoredKind, scoreDraft } from './scoring/score-draft.js';
export { SHEET_SCHEMA, type Sheet, sheetSchema } from './scoring/sheet.js';
export { checkGrounding } from './specification/grounding.js';
export {
  type Constraint,
  type Disruption,
  type Operation,
  SPECIFICATION_PARTS,
  type Specification,
  specificationSchema,
} from './specification/specification.js';
export { type CompiledTeam, compileTeam } from './teams/compile-team.js';
export { type DraftTeamOptions, draftTeam } from './teams/draft-team.js';
export { isTeam, type Team, teamSchema } from './teams/team.js';
export { type CompiledTemplate, compileTemplate, toolOfNode } from './template/compile.js';
export { effectOf, itemId, type NodeContext } from './template/compile-node.js';
export { runInputSchema } from './template/inputs.js';
export { compensatorName, type TaskEffect } from './template/node-policies.js';
export { nodeOfReference, type SplitMapping, splitMapping } from './template/sources.js';
export {
  TEMPLATE_PARTS,
  type Template,
  type TemplateEdge,
  type TemplateNode,
  templateSchema,
} from './template/template.js';
