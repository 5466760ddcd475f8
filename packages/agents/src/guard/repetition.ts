import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { InputError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Json } from '@alas-jssp/workflow';

/** The ways in which a client names a request. */
export interface RequestName {
  /** Given by the client on purpose: equal keys name one call. */
  readonly requestKey?: string | undefined;
  /** The number of the request in the protocol: a request that is sent again has the same. */
  readonly requestId?: string | undefined;
}

/** A call that was made, as repetitions are found by it. */
interface MadeCall {
  readonly call: number;
  readonly digest: string;
  readonly requestKey: string | undefined;
  /** Whether its outcome has reached the client. */
  delivered: boolean;
}

/** The calls of a client, by which a repeated call is told from a new one. */
export interface Repetitions {
  /**
   * The call that a request repeats; undefined for a new one. A request repeats a call with the same
   * tool and the same input
   * - if it has the same key;
   * - if it has the same number in the protocol;
   * - if the outcome of the call has not reached the client, or it is in doubt, and not both have keys.
   *
   * @throws InputError `other_request` for the key of a call with another tool or input
   */
  find(
    tool: string,
    input: Json,
    name: RequestName,
    isOpen: (call: number) => boolean,
  ): number | undefined;
  add(call: number, tool: string, input: Json, name: RequestName): void;
  deliver(call: number): void;
}

/** Creates the memory of the calls of one client. */
export function createRepetitions(): Repetitions {
  const byKey = new Map<string, MadeCall>();
  const byId = new Map<string, MadeCall>();
  /** Calls whose outcome may still be asked for, oldest first. */
  const byDigest = new Map<string, readonly MadeCall[]>();
  const byCall = new Map<number, MadeCall>();
  return {
    find(tool, input, { requestKey, requestId }, isOpen) {
      const digest = digestOf(tool, input);
      if (requestKey !== undefined) {
        const keyed = byKey.get(requestKey);
        if (keyed !== undefined && keyed.digest !== digest) throw otherRequest(requestKey, keyed);
        if (keyed !== undefined) return keyed.call;
      }
      const sent = requestId === undefined ? undefined : byId.get(requestId);
      if (sent?.digest === digest && sent.requestKey === requestKey) return sent.call;
      const unsettled = (byDigest.get(digest) ?? []).filter(
        ({ call, delivered }) => !delivered || isOpen(call),
      );
      byDigest.set(digest, unsettled);
      return unsettled.findLast((made) => requestKey === undefined || made.requestKey === undefined)
        ?.call;
    },
    add(call, tool, input, { requestKey, requestId }) {
      const digest = digestOf(tool, input);
      const made: MadeCall = { call, digest, requestKey, delivered: false };
      if (requestKey !== undefined) byKey.set(requestKey, made);
      if (requestId !== undefined) byId.set(requestId, made);
      byDigest.set(digest, [...(byDigest.get(digest) ?? []), made]);
      byCall.set(call, made);
    },
    deliver(call) {
      const made = byCall.get(call);
      if (made !== undefined) made.delivered = true;
    },
  };
}

function digestOf(tool: string, input: Json): string {
  return sha256(canonicalJson([tool, input]));
}

function otherRequest(key: string, { call }: MadeCall): InputError {
  const problem = `the key ${key} belongs to call ${call}, with another tool or input`;
  return new InputError('other_request', problem, 'give a new call a new key', {}, key);
}
