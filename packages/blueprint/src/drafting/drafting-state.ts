import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { Json } from '@alas-jssp/workflow';
import type { DraftUsage, Equipment, PartRecord, RoundRecord } from './draft.js';
import type { DraftFinding, PartName, Parts } from './part.js';

/** A part was asked: its answer, or the findings about answers of another form. */
export interface AskedEvent {
  readonly event: 'asked';
  readonly round: number;
  readonly part: PartName;
  readonly answer: Json;
  /** False if `answer` is not an answer: no request gave one of the form of the part. */
  readonly ok: boolean;
  /** The text of the last answer that is not of that form. */
  readonly text: string | null;
  readonly findings: readonly DraftFinding[];
  /** SHA-256 of the question. */
  readonly prompt: string;
  /** The number of requests. */
  readonly requests: number;
  readonly usage: DraftUsage;
}

/** The draft of a round was judged. */
export interface JudgedEvent {
  readonly event: 'judged';
  readonly round: number;
  readonly putBack: readonly PartName[];
  readonly rank: DraftRank;
  readonly findings: readonly DraftFinding[];
  readonly kept: boolean;
  readonly equipment: Equipment | null;
  /** The questions of the factory in this round. */
  readonly asked: readonly AskedEvent[];
}

/** People answered open questions of the task. */
interface AnsweredEvent {
  readonly event: 'answered';
  readonly round: number;
  /** The facts that the answers add to the text of the task. */
  readonly facts: readonly string[];
}

export type DraftEvent = AskedEvent | JudgedEvent | AnsweredEvent;

/** How far a draft came: `stage` 0: its parts do not assemble; 1: it is checked; 2: it has agents. */
export interface DraftRank {
  readonly stage: 0 | 1 | 2;
  readonly errors: number;
  readonly warnings: number;
}

/** The best draft so far. */
interface BestDraft {
  readonly parts: Parts;
  readonly prompts: Readonly<Record<PartName, string>>;
  readonly rank: DraftRank;
  readonly findings: readonly DraftFinding[];
  readonly equipment: Equipment | null;
}

/** An answer that was tried and made the draft worse, with the findings about it. */
interface RejectedAnswer {
  readonly answer: Json;
  readonly findings: readonly DraftFinding[];
}

/** The state of drafting, folded from its events. */
export interface DraftingState {
  /** The parts of the round in progress; between rounds those of the best draft. */
  readonly parts: Parts;
  readonly prompts: Readonly<Record<PartName, string>>;
  /** Of parts without an answer: the findings about the last one, and its text. */
  readonly broken: Readonly<
    Record<PartName, { text: string | null; findings: readonly DraftFinding[] }>
  >;
  readonly rejected: Readonly<Record<PartName, RejectedAnswer>>;
  readonly best: BestDraft | null;
  /** The number of requests by part. */
  readonly requests: Readonly<Record<PartName, number>>;
  readonly records: readonly PartRecord[];
  readonly rounds: readonly RoundRecord[];
  /** Facts that people added. */
  readonly facts: readonly string[];
}

export const EMPTY_DRAFTING: DraftingState = {
  parts: {},
  prompts: {},
  broken: {},
  rejected: {},
  best: null,
  requests: {},
  records: [],
  rounds: [],
  facts: [],
};

/** The state after an event. */
export function applyDraftEvent(state: DraftingState, event: DraftEvent): DraftingState {
  if (event.event === 'asked') return applyAsked(state, event);
  if (event.event === 'judged') return applyJudged(state, event);
  return { ...state, facts: [...state.facts, ...event.facts] };
}

function applyAsked(state: DraftingState, event: AskedEvent): DraftingState {
  const { part, answer, ok, text, findings, prompt, requests, usage } = event;
  const { [part]: _, ...broken } = state.broken;
  const isKept = !ok && Object.hasOwn(state.parts, part);
  const outcome = ok ? 'answered' : isKept ? 'kept' : 'unanswered';
  return {
    ...state,
    parts: ok ? { ...state.parts, [part]: answer } : state.parts,
    prompts: ok ? { ...state.prompts, [part]: prompt } : state.prompts,
    broken: ok || isKept ? broken : { ...broken, [part]: { text, findings } },
    requests: { ...state.requests, [part]: (state.requests[part] ?? 0) + requests },
    records: [...state.records, { part, prompt, outcome, usage }],
  };
}

function applyJudged(before: DraftingState, event: JudgedEvent): DraftingState {
  const state = event.asked.reduce(applyAsked, before);
  const { round, putBack, rank, findings, kept, equipment } = event;
  const { best } = state;
  const { parts, prompts } = withPutBack(state, putBack);
  const records = state.records.map((record): PartRecord => {
    const isBack = record.outcome === 'answered' && putBack.includes(record.part);
    return isBack ? { ...record, outcome: 'put back' } : record;
  });
  const after = kept ? { parts, prompts, rank, findings, equipment } : best;
  return {
    ...state,
    parts: after?.parts ?? parts,
    prompts: after?.prompts ?? prompts,
    best: after,
    rejected: kept ? {} : { ...state.rejected, ...rejectedParts(state, findings) },
    records: [],
    rounds: [...state.rounds, { round, parts: records, findings, kept }],
  };
}

/** The parts with the answers of the best draft where new ones made it worse. */
export function withPutBack(
  { parts, prompts, best }: Pick<DraftingState, 'parts' | 'prompts' | 'best'>,
  putBack: readonly PartName[],
): Pick<DraftingState, 'parts' | 'prompts'> {
  if (best === null || putBack.length === 0) return { parts, prompts };
  const before = (values: Readonly<Record<string, Json>>) =>
    Object.fromEntries(
      putBack.flatMap((part) => (Object.hasOwn(values, part) ? [[part, values[part]]] : [])),
    );
  return {
    parts: { ...parts, ...before(best.parts) },
    prompts: { ...prompts, ...(before(best.prompts) as Record<string, string>) },
  };
}

/** The parts whose answers differ from those of the best draft. */
export function changedParts({ parts, best }: Pick<DraftingState, 'parts' | 'best'>): PartName[] {
  if (best === null) return [];
  return Object.keys(parts).filter(
    (part) =>
      Object.hasOwn(best.parts, part) &&
      canonicalJson(parts[part]) !== canonicalJson(best.parts[part]),
  );
}

function rejectedParts(
  state: DraftingState,
  findings: readonly DraftFinding[],
): Record<PartName, RejectedAnswer> {
  return Object.fromEntries(
    changedParts(state).map((part) => [
      part,
      { answer: state.parts[part], findings: findings.filter((one) => one.part === part) },
    ]),
  );
}

/** Whether the first draft is at least as good as the second. */
export function isAsGood(a: DraftRank, b: DraftRank): boolean {
  return compareRanks(a, b) <= 0;
}

/** Negative if the first draft is better: it came further, or has fewer errors, or fewer warnings. */
export function compareRanks(a: DraftRank, b: DraftRank): number {
  return b.stage - a.stage || a.errors - b.errors || a.warnings - b.warnings;
}

/** The rank of a draft with these findings. */
export function rankOf(stage: DraftRank['stage'], findings: readonly DraftFinding[]): DraftRank {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { stage, errors, warnings: findings.length - errors };
}
