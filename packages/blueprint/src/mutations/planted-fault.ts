import { type Cassette, playCassette, type ToolCatalogue } from '@alas-jssp/agents';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { Random } from '@alas-jssp/core/random';
import { createMemoryStore, type Json } from '@alas-jssp/workflow';
import type { AssembledDraft } from '../drafting/assemble-draft.js';
import { disassembleDraft } from '../drafting/disassemble-draft.js';
import type { CheckDraft, EquipDraft } from '../drafting/draft.js';
import { draftTask } from '../drafting/draft-task.js';
import type { DraftFinding, PartName, Parts } from '../drafting/part.js';
import type { DraftMutation } from './mutation.js';

/** A task with a good draft, into whose answers faults are planted. */
export interface PlantableTask {
  readonly name: string;
  readonly text: string;
  readonly catalogue: ToolCatalogue;
  readonly cassette: Cassette;
  readonly draft: AssembledDraft;
}

/** The result of drafting with a planted fault. */
export interface PlantedOutcome {
  readonly fault: string;
  /** The parts with the planted answers. */
  readonly parts: readonly PartName[];
  /** Errors of the first round. */
  readonly findings: readonly DraftFinding[];
  /** Whether the first round has found an error. */
  readonly found: boolean;
  /** Whether people are warned of a planted part although the draft passes: a step may be bound to a tool that fits. */
  readonly warned: boolean;
  /** Whether the draft passed in the end. */
  readonly fixed: boolean;
  /** Rounds after the first. */
  readonly rounds: number;
}

/** Circumstances of drafting with planted faults. */
export interface PlantingOptions {
  readonly check: CheckDraft;
  readonly equip: EquipDraft;
  /** Most rounds of refinement. Default 3. */
  readonly rounds?: number | undefined;
}

/**
 * Drafts a task whose cassette answers the parts that a mutation changes wrongly at first, and well if it is asked
 * again: the checks must find the fault, and name the parts that have to be asked again.
 *
 * @returns null if the draft has no place for the mutation
 */
export async function draftWithPlantedFault(
  task: PlantableTask,
  mutation: DraftMutation,
  random: Random,
  { check, equip, rounds = 3 }: PlantingOptions,
): Promise<PlantedOutcome | null> {
  const { name, text, catalogue } = task;
  const mutated = mutation.apply({ ...task.draft, catalogue }, random);
  // Faults of the catalogue are no faults of the planner.
  if (mutated === null || canonicalJson(mutated.catalogue) !== canonicalJson(catalogue)) {
    return null;
  }
  const good = disassembleDraft(task.draft.specification, task.draft.template);
  const wrong = disassembleDraft(mutated.specification, mutated.template);
  const { answers, parts } = plantAnswers(task.cassette, good, wrong);
  if (parts.length === 0) return null;
  const { origin } = task.cassette;
  const model = playCassette(
    { schema: 'alas-jssp/cassette@1', origin, model: null, answers },
    `${name} with a planted fault`,
  );
  const draft = await draftTask({
    text,
    name,
    catalogue,
    model,
    reviewer: 'cassette:another',
    rounds,
    check,
    equip,
    log: createMemoryStore(),
  });
  const [first] = draft.rounds;
  const findings = first.findings.filter(({ severity }) => severity === 'error');
  return {
    fault: mutation.name,
    parts,
    findings,
    found: findings.length > 0,
    warned: first.findings.some(
      ({ severity, part }) => severity === 'warning' && parts.includes(part),
    ),
    fixed: draft.passed,
    rounds: draft.rounds.length - 1,
  };
}

/** The answers with the wrong parts first, and the good ones as all further answers. */
function plantAnswers(
  { answers }: Cassette,
  good: Parts,
  wrong: Parts,
): { answers: Cassette['answers']; parts: PartName[] } {
  const planted: Record<string, Json[]> = {};
  for (const [key, given] of Object.entries(answers)) planted[key] = given.slice(-1) as Json[];
  const parts: PartName[] = [];
  for (const part of new Set([...Object.keys(good), ...Object.keys(wrong)])) {
    const before = good[part];
    const after = wrong[part];
    if (canonicalJson(before ?? null) === canonicalJson(after ?? null)) continue;
    parts.push(part);
    // A part that the wrong draft lacks is answered in no form, twice: a bad form is asked again at once.
    const first = after === undefined ? [{}, {}] : [after];
    planted[part] = before === undefined ? first : [...first, before];
  }
  return { answers: planted as Cassette['answers'], parts };
}
