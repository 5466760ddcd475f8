import { AlasError } from '@alas-jssp/core/errors';
import type { Clock } from '@alas-jssp/workflow';
import type { FaultKind, PlaceOfCall } from './fault.js';

/** The world in which calls are made. */
export interface CallingWorld {
  /** The time of the world, which does not stop when a process is killed. */
  readonly clock: Clock;
  faultAt(place: PlaceOfCall): FaultKind | undefined;
  /** The seconds after which the node's attempt has timed out. */
  timeoutOf(node: string): number;
  /** A code with which the tool of the node refuses; undefined if it declares none. */
  refusalOf(node: string): string | undefined;
  /** Whether the process that called is still alive. */
  isAlive(): boolean;
  note(text: string): void;
}

/** The code of errors of lost connections in rehearsals. */
const CONNECTION_LOST = 'ConnectionLost';

/** Seconds after the limit of a call: overdue answers are awaited for ten. */
const LATE = { late: 3, 'very late': 90 } as const;

/** Makes a call, and lets a fault happen to it. */
export async function callWithFault<T>(
  world: CallingWorld,
  place: PlaceOfCall,
  act: () => Promise<T>,
): Promise<T> {
  const kind = world.faultAt(place);
  if (kind === undefined) return act();
  const what = `${place.of === 'undo' ? 'the undo of ' : ''}${place.node}`;
  world.note(`${what}, call ${place.number}: ${kind}`);
  switch (kind) {
    case 'fails':
      throw new AlasError('Rehearsed', `${what} fails: as rehearsed`, place.node);
    case 'unreachable':
      throw lost(what, place);
    case 'answer lost':
      await act();
      throw lost(what, place);
    case 'answer lost, repeat refused':
      if (place.number > 1) throw refused(world, what, place);
      await act();
      throw lost(what, place);
    case 'doubled':
      // The answer is the second one: the first was lost on the way.
      await act();
      return act();
    case 'never answers':
      await act();
      return new Promise<never>(() => {});
    case 'late':
    case 'very late':
      return callLate(world, world.timeoutOf(place.node) + LATE[kind], act);
  }
}

async function callLate<T>(
  { clock, isAlive }: CallingWorld,
  seconds: number,
  act: () => Promise<T>,
): Promise<T> {
  await clock.sleep(seconds * 1000);
  // With its process the call is gone: no engine can promise more.
  if (!isAlive()) return new Promise<never>(() => {});
  return act();
}

function lost(what: string, { node }: PlaceOfCall): AlasError {
  return new AlasError(CONNECTION_LOST, `${what}: the connection is lost, as rehearsed`, node);
}

function refused(world: CallingWorld, what: string, { node }: PlaceOfCall): AlasError {
  const code = world.refusalOf(node) ?? CONNECTION_LOST;
  return new AlasError(code, `${what} is refused, as rehearsed`, node);
}
