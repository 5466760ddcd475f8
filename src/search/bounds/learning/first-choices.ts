import type { HeadsAndTails } from '../../../jssp/bounds.js';
import type { Instance } from '../../../jssp/instance.js';
import type { Disjunctions } from './disjunctions.js';

/** The choices of a search that has learned nothing yet. */
interface FirstChoices {
  /** For each pair its activity: larger if both orders leave little time. */
  readonly activity: Float64Array;
  /** For each pair the order to try: 0 for its first literal, 1 for its second. */
  readonly phase: Uint8Array;
}

/** Chooses by the times that jobs alone leave; a variant other than 0 chooses a bit differently. */
export function firstChoices(
  { duration }: Instance,
  { variables, from, to }: Disjunctions,
  along: HeadsAndTails,
  makespan: number,
  variant: number,
): FirstChoices {
  const activity = new Float64Array(variables);
  const phase = new Uint8Array(variables);
  const slack = (a: number, b: number) =>
    Math.max(1, makespan + 1 - along.head[a] - duration[a] - duration[b] - along.tail[b]);

  for (let v = 0; v < variables; v++) {
    const a = from[2 * v];
    const b = to[2 * v];
    const preference = ((v * (1 + 2 * variant)) % 7) / 7;
    activity[v] = (1 + variant * preference) / Math.sqrt(slack(a, b) * slack(b, a));
    const early = along.head[a] - along.tail[a] - duration[a] / 2;
    phase[v] = early <= along.head[b] - along.tail[b] ? 0 : 1;
  }
  return { activity, phase };
}
