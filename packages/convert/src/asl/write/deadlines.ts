import { expression } from '../jsonata.js';
import { MOST_WHOLE, timeoutFields, wholeSeconds } from './policies.js';
import type { MachineScope, State } from './scope.js';

/**
 * A moment that never comes, in milliseconds since 1970; also the time of an effect that was never
 * reported.
 */
export const NEVER = String(Number.MAX_SAFE_INTEGER);

/** The code of the failure of a run that held an effect past its deadline. */
export const DEADLINE = 'Deadline';

/** When the first held effect must be undone, in milliseconds since 1970, as an expression. */
export function dueQuery({ self, undo, strand }: MachineScope): string {
  if (strand !== undefined)
    return `$min([${undo}[status = 'held'].due, ${dueQuery(strand.outer)}])`;
  return `$min([${undo}[status = 'held'].due, ${self}.due])`;
}

/** Whether the first deadline of an effect has passed, as an expression. */
export function isDueQuery(scope: MachineScope): string {
  return `$millis() >= ${dueQuery(scope)}`;
}

/** `TimeoutSeconds` of a step: its own limit, or the time until the first effect must be undone. */
export function limitFields(scope: MachineScope, seconds: number | undefined): State {
  if (!scope.writing.hasDeadlines) return timeoutFields(seconds);
  const own = seconds === undefined ? MOST_WHOLE : wholeSeconds(seconds);
  const left = `$ceil((${dueQuery(scope)} - $millis()) / 1000)`;
  return { TimeoutSeconds: expression(`$max([1, $min([${own}, ${left}])])`) };
}

/** Whether a failure undoes an effect, as its policy declares, as an expression over `$effect`. */
export function declaredQuery({ failure, writing }: MachineScope): string {
  const declared = `$effect.declared and ${failure}.compensates`;
  if (!writing.hasDeadlines) return declared;
  return `(${declared} or ($effect.timed and ${failure}.code = '${DEADLINE}'))`;
}
