// The outside of the simulation: it counts effects, by idempotency key.

import type { DoneEffect, Handler, Registry, StepContext } from '@alas-jssp/workflow';
import type { Trouble } from './workflows.js';

/** The effects of an idempotency key: how many stand, how often it was asked, and for which runs. */
interface WorldEffect {
  standing: number;
  asked: number;
  nodeId: string;
  runs: Set<string>;
}

export interface World {
  effects: Map<string, WorldEffect>;
  registry: Registry;
}

/**
 * An outside with the handlers `act` (asked twice under one key it acts once), `send` (acts whenever
 * it is asked) and `plain`, and the compensator `undo`.
 */
export function createWorld(): World {
  const effects = new Map<string, WorldEffect>();
  const effectOf = (key: string, { runId, nodeId }: StepContext) => {
    const known = effects.get(key) ?? { standing: 0, asked: 0, nodeId, runs: new Set() };
    effects.set(key, known);
    known.runs.add(runId);
    return known;
  };
  const befall = async ({ params, clock, signal, attempt }: StepContext) => {
    const { fail, times = Number.POSITIVE_INFINITY, seconds, deaf } = params as Trouble;
    if (seconds !== undefined) {
      await clock.sleep(seconds * 1000, deaf === true ? undefined : signal);
    }
    if (fail !== undefined && attempt <= times) {
      throw Object.assign(new Error(`${fail} as told`), { code: fail });
    }
  };
  const doing = (keyed: boolean): Handler => ({
    run: async (input: unknown, context: StepContext) => {
      const { idempotencyKey, params } = context;
      if (params.before === true) await befall(context);
      const effect = effectOf(idempotencyKey, context);
      effect.asked++;
      effect.standing = keyed ? 1 : effect.standing + 1;
      // A send that happened does not report a failure.
      if (params.before !== true && (keyed || params.fail === undefined)) await befall(context);
      return typeof input === 'number' ? input + 1 : input;
    },
  });
  const registry: Registry = {
    handlers: {
      act: doing(true),
      send: doing(false),
      plain: {
        kind: 'pure',
        run: (input: unknown, context: StepContext) => {
          const { fail, times = Number.POSITIVE_INFINITY } = context.params as Trouble;
          if (fail !== undefined && context.attempt <= times) {
            throw Object.assign(new Error(`${fail} as told`), { code: fail });
          }
          return input;
        },
      },
    },
    compensators: {
      undo: {
        run: async ({ idempotencyKey }: DoneEffect, { params, clock, attempt }: StepContext) => {
          const { undoHangs, undoFailsUpTo = 0 } = params as Trouble;
          if (undoHangs === true) await clock.sleep(400_000);
          if (attempt <= undoFailsUpTo) throw new Error('cannot be undone');
          const effect = effects.get(idempotencyKey);
          if (effect !== undefined) effect.standing = 0;
        },
      },
    },
  };
  return { effects, registry };
}
