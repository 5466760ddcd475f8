import type { Tool, TrialSystem } from '@alas-jssp/agents';
import { AlasError } from '@alas-jssp/core/errors';
import { UNDO_KEY } from '../running/undo-compensator.js';
import type { TemplateNode } from '../template/template.js';
import { judgeTrial, type TrialVerdict } from './judge-trial.js';
import { callNeighbour } from './neighbour-call.js';
import {
  applyChanges,
  describeOtherChanges,
  isAddition,
  keepsChanges,
} from './state-difference.js';
import type { TrialCase } from './trial-cases.js';
import { prepareInput, type TrialStart } from './trial-input.js';
import type { ProveUndosOptions } from './undo-proof.js';
import { runTrial, type UndoUnderTrial } from './undo-trial.js';

/** The undo of a node, and the start from which it is tried. */
export interface TrialSetting {
  readonly under: UndoUnderTrial;
  readonly node: TemplateNode;
  readonly tool: Tool;
  readonly start: TrialStart;
  readonly options: ProveUndosOptions;
  /** Whether this is the undo after success: a step that never acts would pass every trial. */
  readonly isFirst: boolean;
  /** Of undos that mitigate: the state that the undo after success leaves. */
  readonly mitigated?: string | undefined;
}

/** The end of one trial. */
export interface TriedCase {
  /** The reason why the trial failed, with the calls in order. */
  readonly fault?: string | undefined;
  /** Whether there is no such trial for the tool. */
  readonly skipped?: boolean | undefined;
  /** Whether the run left the effect to people. */
  readonly listed?: boolean | undefined;
  /** The state that the undo left. */
  readonly state?: string | undefined;
  readonly appends: number;
}

/**
 * Tries an undo once.
 *
 * @throws AlasError `no_trial` if the step does not act without any fault
 */
export async function tryCase(one: TrialCase, setting: TrialSetting): Promise<TriedCase> {
  const { under, node, tool, start: begin, options } = setting;
  const trial = await options.openTrial(begin.seed);
  try {
    const given = await prepareInput(node, trial, begin);
    const { neighbour } = one;
    const [isEarlier, isLater] = ['before', 'after'].map((when) => neighbour?.endsWith(when));
    const callOther = async () =>
      neighbour !== undefined &&
      (await callNeighbour(neighbour, trial, tool, given, options.catalogue));
    const start = trial.snapshot();
    if (isEarlier && !(await callOther())) return skipped;
    const before = trial.snapshot();
    const madeBefore = trial.effects().length;
    let [done, after] = [before, before];
    let isMade = true;
    let hasActed = false;
    const end = await runTrial(under, trial, given, one, async () => {
      hasActed = true;
      done = trial.snapshot();
      if (isLater) isMade = await callOther();
      after = trial.snapshot();
    });
    if (setting.isFirst && (!hasActed || done === before)) {
      const why = end.result?.error?.message ?? 'it changes nothing';
      throw new AlasError('no_trial', `the step does not act in its run: ${why}`, node.id);
    }
    // After an equal call of another step the tool may refuse.
    if (neighbour !== undefined && !hasActed) return skipped;
    const expected = applyChanges(before, done, after);
    // A later change of what the call changed cannot be told from it.
    if (!isMade || expected === undefined || !isAddition(done, after)) return skipped;
    const found = trial.snapshot();
    const keepsNeighbour = isLater
      ? keepsChanges(found, done, after)
      : keepsChanges(found, start, before);
    const allowed =
      under.undo.strategy === 'undo'
        ? [expected]
        : mitigatedStates(setting, { before, done, found }, keepsNeighbour);
    const verdict = judgeTrial(under.undo, one, end, {
      expected: allowed,
      found,
      damage: damageOf(trial, tool, before, madeBefore),
    });
    return { ...ofVerdict(verdict, one, end.calls), state: found, appends: end.appends };
  } finally {
    await trial.close();
  }
}

/** The damage to records that calls of the step have not changed themselves. */
function damageOf(
  trial: TrialSystem,
  tool: Tool,
  before: string,
  madeBefore: number,
): string | undefined {
  const own = new Set(
    trial
      .effects()
      .slice(madeBefore)
      .filter((one) => one.tool === tool.name && !one.idempotencyKey.includes(UNDO_KEY))
      .map(({ record, id }) => JSON.stringify([record, id])),
  );
  const isOwn = (record: string, id: string) => own.has(JSON.stringify([record, id]));
  return describeOtherChanges(before, trial.snapshot(), isOwn);
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
  return { fault: `${kind}: ${verdict.fault}${steps}` };
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
