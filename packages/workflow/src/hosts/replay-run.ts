import { sha256 } from '@alas-jssp/core/sha256';
import type { Registry } from '../interpreter/registry.js';
import { type Replay, replay } from '../interpreter/replay.js';
import type { LogStore } from '../log/store.js';
import { verifyRun } from '../log/verify.js';
import { decodeWith } from './call-registered.js';
import { checksFor } from './checks.js';

/**
 * Replays a run from its log without any outside call: recomputes inputs from logged outputs, pure
 * steps, validators, guards and waits, and compares all of it with the log.
 *
 * @throws AlasError `no_run`; `bad_registry` if a handler is missing: parity would mean nothing
 */
export async function replayRun(
  store: LogStore,
  runId: string,
  { registry }: { readonly registry: Registry },
): Promise<Replay> {
  const [problem] = verifyRun(store, runId).problems;
  if (problem !== undefined) {
    const { version, message } = problem;
    const divergence = { version, nodeId: '', cause: 'data', message } as const;
    return { parity: false, divergence, entries: 0, rerun: 0, decisions: 0 };
  }
  return replay(store, runId, {
    registry,
    hostOf: async (workflow) => ({
      digest: sha256,
      decode: decodeWith.bind(undefined, registry),
      check: await checksFor(workflow, store),
    }),
  });
}
