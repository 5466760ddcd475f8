// The outside of the simulation: it counts effects, by idempotency key.

/**
 * An outside with the handlers `act` (asked twice under one key it acts once), `send` (acts whenever
 * it is asked) and `plain`, and the compensator `undo`.
 */
export function createWorld() {
  /** By key: how many effects stand, how often it was asked, and for which runs. */
  const effects = new Map();
  const effectOf = (key, { runId, nodeId }) => {
    const known = effects.get(key) ?? { standing: 0, asked: 0, nodeId, runs: new Set() };
    effects.set(key, known);
    known.runs.add(runId);
    return known;
  };
  const befall = async ({ params, clock, signal, attempt }) => {
    const { fail, times = Number.POSITIVE_INFINITY, seconds, deaf } = params;
    if (seconds !== undefined) {
      await clock.sleep(seconds * 1000, deaf === true ? undefined : signal);
    }
    if (fail !== undefined && attempt <= times) {
      throw Object.assign(new Error(`${fail} as told`), { code: fail });
    }
  };
  const doing = (keyed) => ({
    run: async (input, context) => {
      const { idempotencyKey, params } = context;
      if (params.before === true) await befall(context);
      const effect = effectOf(idempotencyKey, context);
      effect.asked++;
      effect.standing = keyed ? 1 : effect.standing + 1;
      // What was sent is not told to have failed: that would be a lie.
      if (params.before !== true && (keyed || params.fail === undefined)) await befall(context);
      return typeof input === 'number' ? input + 1 : input;
    },
  });
  const registry = {
    handlers: {
      act: doing(true),
      send: doing(false),
      plain: {
        kind: 'pure',
        run: (input, context) => {
          const { fail, times = Number.POSITIVE_INFINITY } = context.params;
          if (fail !== undefined && context.attempt <= times) {
            throw Object.assign(new Error(`${fail} as told`), { code: fail });
          }
          return input;
        },
      },
    },
    compensators: {
      undo: {
        run: async ({ idempotencyKey }, { params, clock, attempt }) => {
          if (params.undoHangs === true) await clock.sleep(400_000);
          if (attempt <= (params.undoFailsUpTo ?? 0)) throw new Error('cannot be undone');
          const effect = effects.get(idempotencyKey);
          if (effect !== undefined) effect.standing = 0;
        },
      },
    },
  };
  return { effects, registry };
}
