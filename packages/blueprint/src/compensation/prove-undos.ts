import type { Tool } from '@alas-jssp/agents';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { errorLine } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Json } from '@alas-jssp/workflow';
import type { DraftFinding } from '../drafting/part.js';
import type { UndoProof } from '../folder/draft-file.js';
import { toolOfNode } from '../template/compile.js';
import type { TemplateNode, Undo } from '../template/template.js';
import { crashCases, trialCases } from './trial-cases.js';
import { findTrialStart } from './trial-start.js';
import { type TrialSetting, tryCase } from './try-case.js';
import { undoDigest } from './undo-digest.js';
import { refutedUndo, untriedUndo } from './undo-findings.js';
import type { ProvenUndo, ProveUndosOptions } from './undo-proof.js';
import { type UndoUnderTrial, undoUnderTrial } from './undo-trial.js';

/** The proofs of all undos of a template. */
export interface ProvenUndos {
  readonly proofs: readonly UndoProof[];
  readonly findings: readonly DraftFinding[];
}

/**
 * Tries the undo of each node that changes something (ALAS, C.2.4), with the compensator that runs have, in the simulator
 * against a trial system. An undo is proven only if it passes every trial; one that fails, or cannot be tried, is
 * escalated to people, and a finding of the part `undo/NODE` names the counterexample.
 */
export async function proveUndos(options: ProveUndosOptions): Promise<ProvenUndos> {
  const { template, catalogue, memory = new Map<string, ProvenUndo>(), signal } = options;
  const proven: ProvenUndo[] = [];
  for (const undo of template.undo) {
    signal?.throwIfAborted();
    const node = template.nodes.find(({ id }) => id === undo.node);
    const tool = node && toolOfNode(node, catalogue);
    if (node === undefined || tool === undefined || tool.access === 'read') continue;
    const key = keyOf(undo, options);
    const known = memory.get(key) ?? (await proveUndo(node, tool, undo, options));
    memory.set(key, known);
    proven.push(known);
  }
  return {
    proofs: proven.map(({ proof }) => proof),
    findings: proven.flatMap(({ finding }) => (finding === undefined ? [] : [finding])),
  };
}

/** Equal for undos whose trials are equal: the nodes before it determine its input. */
function keyOf(
  undo: Undo,
  { template, catalogue, specification, seeds }: ProveUndosOptions,
): string {
  const nodes = template.nodes.map(({ id, work, role, details }) => ({ id, work, role, details }));
  const { roles } = template;
  const { inputs } = specification;
  return sha256(
    canonicalJson({
      undo,
      nodes,
      roles,
      catalogue,
      inputs,
      seeds: seeds ?? null,
    } as unknown as Json),
  );
}

async function proveUndo(
  node: TemplateNode,
  tool: Tool,
  undo: Undo,
  options: ProveUndosOptions,
): Promise<ProvenUndo> {
  const { strategy } = undo;
  const proof = {
    node: node.id,
    strategy,
    verdict: 'escalated',
    against: 'nothing',
    trials: {},
    counterexample: null,
    digest: undoDigest(undo),
  } as const;
  if (strategy === 'irreversible' || strategy === 'escalate') return { proof };
  const against = await systemOf(tool, options);
  const trials: Record<string, number> = {};
  const count = (kind: string) => {
    trials[kind] = (trials[kind] ?? 0) + 1;
  };
  try {
    const under = undoUnderTrial(node, undo, options);
    for (const seed of options.seeds ?? SEEDS) {
      const fault = await trySeed(under, node, tool, seed, options, count);
      if (fault === undefined) continue;
      return {
        proof: { ...proof, against, trials, counterexample: fault },
        finding: refutedUndo(node, undo, fault),
      };
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    const untried = errorLine(error);
    return {
      proof: { ...proof, counterexample: untried },
      finding: untriedUndo(node, tool, untried),
    };
  }
  if (against === 'nothing') {
    const text = `${tool.name} declares no records, and nothing shows whether its effect is gone`;
    return {
      proof: { ...proof, trials, counterexample: text },
      finding: untriedUndo(node, tool, text),
    };
  }
  return { proof: { ...proof, verdict: 'proven', against, trials } };
}

/** The system that shows the effects of a tool: its own trial system, its declaration, or none. */
async function systemOf(
  { records }: Tool,
  { openTrial }: ProveUndosOptions,
): Promise<UndoProof['against']> {
  const trial = await openTrial(0);
  const { against } = trial;
  await trial.close();
  if (against === 'trial system') return against;
  return records.some(({ does }) => does !== 'read') ? against : 'nothing';
}

const SEEDS: readonly number[] = [0, 1];

/** All trials with a seed; the first one that fails ends them. */
async function trySeed(
  under: UndoUnderTrial,
  node: TemplateNode,
  tool: Tool,
  seed: number,
  options: ProveUndosOptions,
  count: (kind: string) => void,
): Promise<string | undefined> {
  const start = await findTrialStart(node, tool, seed, options);
  const setting: TrialSetting = { under, node, tool, start, options, isFirst: true };
  const [plain, ...others] = trialCases(under.undo.sequence.length, tool);
  const first = await tryCase(plain, setting);
  count(plain.kind);
  if (first.fault !== undefined) return first.fault;
  const isFirst = seed === (options.seeds ?? SEEDS)[0];
  for (const one of [...others, ...crashCases(isFirst ? first.appends : 0)]) {
    options.signal?.throwIfAborted();
    const tried = await tryCase(one, { ...setting, isFirst: false, mitigated: first.state });
    if (tried.skipped) continue;
    if (tried.fault !== undefined) return tried.fault;
    count(tried.listed ? `${one.kind} (listed for people)` : one.kind);
  }
  return undefined;
}
