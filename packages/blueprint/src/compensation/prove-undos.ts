import type { Tool, TrialSystem } from '@alas-jssp/agents';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError, errorLine } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Json } from '@alas-jssp/workflow';
import type { DraftFinding } from '../drafting/part.js';
import type { UndoProof } from '../folder/draft-file.js';
import { drawInput } from '../rehearsal/inputs.js';
import type { RunnableDraft } from '../running/draft-registry.js';
import { exampleInput } from '../running/example-input.js';
import { toolOfNode } from '../template/compile.js';
import type { TemplateNode, Undo } from '../template/template.js';
import { judgeTrial, type TrialVerdict } from './judge-trial.js';
import { applyChanges, isAddition, keepsChanges } from './state-difference.js';
import { crashCases, TRIAL_CASES, type TrialCase } from './trial-cases.js';
import { preparationCall, prepareInput, type TrialStart } from './trial-input.js';
import { runTrial, type UndoUnderTrial, undoUnderTrial } from './undo-trial.js';

/** The trials of the undos of a template. */
export interface ProveUndosOptions
  extends Pick<RunnableDraft, 'specification' | 'template' | 'catalogue'> {
  /** Opens a new trial system, whose state is that at the beginning. */
  readonly openTrial: (seed: number) => TrialSystem | Promise<TrialSystem>;
  /** The seeds of trials; crashes are tried with the first one. Default: 0 and 1. */
  readonly seeds?: readonly number[] | undefined;
  /** The output of a node that is code, for the inputs of later ones; undefined: it is drawn from its schema. */
  readonly outputOfCode?: TrialStart['outputOfCode'];
  /** Keeps proofs between calls: an undo that did not change is not tried again. */
  readonly memory?: Map<string, ProvenUndo> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The proof of an undo, and the finding about it if it failed. */
export interface ProvenUndo {
  readonly proof: UndoProof;
  readonly finding?: DraftFinding | undefined;
}

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
        proof: { ...proof, against, trials, counterexample: fault.text },
        finding: refuted(node, undo, fault),
      };
    }
  } catch (error) {
    const untried = errorLine(error);
    return {
      proof: { ...proof, counterexample: untried },
      finding: cannotTry(node, tool, untried),
    };
  }
  if (against === 'nothing') {
    const text = `${tool.name} declares no records, and nothing shows whether its effect is gone`;
    return {
      proof: { ...proof, trials, counterexample: text },
      finding: cannotTry(node, tool, text),
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

interface TrialFault {
  readonly kind: string;
  readonly text: string;
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
): Promise<TrialFault | undefined> {
  const start = await usableStart(node, tool, seed, options);
  const setting: TrialSetting = { under, node, tool, start, options };
  const [plain, ...others] = TRIAL_CASES;
  const first = await tryCase(plain, setting);
  count(plain.kind);
  if (first.fault !== undefined) return first.fault;
  const isFirst = seed === (options.seeds ?? SEEDS)[0];
  for (const one of [...others, ...crashCases(isFirst ? first.appends : 0)]) {
    options.signal?.throwIfAborted();
    const tried = await tryCase(one, { ...setting, mitigated: first.state });
    if (tried.skipped) continue;
    if (tried.fault !== undefined) return tried.fault;
    count(tried.listed ? `${one.kind} (listed for people)` : one.kind);
  }
  return undefined;
}

interface TrialSetting {
  readonly under: UndoUnderTrial;
  readonly node: TemplateNode;
  readonly tool: Tool;
  readonly start: TrialStart;
  readonly options: ProveUndosOptions;
  /** Of undos that mitigate: the state that the undo after success leaves. */
  readonly mitigated?: string | undefined;
}

interface TriedCase {
  readonly fault?: TrialFault | undefined;
  readonly skipped?: boolean | undefined;
  readonly listed?: boolean | undefined;
  /** The state that the undo left. */
  readonly state?: string | undefined;
  readonly appends: number;
}

/**
 * The start from which the call of a node changes something: with another input of the run for each seed, else with the
 * example, else after the nodes before it.
 *
 * @throws AlasError if the tool refuses the example, or changes nothing
 */
async function usableStart(
  node: TemplateNode,
  tool: Tool,
  seed: number,
  options: ProveUndosOptions,
): Promise<TrialStart> {
  const { specification, outputOfCode } = options;
  const example = exampleInput(specification);
  const draft: RunnableDraft = { ...options, agents: [], files: {} };
  const drawn = seed === 0 ? [] : [drawInput(draft, createRandom(seed))];
  let problem: unknown = new AlasError('no_start', 'it has no input');
  for (const afterOthers of [false, true]) {
    for (const input of [...drawn, example]) {
      const start: TrialStart = { draft, input, seed, afterOthers, outputOfCode };
      const trial = await options.openTrial(seed);
      try {
        const given = await prepareInput(node, trial, start);
        const before = trial.snapshot();
        await trial.call(tool.name, given, preparationCall('start'));
        if (trial.snapshot() !== before) return start;
        problem = new AlasError('no_start', `${tool.name} changes nothing in the trial system`);
      } catch (error) {
        problem = error;
      } finally {
        await trial.close();
      }
    }
  }
  throw problem;
}

async function tryCase(one: TrialCase, setting: TrialSetting): Promise<TriedCase> {
  const { under, node, tool, start: begin, options } = setting;
  const trial = await options.openTrial(begin.seed);
  try {
    const given = await prepareInput(node, trial, begin);
    const callNeighbour = neighbourCall(one, trial, tool, given, setting);
    const start = trial.snapshot();
    if (one.neighbour?.endsWith('before') && !(await callNeighbour())) return skipped;
    const before = trial.snapshot();
    let [done, after] = [before, before];
    let isMade = true;
    const end = await runTrial(under, trial, given, one, async () => {
      done = trial.snapshot();
      if (one.neighbour?.endsWith('after')) isMade = await callNeighbour();
      after = trial.snapshot();
    });
    const expected = applyChanges(before, done, after);
    // A later change of what the call changed cannot be told from it.
    if (!isMade || expected === undefined || !isAddition(done, after)) return skipped;
    const found = trial.snapshot();
    const isLater = one.neighbour?.endsWith('after');
    const keepsNeighbour = isLater
      ? keepsChanges(found, done, after)
      : keepsChanges(found, start, before);
    const allowed =
      under.undo.strategy === 'undo'
        ? [expected]
        : mitigatedStates(setting, { before, done, found }, keepsNeighbour);
    const verdict = judgeTrial(under.undo, one, end, { expected: allowed, found });
    return { ...ofVerdict(verdict, one, end.calls), state: found, appends: end.appends };
  } finally {
    await trial.close();
  }
}

const skipped: TriedCase = { skipped: true, appends: 0 };

/**
 * The states that a mitigation may leave: the trial after success shows which, and all others leave the same one, or
 * nothing. It has done something, and kept the other effect.
 */
function mitigatedStates(
  { mitigated }: TrialSetting,
  { before, done, found }: { before: string; done: string; found: string },
  keepsNeighbour: boolean,
): readonly string[] {
  if (mitigated === undefined) return found === done ? [before] : [found];
  return keepsNeighbour && done !== before ? [found, mitigated, before] : [mitigated, before];
}

function ofVerdict(
  verdict: TrialVerdict,
  { kind }: TrialCase,
  calls: readonly string[],
): Pick<TriedCase, 'fault' | 'listed'> {
  if (verdict === 'undone') return {};
  if (verdict === 'listed') return { listed: true };
  const steps = calls.length === 0 ? '' : `; the calls: ${countRepeated(calls).join('; ')}`;
  return { fault: { kind, text: `${kind}: ${verdict.fault}${steps}` } };
}

/** Lines in order; those that repeat the one before are counted. */
function countRepeated(lines: readonly string[]): string[] {
  const counted: { line: string; times: number }[] = [];
  for (const line of lines) {
    const last = counted.at(-1);
    if (last?.line === line) last.times++;
    else counted.push({ line, times: 1 });
  }
  return counted.map(({ line, times }) => (times === 1 ? line : `${line} (${times} times)`));
}

/** Calls the tool for another effect: with an equal input, or with another one, if there is one that it accepts. */
function neighbourCall(
  { neighbour }: TrialCase,
  trial: TrialSystem,
  tool: Tool,
  given: Readonly<Record<string, Json>>,
  { start: { seed } }: TrialSetting,
): () => Promise<boolean> {
  const inputs = neighbour?.startsWith('equal') ? [given] : otherInputs(given, seed);
  return async () => {
    for (const [k, input] of inputs.entries()) {
      const before = trial.snapshot();
      try {
        await trial.call(tool.name, input, preparationCall(`neighbour/${k}`));
      } catch (error) {
        if (!(error instanceof AlasError)) throw error;
        continue;
      }
      if (trial.snapshot() !== before) return true;
    }
    return false;
  };
}

/** Inputs like a given one, with other numbers and texts. */
function otherInputs(
  given: Readonly<Record<string, Json>>,
  seed: number,
): Readonly<Record<string, Json>>[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const other = otherValue(value, seed);
    return other === undefined ? [] : [{ ...given, [key]: other }];
  });
}

function otherValue(value: Json, seed: number): Json | undefined {
  if (typeof value === 'number') return value + 1 + seed;
  if (typeof value === 'string') return `${value}-other`;
  if (typeof value === 'boolean') return !value;
  return undefined;
}

function refuted(node: TemplateNode, { strategy }: Undo, { text }: TrialFault): DraftFinding {
  const wanted =
    strategy === 'undo'
      ? 'give calls that restore the state exactly, also when they are repeated'
      : 'give calls that leave the same state however often they are called';
  return {
    code: 'undo_refuted',
    severity: 'error',
    part: `undo/${node.id}`,
    path: '$.sequence',
    message: `the undo of ${node.id} fails a trial: ${text}`,
    hint: `${wanted}, or the strategy "escalate" with the reason`,
  };
}

function cannotTry(node: TemplateNode, tool: Tool, problem: string): DraftFinding {
  return {
    code: 'undo_untried',
    severity: 'warning',
    part: `undo/${node.id}`,
    path: '$',
    message: `the undo of ${node.id} cannot be tried: ${problem}`,
    hint: `give ${tool.name} records in the catalogue, and inputs an example that its trial records have; until then people decide`,
  };
}
