import type { ToolCatalogue } from '@alas-jssp/agents';
import type { Json } from '@alas-jssp/workflow';
import type * as z from 'zod';
import type { AgentFile } from '../factory/agent-file.js';
import type { UndoProof } from '../folder/draft-file.js';
import type { Specification } from '../specification/specification.js';
import type { Template } from '../template/template.js';
import type { DraftFinding, PartName, Parts } from './part.js';

/** The question for a part of a draft. */
export interface PartQuestion<T> {
  readonly part: PartName;
  readonly system: string;
  readonly prompt: string;
  /** The schema of the answer: of zod, or a JSON Schema of an object. */
  readonly schema: z.ZodType<T> | Readonly<Record<string, Json>>;
}

/**
 * Asks the planner for a part. Findings of the round before that name the part go along, with its previous answer. An
 * answer to an equal question that no finding names is reused. Every answer is in the log of drafting.
 *
 * @returns the answer, or the finding that there is none of that form
 * @throws LlmError if the model fails for good, which interrupts drafting
 */
export type AskPart = <T>(
  question: PartQuestion<T>,
) => Promise<
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly finding: DraftFinding }
>;

/** The names of the models of a draft, for checks of provenance. */
export interface DraftModels {
  readonly planner: string;
  /** The model of agents with prompts. */
  readonly agents: string;
  /** The model of reviewers. */
  readonly reviewer: string | null;
}

/** A draft for checks. */
export interface CheckedDraft {
  readonly specification: Specification;
  readonly template: Template;
  readonly catalogue: ToolCatalogue;
  readonly agents?: readonly AgentFile[] | undefined;
  readonly undo?: readonly UndoProof[] | undefined;
  readonly models?: DraftModels | undefined;
}

/** Checks a draft, before and after it has agents. */
export type CheckDraft = (draft: CheckedDraft) => readonly DraftFinding[];

/** The work of the factory on a draft whose checks found no error. */
export interface EquipmentTask {
  readonly specification: Specification;
  readonly template: Template;
  readonly catalogue: ToolCatalogue;
  readonly models: DraftModels;
  readonly ask: AskPart;
  /** Whether no round follows: undos that are not proven are left to people then, with a warning. Default false. */
  readonly isLast?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Agents and proofs of a draft. */
export interface Equipment {
  readonly agents: readonly AgentFile[];
  /** Code of agents, by the name that `implementation.file` gives. */
  readonly files: Readonly<Record<string, string>>;
  readonly undo: readonly UndoProof[];
  readonly findings: readonly DraftFinding[];
}

/** Makes agents, and tries their compensations. */
export type EquipDraft = (task: EquipmentTask) => Promise<Equipment>;

/** Tokens, money and time of requests. */
export interface DraftUsage {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly estimated: boolean;
  /** Null if a price is unknown. */
  readonly usd: number | null;
  readonly seconds: number;
}

/** The answer to a part in a round, for the history of refinement. */
export interface PartRecord {
  readonly part: PartName;
  /** SHA-256 of the question. */
  readonly prompt: string;
  /** `kept`: there was no new answer, and the previous one remains. `put back`: the new one made the draft worse. */
  readonly outcome: 'answered' | 'kept' | 'put back' | 'unanswered';
  readonly usage: DraftUsage;
}

/** A round of drafting. */
export interface RoundRecord {
  readonly round: number;
  readonly parts: readonly PartRecord[];
  /** Findings of the draft after the round, after answers that made it worse were put back. */
  readonly findings: readonly DraftFinding[];
  /** Whether the draft of this round is better than all before it. */
  readonly kept: boolean;
}

/** The result of drafting: the best draft of all rounds. */
export interface Draft {
  readonly name: string;
  /** The text of the task, with answers and changes. */
  readonly text: string;
  readonly passed: boolean;
  readonly catalogue: ToolCatalogue;
  readonly models: DraftModels;
  readonly parts: Parts;
  /** Null if the parts do not assemble: the findings say why. */
  readonly specification: Specification | null;
  readonly template: Template | null;
  readonly agents: readonly AgentFile[];
  readonly files: Readonly<Record<string, string>>;
  readonly undo: readonly UndoProof[];
  readonly findings: readonly DraftFinding[];
  readonly rounds: readonly RoundRecord[];
  readonly usage: DraftUsage;
}
