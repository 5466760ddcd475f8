import type { Json } from '@alas-jssp/workflow';

/** Contents too large for the log: durable beside it, found by their digest. */
export interface BlobStore {
  /** Writes the bytes to disk before it answers; returns their SHA-256 digest in hex. */
  put(bytes: Uint8Array): Promise<string>;
  /** Throws InputError if no contents with this digest are kept, or if they have changed. */
  get(digest: string): Promise<Uint8Array>;
}

/** A call of a tool as a compensation sees it. */
export interface GuardedCall {
  readonly server: string;
  /** The tool's own name on its server, without a prefix of the guard. */
  readonly tool: string;
  readonly input: Readonly<Record<string, Json>>;
  /** The idempotency key: the same for every attempt of this call. */
  readonly key: string;
  readonly signal: AbortSignal;
  readonly blobs: BlobStore;
  /** Calls a tool of the same server that the policy declares as a read. */
  readonly read: (tool: string, input: Record<string, Json>) => Promise<Json>;
  /**
   * Calls a tool of the same server that changes something, for an undo by the server's own tools. The guard logs the
   * call as part of the undo; it is not a call of the client and has no compensation. Only `undo` may use it.
   */
  readonly change: (tool: string, input: Record<string, Json>) => Promise<Json>;
}

/** Whether the effect of a call exists. */
export interface ObservedEffect {
  readonly state: 'done' | 'not-done' | 'partly' | 'unknown';
  /** The state after the call, which the undo compares with the present one to detect changes by others. */
  readonly after: Json;
}

/** The outcome of an undo. */
export interface UndoneEffect {
  /** `conflict`: the same thing has been changed since; nothing is overwritten. */
  readonly state: 'undone' | 'nothing-to-undo' | 'conflict' | 'failed';
  readonly message: string;
}

/** A way to take back calls of tools without an inverse tool: it reads the state itself. */
export interface Compensation {
  /** For example 'files', 'git', 'sqlite', 'memory' or 'http'. */
  readonly name: string;
  /**
   * Before the call: what the undo needs, as JSON; large contents in `call.blobs`, by digest.
   * Throws InputError if the call could not be taken back: the guard then refuses it.
   */
  prepare(call: GuardedCall): Promise<Json>;
  /**
   * After the answer (`output` is given), or after a crash or a lost answer (`output` is
   * undefined): whether the effect exists, and the state after the call.
   */
  observe(call: GuardedCall, prepared: Json, output: Json | undefined): Promise<ObservedEffect>;
  /** Takes the effect back if it exists; a second call is harmless. */
  undo(call: GuardedCall, prepared: Json, after: Json): Promise<UndoneEffect>;
}

/** Makes a compensation from the settings of a policy; throws InputError if they are wrong. */
export type CompensationFactory = (settings: Json) => Compensation;
