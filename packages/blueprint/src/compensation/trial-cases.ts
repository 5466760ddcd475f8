import type { Tool } from '@alas-jssp/agents';
import {
  type CallFault,
  type FaultKind,
  type KillFault,
  mayRefuseRepeat,
} from '../rehearsal/fault.js';

/** Another effect of the same tool, which the undo must not touch. */
export type Neighbour = 'equal before' | 'other before' | 'other after' | 'equal after';

/** A trial of an undo. */
export interface TrialCase {
  /** In words, as people read it in the list of trials. */
  readonly kind: string;
  readonly calls: readonly CallFault[];
  readonly kills: readonly KillFault[];
  readonly neighbour?: Neighbour | undefined;
  /** Whether the compensator is called again after it has ended. */
  readonly again: boolean;
  /** Whether the run may list the effect for people instead of undoing it: its output is unknown. */
  readonly mayList: boolean;
}

function fault(
  of: 'call' | 'undo',
  kind: FaultKind,
  calls: readonly number[] | null = [1],
): CallFault {
  return { kind, node: null, of, calls };
}

const PLAIN: TrialCase = {
  kind: 'undo after success',
  calls: [],
  kills: [],
  again: false,
  mayList: false,
};

/**
 * Trials without crashes; the first one is the undo after success.
 *
 * @param steps calls of the undo: it breaks off before and after each
 * @param tool that has made the effect
 */
export function trialCases(steps: number, tool: Tool): readonly TrialCase[] {
  const breaks = Array.from({ length: steps }, (_, k) => k + 1).flatMap((step) => [
    { ...PLAIN, kind: 'answer of the undo lost', calls: [fault('undo', 'answer lost', [step])] },
    { ...PLAIN, kind: 'undo out of reach at first', calls: [fault('undo', 'unreachable', [step])] },
  ]);
  return [PLAIN, ...breaks, ...OTHER_CASES, ...(mayRefuseRepeat(tool) ? [REFUSED_REPEAT] : [])];
}

const REFUSED_REPEAT: TrialCase = {
  ...PLAIN,
  kind: 'answer of the call lost, its repeat refused',
  calls: [fault('call', 'answer lost, repeat refused', null)],
  mayList: true,
};

const OTHER_CASES: readonly TrialCase[] = [
  { ...PLAIN, kind: 'undo called twice', again: true },
  { ...PLAIN, kind: 'calls of the undo arrive twice', calls: [fault('undo', 'doubled', null)] },
  {
    ...PLAIN,
    kind: 'answer of the call lost',
    calls: [fault('call', 'answer lost')],
    mayList: true,
  },
  { ...PLAIN, kind: 'call never acted', calls: [fault('call', 'unreachable')], mayList: true },
  { ...PLAIN, kind: 'call never answered', calls: [fault('call', 'never answers')], mayList: true },
  { ...PLAIN, kind: 'call acts late', calls: [fault('call', 'late')], mayList: true },
  {
    ...PLAIN,
    kind: 'call acts after its undo',
    calls: [fault('call', 'very late')],
    mayList: true,
  },
  { ...PLAIN, kind: 'another record before', neighbour: 'other before' },
  { ...PLAIN, kind: 'another record after', neighbour: 'other after' },
  { ...PLAIN, kind: 'equal input before', neighbour: 'equal before' },
  { ...PLAIN, kind: 'equal input after', neighbour: 'equal after' },
];

/** The trials in which the process is killed: before and after each entry of the log is durable. */
export function crashCases(appends: number): readonly TrialCase[] {
  return Array.from({ length: appends }, (_, k) => k + 1).flatMap((append) =>
    (['before', 'after'] as const).map((when) => ({
      ...PLAIN,
      kind: 'crash at each entry',
      kills: [{ append, when }],
      mayList: true,
    })),
  );
}
