import type { Toolset, TrialSystem } from '@alas-jssp/agents';
import type { Json } from '@alas-jssp/workflow';
import { LOOK_KEY } from '../running/read-effect.js';
import { UNDO_KEY } from '../running/undo-compensator.js';
import type { PlaceOfCall } from './fault.js';
import { type CallingWorld, callWithFault } from './faulty-call.js';
import { nodeOfPath } from './node-of-path.js';

/** A call that reached the trial system. */
export interface RehearsedCall extends PlaceOfCall {
  readonly path: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, Json>>;
  /** The key of the effect that it makes, or undoes. */
  readonly effectKey: string;
  /** Whether it was answered, not refused. */
  answered: boolean;
  /** The changes that it made, by their place among those of the trial system. */
  readonly changes: number[];
  /** The entries in the log when it was made. */
  readonly entries: number;
}

/** A trial system whose calls are recorded and disturbed. */
export interface RehearsedTools extends Toolset {
  readonly calls: readonly RehearsedCall[];
}

/** Wraps a trial system. */
export function rehearseTools(
  trial: TrialSystem,
  world: () => CallingWorld,
  entriesNow: () => number,
): RehearsedTools {
  const calls: RehearsedCall[] = [];
  const numbers = new Map<string, number>();
  const claimed = new Set<number>();
  return {
    ...trial,
    calls,
    call(tool, input, call) {
      const { nodeId: path, idempotencyKey } = call;
      const isUndo = idempotencyKey.includes(UNDO_KEY);
      const of = isUndo || idempotencyKey.includes(LOOK_KEY) ? 'undo' : 'call';
      const counted = `${of} ${path}`;
      const number = (numbers.get(counted) ?? 0) + 1;
      numbers.set(counted, number);
      const place: PlaceOfCall = { node: nodeOfPath(path), of, number };
      const [effectKey] = idempotencyKey.split(isUndo ? UNDO_KEY : LOOK_KEY);
      return callWithFault(world(), place, async () => {
        const from = trial.effects().length;
        const made: RehearsedCall = {
          ...place,
          path,
          tool,
          input,
          effectKey,
          answered: false,
          changes: [],
          entries: entriesNow(),
        };
        calls.push(made);
        try {
          const output = await trial.call(tool, input, call);
          made.answered = true;
          return output;
        } finally {
          trial.effects().forEach((effect, k) => {
            const own = effect.idempotencyKey === idempotencyKey && effect.tool === tool;
            if (k < from || claimed.has(k) || !own) return;
            claimed.add(k);
            made.changes.push(k);
          });
        }
      });
    },
  };
}
