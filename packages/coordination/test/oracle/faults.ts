import type { Violation, ViolationCode } from '../../src/judge/violation.js';

/** What is wrong and about what: as much of a violation as the oracle says, too. */
export type Fault = Pick<Violation, 'action' | 'person' | 'vehicle' | 'activity' | 'ride'> & {
  readonly code: ViolationCode;
};

/** A fault as one line, equal for equal ones. */
export function faultKey({ code, action, person, vehicle, activity, ride }: Fault): string {
  const isAnyAction = code === 'not_apart';
  return [
    code,
    ...(action === undefined || isAnyAction ? [] : [`action ${action}`]),
    ...[person, vehicle, activity, ride].filter((name) => name !== undefined),
  ].join(' ');
}

/** Faults as lines, each once, in the order of the alphabet. */
export function faultKeys(faults: readonly Fault[]): string[] {
  return [...new Set(faults.map(faultKey))].toSorted();
}
