import type { ToolCatalogue } from '@alas-jssp/agents';
import { bindTools } from '../factory/bind-tools.js';
import { checkGrounding, systemsOf } from '../specification/grounding.js';
import { type AssembledDraft, assembleDraft } from './assemble-draft.js';
import type { AskPart, CheckDraft, DraftModels, EquipDraft, Equipment } from './draft.js';
import {
  type AskedEvent,
  changedParts,
  compareRanks,
  type DraftingState,
  type DraftRank,
  isAsGood,
  type JudgedEvent,
  rankOf,
  withPutBack,
} from './drafting-state.js';
import type { DraftFinding, PartName, Parts } from './part.js';
import { livingParts } from './part-plan.js';

/** The judges of a draft. */
export interface DraftJudges {
  readonly name: string;
  /** The text of the task, with what people added. */
  readonly text: string;
  readonly catalogue: ToolCatalogue;
  readonly models: DraftModels;
  readonly check: CheckDraft;
  readonly equip: EquipDraft;
  /** The question of the factory, and the list of its questions in this round. */
  readonly ask: AskPart;
  readonly asked: AskedEvent[];
  /** Whether no round follows. */
  readonly isLast: boolean;
  readonly signal: AbortSignal;
}

/** A draft with its findings. */
interface JudgedDraft {
  readonly rank: DraftRank;
  readonly findings: readonly DraftFinding[];
  readonly assembled: AssembledDraft | null;
}

/**
 * Judges the draft of a round: new answers that make it worse are put back; if no error is left, the factory makes its
 * agents, and it is checked with them.
 */
export async function judgeRound(
  round: number,
  state: DraftingState,
  judges: DraftJudges,
): Promise<JudgedEvent> {
  const { putBack, judged } = putBackWorse(state, judges);
  const { assembled } = judged;
  const isSound = assembled !== null && judged.rank.errors === 0;
  const equipped = isSound ? await equipAndCheck(assembled, judges) : null;
  const { rank, findings } = equipped ?? judged;
  const kept = state.best === null || isAsGood(rank, state.best.rank);
  return {
    event: 'judged',
    round,
    putBack,
    rank,
    findings,
    kept,
    equipment: equipped?.equipment ?? null,
    asked: judges.asked,
  };
}

/** Finds the new answers without which the draft is better, one by one. */
function putBackWorse(
  state: DraftingState,
  judges: DraftJudges,
): { putBack: PartName[]; judged: JudgedDraft } {
  const putBack: PartName[] = [];
  let judged = judgeParts(state.parts, state, judges);
  for (const part of changedParts(state)) {
    const without = judgeParts(withPutBack(state, [...putBack, part]).parts, state, judges);
    const { rank } = without;
    const isBetter = rank.stage > judged.rank.stage || rank.errors < judged.rank.errors;
    if (!isBetter || compareRanks(rank, judged.rank) >= 0) continue;
    putBack.push(part);
    judged = without;
  }
  return { putBack, judged };
}

/** Assembles and checks parts, without agents. */
function judgeParts(parts: Parts, state: DraftingState, judges: DraftJudges): JudgedDraft {
  const assembled = assembleDraft(livingParts(parts, judges.catalogue), judges.name);
  if ('findings' in assembled) {
    const findings = explainMissing(assembled.findings, state);
    return { rank: rankOf(0, findings), findings, assembled: null };
  }
  const findings = checkAssembled(assembled, judges);
  return { rank: rankOf(1, findings), findings, assembled };
}

/** A part without an answer has the findings about the answers that the model gave. */
function explainMissing(
  findings: readonly DraftFinding[],
  { broken }: DraftingState,
): DraftFinding[] {
  return findings.flatMap((finding) =>
    finding.code === 'missing_part' && Object.hasOwn(broken, finding.part)
      ? broken[finding.part].findings
      : [finding],
  );
}

/** Checks a draft; nodes whose tool does not exist are bound before, as they are in the result. */
function checkAssembled(
  assembled: AssembledDraft,
  { text, catalogue, models, check }: DraftJudges,
  equipment?: Equipment,
): DraftFinding[] {
  const { agents, undo } = equipment ?? {};
  const { specification, template, findings } = bindTools(assembled, catalogue);
  return [
    ...findings,
    ...checkGrounding(specification, text, systemsOf(catalogue)),
    ...check({ specification, template, catalogue, models, agents, undo }),
  ];
}

async function equipAndCheck(
  assembled: AssembledDraft,
  judges: DraftJudges,
): Promise<{ rank: DraftRank; findings: DraftFinding[]; equipment: Equipment }> {
  const { catalogue, models, ask, isLast, signal, equip } = judges;
  const { specification, template } = bindTools(assembled, catalogue);
  const draft = { specification, template, catalogue, models };
  const equipment = await equip({ ...draft, ask, isLast, signal });
  const checked = checkAssembled(assembled, judges, equipment);
  const findings = distinct([...equipment.findings, ...checked]);
  return { rank: rankOf(2, findings), findings, equipment };
}

/** Findings without repetitions. */
function distinct(findings: readonly DraftFinding[]): DraftFinding[] {
  const keys = findings.map(({ code, part, path, message }) =>
    [code, part, path, message].join('\n'),
  );
  return findings.filter((_, index) => keys.indexOf(keys[index]) === index);
}
