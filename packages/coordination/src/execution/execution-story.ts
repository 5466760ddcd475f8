import type { PlanStory } from '@alas-jssp/living-plan';
import type { CoordinationEvent } from '../events/events.js';
import type { ExecutionMemory } from './execution-plan.js';
import type {
  ExecutionInput,
  ExecutionInstant,
  ExecutionKind,
  ExecutionProposal,
  ExecutionVersion,
} from './execution-values.js';

/** A moment of an execution: the actions that began and ended, the events, and the changes to the plan. */
export interface ExecutionTurn
  extends Pick<ExecutionInstant, 'from' | 'began' | 'ended' | 'changed'> {
  readonly to: number;
  /** Events that became known at `to`. */
  readonly events: readonly CoordinationEvent[];
  /** The version that was followed up to `to`. */
  readonly follows: number;
  readonly proposal?: ExecutionProposal;
  /** The version that was committed. */
  readonly version?: number;
  /** Why there was no repair. */
  readonly failure?: string;
}

/** An execution, reconstructed from its log. */
export interface ExecutionStory
  extends Pick<PlanStory<ExecutionKind>, 'runId' | 'entries' | 'end'> {
  readonly input: ExecutionInput;
  /** The current version of the plan, and the minute before which all actions that begin have begun. */
  readonly state: { readonly version: number; readonly now: number };
  readonly versions: ReadonlyMap<number, ExecutionVersion>;
  readonly turns: readonly ExecutionTurn[];
}

/** The story of an execution in the words of coordination. */
export function executionStory(
  story: PlanStory<ExecutionKind>,
  memory: ExecutionMemory,
): ExecutionStory {
  const { runId, entries, end, version } = story;
  const { input, first } = memory.baseOf(runId);
  const versions = Array.from({ length: version }, (_, i) => memory.versionOf(runId, i + 1));
  return {
    runId,
    entries,
    end,
    input,
    state: {
      version,
      now: story.turns.findLast(({ settled }) => settled)?.instant.now ?? first.now,
    },
    versions: new Map(versions.map((one) => [one.version, one])),
    turns: story.turns
      .filter(({ instant }) => instant.kind === 'events')
      .map(({ instant, proposal, committed, rolledBack }) => ({
        from: instant.from,
        to: instant.now,
        began: instant.began,
        ended: instant.ended,
        events: instant.events as readonly object[] as readonly CoordinationEvent[],
        changed: instant.changed,
        follows: instant.version,
        ...(proposal && { proposal }),
        ...(committed && { version: committed.version }),
        ...(rolledBack.length > 0 && { failure: rolledBack[rolledBack.length - 1].reason }),
      })),
  };
}
