import type {
  GivenClaim,
  HostAppend,
  Json,
  RunState,
  WantedClaim,
} from '@alas-jssp/workflow/interpreter';
import {
  ActivityFailure,
  getExternalWorkflowHandle,
  TimeoutFailure,
  uuid4,
} from '@temporalio/workflow';
import { type ClaimEnd, type ClaimRequest, commitClaim, dropClaim } from './claim-workflow.js';
import { claimIdOf } from './protocol.js';

/** The claims of a run on keys that other runs want, too: each key is a workflow of its own. */
export interface Claims {
  take(key: string, wanted: WantedClaim): Promise<GivenClaim | 'unanswered'>;
  /** Applies entries to claims; `ends`: the run ends with them. */
  change(changes: HostAppend, ends: boolean): void;
  /** Waits until all messages have arrived. */
  settled(): Promise<void>;
  /** Its claims, by key: the paths of the nodes. */
  readonly held: ReadonlyMap<string, string>;
}

/** Maximum seconds that one request waits for a key. */
const LONGEST_WAIT = 20;

/**
 * Seconds after the last moment at which a key is wanted, within which an answer may still arrive.
 */
const GRACE = 10;

/**
 * Manages the claims of a run.
 *
 * @param held its existing claims
 * @param ask makes a worker send a request, within a number of seconds, however many workers that
 *   takes
 */
export function createClaims(
  state: RunState,
  digest: (text: string) => string,
  held: Iterable<readonly [string, string]>,
  ask: (request: ClaimRequest, seconds: number) => Promise<GivenClaim>,
): Claims {
  const { runId } = state;
  const own = new Map(held);
  let sent: Promise<unknown> = Promise.resolve();
  const notify = (key: string, signal: typeof dropClaim, end: ClaimEnd): void => {
    own.delete(key);
    const handle = getExternalWorkflowHandle(claimIdOf(digest(key)));
    // A missing one needs no message.
    const arrived = handle.signal(signal, end).catch(() => {});
    sent = Promise.all([sent, arrived]);
  };
  const drop = (key: string, wish?: string) => notify(key, dropClaim, { runId, wish });
  return {
    held: own,
    async take(key, { until, onStop, ...wanted }) {
      await sent;
      const rest = Math.max(0, (until - Date.now()) / 1000);
      const wish = uuid4();
      const request = { key, runId, wish, seconds: Math.min(LONGEST_WAIT, rest), ...wanted };
      let isStopped = false;
      const withdraw = () => {
        isStopped = true;
        drop(key, wish);
      };
      const goOn = onStop(withdraw);
      try {
        const claim = await ask(request, rest + GRACE);
        if (isStopped) return 'unanswered';
        if (claim.runId === runId) own.set(key, wanted.nodeId);
        return claim;
      } catch (error) {
        if (!isTimeOver(error)) throw error;
        withdraw();
        return 'unanswered';
      } finally {
        goOn();
      }
    },
    change({ dropClaims = [], commitClaims = false }, ends) {
      for (const key of dropClaims) if (own.has(key)) drop(key);
      if (!ends) return;
      for (const [key, nodeId] of own) {
        const node = state.nodes.get(nodeId);
        // Taken for a step that then never began.
        if (node === undefined || !state.keys.has(key)) drop(key);
        else if (commitClaims) {
          notify(key, commitClaim, { runId, output: (node.output ?? null) as Json });
        }
      }
    },
    settled: async () => void (await sent),
  };
}

/** Whether a request timed out. */
function isTimeOver(error: unknown): boolean {
  return error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
}
