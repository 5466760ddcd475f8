import { AlasError } from '@alas-jssp/core/errors';
import { assignModes, type Instance } from '../../jssp/instance.js';
import { type Modes, modesOf } from '../../jssp/shop-parts.js';

/** N entries: the chosen mode of each operation, from 0 among its own. */
export function relativeModes({ chosen, offset }: Modes): Int32Array {
  return chosen.map((mode, op) => mode - offset[op]);
}

/**
 * The chosen mode of an operation, from 0 among its own; −1 for no operation. It is 0 in a shop without alternatives,
 * because an event can give it some later, behind the only mode of that time.
 */
export function relativeMode({ modes }: Instance, op: number): number {
  if (op < 0) return -1;
  return modes === null ? 0 : modes.chosen[op] - modes.offset[op];
}

/** The instance with a mode, from 0 among its own, for each operation; it keeps its mode where that is negative. */
export function withRelativeModes(instance: Instance, modeOf: (op: number) => number): Instance {
  const { modes } = instance;
  if (modes === null) return instance;
  const chosen = modes.chosen.map((now, op) => {
    const mode = modeOf(op);
    return mode < 0 ? now : modes.offset[op] + mode;
  });
  return assignModes(instance, chosen);
}

/**
 * The modes of some operations as the log has them: each a number from 0 among those of its operation.
 *
 * @returns undefined for an instance without modes
 */
export function logModes(
  { modes }: Instance,
  operations: readonly number[],
): readonly number[] | undefined {
  if (modes === null) return undefined;
  return operations.map((op) => modes.chosen[op] - modes.offset[op]);
}

/**
 * The instance with the logged modes of some operations, and all others as they are.
 *
 * @throws AlasError `bad_mode` if there are not as many modes as operations, or an operation has no such mode
 */
export function withLoggedModes(
  instance: Instance,
  operations: readonly number[],
  modes: readonly number[] | undefined,
): Instance {
  if (modes === undefined) return instance;
  const badMode = (reason: string) => new AlasError('bad_mode', reason, modes);
  if (!Array.isArray(modes) || modes.length !== operations.length) {
    throw badMode('there must be as many modes as operations');
  }
  const chosen = Int32Array.from(instance.modes?.chosen ?? []);
  operations.forEach((op, i) => {
    const [first, stop] = modesOf(instance, op);
    const mode = modes[i];
    if (!Number.isInteger(mode) || mode < 0 || first + mode >= stop) {
      throw badMode(`operation ${op} has no mode ${mode}`);
    }
    if (instance.modes !== null) chosen[op] = first + mode;
  });
  return instance.modes === null ? instance : assignModes(instance, chosen);
}
