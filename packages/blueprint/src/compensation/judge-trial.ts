import type { Undo } from '../template/template.js';
import { describeDifference } from './state-difference.js';
import type { TrialCase } from './trial-cases.js';
import type { TrialEnd } from './undo-trial.js';

/** The states around a trial, as canonical JSON. */
export interface TrialStates {
  /** The states that the undo may leave. */
  readonly expected: readonly string[];
  readonly found: string;
  /** The damage to records that the effect does not own, in words. */
  readonly damage?: string | undefined;
}

/** The verdict on a trial: `listed` if the run leaves the effect to people, as it may where its output is unknown. */
export type TrialVerdict = 'undone' | 'listed' | { readonly fault: string };

/** Judges a trial by the state that it leaves, and by the report of its run. */
export function judgeTrial(
  { node, strategy }: Undo,
  trial: TrialCase,
  end: TrialEnd,
  { expected, found, damage }: TrialStates,
): TrialVerdict {
  const { result, repeated } = end;
  if (result === undefined || result.status === 'WAITING') {
    return { fault: `the run does not end${result === undefined ? '' : `: ${result.status}`}` };
  }
  const listed = [...result.remaining, ...result.inDoubt].some(({ nodeId }) => nodeId === node);
  if (expected.includes(found)) {
    if (repeated !== undefined) return { fault: `called again, it fails: ${repeated}` };
    // A mitigated effect remains in part: the run lists it.
    if (!listed || strategy === 'mitigate') return 'undone';
    if (trial.mayList) return 'listed';
    const reason = result.remaining.find(({ nodeId }) => nodeId === node)?.reason;
    return {
      fault: `the run does not count it as undone${reason === undefined ? '' : `: ${reason}`}`,
    };
  }
  if (listed && trial.mayList) {
    // The list sends people to this effect: they do not find another record that the undo has damaged.
    return damage === undefined ? 'listed' : { fault: damage };
  }
  return { fault: describeDifference(expected[0], found) };
}
