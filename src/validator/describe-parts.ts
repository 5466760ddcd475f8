import type { Instance } from '../jssp/instance.js';
import { setupTime } from '../jssp/shop-parts.js';
import { wordsOf } from '../jssp/words.js';
import { edgeBetween } from './edges.js';
import type { Overload } from './resource-use.js';
import { earliestSetup, type SetupTimes } from './setups.js';
import { operationScope, type ViolationCode, type ViolationOf } from './violation.js';

// Descriptions of violations that only shops beyond the classic job shop have.

/** The parts of a violation without its code. */
type Description<C extends ViolationCode> = Omit<ViolationOf<C>, 'code'>;

/** N start and completion times. */
interface OperationTimes {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/**
 * Describes an operation that has started in another mode.
 *
 * @param taken N entries: the modes in which operations have started
 */
export function describeReassigned(
  instance: Instance,
  op: number,
  taken: Int32Array,
): Description<'frozen_reassigned'> {
  const { modes, machine } = instance;
  const first = modes === null ? op : modes.offset[op];
  const mode = (modes?.chosen[op] ?? op) - first;
  const frozenMode = taken[op] - first;
  const frozenMachine = modes?.machine[taken[op]] ?? machine[op];
  const words = wordsOf(instance);
  const [now, before] =
    frozenMachine === machine[op]
      ? [`in mode ${mode + 1}`, `in mode ${frozenMode + 1}`]
      : [`on ${words.machine(machine[op])}`, `on ${words.machine(frozenMachine)}`];
  return {
    message: `${words.operation(op)} is planned ${now}, but has already started ${before}`,
    scope: operationScope(instance, op),
    mode,
    machine: machine[op],
    frozenMode,
    frozenMachine,
  };
}

/** Describes an operation that starts before the transport and the least lag after a predecessor are over. */
export function describeShortLag(
  instance: Instance,
  op: number,
  other: number,
  times: OperationTimes,
): Description<'lag_too_short'> {
  const edge = edgeBetween(instance, other, op);
  const earliest = times.ends[other] + edge.transport + edge.minLag;
  const words = wordsOf(instance);
  const { time, duration } = words;
  const needs = [
    ...(edge.transport > 0 ? [`${duration(edge.transport)} of transport`] : []),
    ...(edge.minLag > 0 ? [`${duration(edge.minLag)} of waiting`] : []),
  ].join(' and ');
  return {
    message: `${words.operation(op)} starts at ${time(times.starts[op])}, but after ${words.operation(other)}, which ends at ${time(times.ends[other])}, come ${needs}`,
    scope: operationScope(instance, op),
    start: times.starts[op],
    other,
    otherEnd: times.ends[other],
    transport: edge.transport,
    lag: edge.minLag,
    earliest,
  };
}

/** Describes an operation that starts after the greatest lag since the arrival from a predecessor. */
export function describeLongLag(
  instance: Instance,
  op: number,
  other: number,
  { starts, ends }: OperationTimes,
): Description<'lag_too_long'> {
  const edge = edgeBetween(instance, other, op);
  const arrival = ends[other] + edge.transport;
  const words = wordsOf(instance);
  const { time, duration } = words;
  const limit = edge.maxLag === 0 ? 'must not wait' : `may wait ${duration(edge.maxLag)} at most`;
  const since =
    edge.transport === 0
      ? `${words.operation(other)} ends at ${time(arrival)}`
      : `it arrives from ${words.operation(other)} at ${time(arrival)}`;
  return {
    message: `${words.operation(op)} starts at ${time(starts[op])}, but ${since} and ${limit}`,
    scope: operationScope(instance, op),
    start: starts[op],
    other,
    otherEnd: ends[other],
    transport: edge.transport,
    lag: edge.maxLag,
    latest: arrival + edge.maxLag,
  };
}

/** Describes a setup for which there is too little time; `before` is −1 for the first operation of the machine. */
export function describeSetup(
  instance: Instance,
  op: number,
  before: number,
  { starts, ends }: OperationTimes,
  { begin }: SetupTimes,
): Description<'setup'> {
  const machine = instance.machine[op];
  const setup = setupTime(instance, machine, before, op);
  const earliest = earliestSetup(instance, op, before, ends);
  const words = wordsOf(instance);
  const { time } = words;
  const after = before < 0 ? '' : ` after ${words.operation(before)}`;
  const need =
    begin[op] < 0 ? 'before the plan begins' : `at ${time(begin[op])}, before ${time(earliest)}`;
  return {
    message: `${words.operation(op)} starts at ${time(starts[op])}, but the setup of ${words.machine(machine)}${after} takes ${words.duration(setup)} and would begin ${need}`,
    scope: operationScope(instance, op),
    start: starts[op],
    setup,
    begin: begin[op],
    earliest,
    ...(before >= 0 && { before }),
  };
}

/** Describes a resource that is needed more than there is of it; its subject is the operation that needs it last. */
export function describeOverload(
  instance: Instance,
  overload: Overload,
): Description<'resource_overload'> {
  const { resource, from, to, peak, need, capacity, operations } = overload;
  const words = wordsOf(instance);
  const { time } = words;
  const last = operations.at(-1);
  const users = operations.map((op) => words.operation(op));
  const who = users.length > 1 ? words.sentences.names.list(users) : users[0];
  return {
    message: `${words.resource(resource)} is overloaded from ${time(from)} to ${time(to)}: ${who} need${users.length > 1 ? '' : 's'} ${need} at ${time(peak)}, but there ${capacity === 1 ? 'is' : 'are'} only ${capacity}`,
    scope: last === undefined ? {} : operationScope(instance, last),
    resource,
    from,
    to,
    peak,
    need,
    capacity,
    operations,
  };
}
