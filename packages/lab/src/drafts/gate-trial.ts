// One trial of the gates: a mutated draft goes through the checks and the trials of its undos, and what passes is rehearsed.
import { createTrialSystem } from '@alas-jssp/agents';
import {
  checkDraft,
  type DraftFinding,
  type DraftMutation,
  type MutableDraft,
  mutations,
  type ProvenUndo,
  proveUndos,
  type RehearsalProblem,
  rehearse,
} from '@alas-jssp/blueprint';
import { createRandom, deriveSeed } from '@alas-jssp/core';
import type { GoodDraft } from './good-drafts.js';

/** The end of a mutated draft. */
export interface GateTrial {
  readonly seed: number;
  readonly task: string;
  readonly mutation: string;
  readonly harmful: boolean;
  /** `escaped`: it passed all gates, and a rehearsal found a problem. */
  readonly outcome: 'refused by checks' | 'refused by trials of undos' | 'passed' | 'escaped';
  /** The first finding that refused it. */
  readonly finding?: DraftFinding;
  readonly problem?: RehearsalProblem;
  /** Runs of its rehearsal. */
  readonly runs: number;
}

/** The mutations of a campaign. */
export function chooseMutations(only: string | undefined): readonly DraftMutation[] {
  return only === undefined ? mutations : mutations.filter(({ name }) => name.includes(only));
}

/** Proofs of undos of earlier trials: equal undos are not tried again. */
const memory = new Map<string, ProvenUndo>();

/**
 * Makes a trial: draws a draft and a mutation that has a place in it.
 *
 * @param thorough rehearses all scenarios, not a sharp selection
 */
export async function tryGates(
  seed: number,
  drafts: readonly GoodDraft[],
  chosen: readonly DraftMutation[],
  thorough = false,
): Promise<GateTrial> {
  const random = createRandom(seed);
  for (;;) {
    const draft = drafts[random.integer(0, drafts.length - 1)];
    const mutation = chosen[random.integer(0, chosen.length - 1)];
    const mutated = mutation.apply(draft, random);
    if (mutated === null) continue;
    const { name, harmful } = mutation;
    const end = await passGates(mutated, seed, thorough);
    return { seed, task: draft.name, mutation: name, harmful, ...end };
  }
}

type GateEnd = Pick<GateTrial, 'outcome' | 'finding' | 'problem' | 'runs'>;

async function passGates(draft: MutableDraft, seed: number, thorough: boolean): Promise<GateEnd> {
  const found = firstError(checkDraft(draft));
  if (found !== undefined) return { outcome: 'refused by checks', finding: found, runs: 0 };
  const openTrial = (own: number) => createTrialSystem(draft.catalogue, { seed: own });
  const { findings, proofs } = await proveUndos({ ...draft, openTrial, memory });
  const refuted = firstError([...findings, ...checkDraft({ ...draft, undo: proofs })]);
  if (refuted !== undefined) {
    return { outcome: 'refused by trials of undos', finding: refuted, runs: 0 };
  }
  const { problems, runs } = await rehearse(
    { ...draft, agents: [], files: {} },
    thorough
      ? { seed, runs: 50 }
      : { seed, runs: 2, kills: 3, only: (scenario) => isChosen(seed, scenario) },
  );
  const [problem] = problems;
  return problem === undefined
    ? { outcome: 'passed', runs }
    : { outcome: 'escaped', problem, runs };
}

/** Scenarios that each rehearsal has; of the others it has one in eight, other ones for each seed. */
const ALWAYS = ['no fault', 'mixture', 'killed', 'killed while undoing'];

function isChosen(seed: number, scenario: string): boolean {
  return ALWAYS.includes(scenario) || deriveSeed(seed, 'scenario', scenario) % 8 === 0;
}

function firstError(findings: readonly DraftFinding[]): DraftFinding | undefined {
  return findings.find(({ severity }) => severity === 'error');
}
