import { isObject } from '@alas-jssp/core/json-path';
import type { EventType } from './entry.js';

/** The parts of an entry that its order depends on. */
interface OrderedEntry {
  readonly version: number;
  readonly eventType: string;
  readonly nodeId: string;
  /** Canonical JSON. */
  readonly payload: string;
}

type Payload = Readonly<Record<string, unknown>>;

/** The state of a run after the entries so far. */
interface ProtocolState {
  ended: boolean;
  /** Whether the run must be undone. */
  stopped: boolean;
  /** Whether a cancellation requested that. */
  cancelled: boolean;
  /** The node from which a person wants a stopped run to continue. */
  backTo: unknown;
  /** The ids of the nodes of the workflow itself. */
  roots: readonly string[];
  token: number;
  /** Nodes that have begun, by path; false for those that have ended. */
  readonly running: Map<string, boolean>;
  /** The last attempts of nodes, and whether they may be repeated: their process has ended. */
  readonly attempts: Map<string, { attempt: number; broken: boolean }>;
  readonly effects: Map<string, 'held' | 'undoing' | 'broken' | 'undone'>;
  /**
   * Effects that need not be listed when a run ends: irreversible, or absent as a person stated.
   */
  readonly unlisted: Set<string>;
  /** Effects that may have appeared after or during their undo. */
  readonly late: Set<string>;
}

/** Returns the fault of an entry at its place, or undefined. */
type Rule = (run: ProtocolState, nodeId: string, payload: Payload) => string | undefined;

/**
 * A check of the order of the entries of one run: finds orders that two concurrent owners could
 * write, but one owner never does. Knows the entries of all versions so far. A log that does not
 * begin like that of a workflow is not checked.
 *
 * @returns a function that receives the entries in order, and returns the fault of each
 */
export function createProtocolCheck(): (entry: OrderedEntry) => string | undefined {
  let isRun = false;
  const run: ProtocolState = {
    ended: false,
    stopped: false,
    cancelled: false,
    backTo: undefined,
    roots: [],
    token: 0,

    running: new Map(),
    attempts: new Map(),
    effects: new Map(),
    unlisted: new Set(),
    late: new Set(),
  };
  return ({ version, eventType, nodeId, payload }) => {
    if (version === 0) isRun = eventType === 'StartRun' && isObject(parse(payload).workflow);
    const rule = RULES[eventType as EventType];
    if (!isRun || rule === undefined) return undefined;
    if (run.ended && !AFTER_END.includes(eventType)) return RUN_HAD_ENDED;
    // Outputs may be large, and are not needed.
    return rule(run, nodeId, PARSED.includes(eventType) ? parse(payload) : {});
  };
}

/** The fault of an entry after the end of its run. */
export const RUN_HAD_ENDED = 'the run had ended';

/** Types of entries that may follow the end of a run, and perhaps open it again. */
const AFTER_END: readonly string[] = ['Trigger', 'Settle', 'Answer', 'Resume'];

/** Types of entries whose payload matters. */
const PARSED: readonly string[] = [
  'StartRun',
  'Resume',
  'StartNode',
  'Trigger',
  'Settle',
  'Return',
  'Register',
  'EndRun',
];

const RULES: Readonly<Partial<Record<EventType, Rule>>> = {
  StartRun(run, _, { token, workflow }) {
    if (run.token > 0 || run.running.size > 0) return 'the run had begun';
    const nodes = isObject(workflow) && Array.isArray(workflow.nodes) ? workflow.nodes : [];
    run.roots = nodes.map(({ id }: { id: string }) => id);
    return acceptToken(run, token);
  },
  EndRun(run, _, payload) {
    run.ended = true;
    return faultOfEnd(run, payload);
  },
  Cancel(run) {
    run.cancelled ||= !run.stopped;
    run.stopped = true;
    return undefined;
  },
  Resume(run, _, { token }) {
    for (const one of run.attempts.values()) one.broken = true;
    breakUndoing(run);
    // Attempts of the owner before may have had their effects before it ended.
    for (const [nodeId, status] of run.effects) if (status === 'undone') run.late.add(nodeId);
    return acceptToken(run, token);
  },
  Trigger(run, nodeId, { kind, backTo }) {
    if (kind === 'failure') {
      if (nodeId === '') {
        run.stopped = true;
        run.cancelled = false;
      }
      return run.ended ? RUN_HAD_ENDED : undefined;
    }
    run.stopped = true;
    run.cancelled = kind === 'cancel';
    run.backTo = backTo;
    run.ended = false;
    breakUndoing(run);
    return undefined;
  },
  Settle(run, nodeId, { happened }) {
    if (happened !== true) run.unlisted.add(nodeId);
    return noteLateEffect(run, nodeId, happened === true);
  },
  Answer(run, nodeId) {
    run.late.add(nodeId);
    return noteLateEffect(run, nodeId, false);
  },
  StartNode(run, nodeId, { attempt }) {
    const hasBegun = run.running.get(nodeId) === true;
    const fault = beginNode(run, nodeId);
    if (fault !== undefined) return fault;
    if (typeof attempt !== 'number') return hasBegun ? 'the node had begun' : undefined;
    const last = run.attempts.get(nodeId);
    run.attempts.set(nodeId, { attempt, broken: false });
    if (last === undefined || attempt > last.attempt) return undefined;
    return attempt === last.attempt && last.broken ? undefined : `attempt ${attempt} had been made`;
  },
  AwaitMessage: beginNode,
  AwaitApproval: beginNode,
  EndNode: (run, nodeId) =>
    run.running.has(nodeId) ? endNode(run, nodeId) : 'the node had not begun',
  FailNode: endNode,
  SkipNode: endNode,
  Choose: inRun,
  Iterate: inRun,
  Retry: inRun,
  Catch: inRun,
  Register(run, nodeId, { effect }) {
    if (effect === 'irreversible') run.unlisted.add(nodeId);
    if (run.effects.has(nodeId)) return 'its effect was registered';
    run.effects.set(nodeId, 'held');
    return undefined;
  },
  Return(run, _, { nodes, to }) {
    for (const path of Array.isArray(nodes) ? nodes : []) {
      run.running.delete(path);
      run.attempts.delete(path);
      run.effects.delete(path);
      run.unlisted.delete(path);
    }
    if (run.backTo === to) run.stopped = false;
    return undefined;
  },
  Compensate(run, nodeId) {
    const status = run.effects.get(nodeId);
    run.effects.set(nodeId, 'undoing');
    const isLate = run.late.delete(nodeId);
    if (status === 'held' || status === 'broken' || (status === 'undone' && isLate)) {
      return undefined;
    }
    if (status === undefined) return 'it has no effect that was registered';
    return status === 'undone' ? 'its effect was undone' : 'its effect was being undone';
  },
  Compensated(run, nodeId) {
    const status = run.effects.get(nodeId);
    run.effects.set(nodeId, 'undone');
    return status === 'undoing' || status === 'broken'
      ? undefined
      : 'its effect was not being undone';
  },
  CompensateFail(run, nodeId) {
    const isLate = run.late.delete(nodeId);
    if (run.effects.get(nodeId) === 'undone' && !isLate) return 'its effect was undone';
    run.effects.set(nodeId, 'held');
    return undefined;
  },
};

/** The reason why the end of a run does not follow from the entries before it. */
function faultOfEnd(run: ProtocolState, payload: Payload): string | undefined {
  const { status, would = status, output, remaining, inDoubt } = payload;
  const [left, doubts] = [remaining, inDoubt].map((list) => (Array.isArray(list) ? list : []));
  if (status === 'IN_DOUBT' && doubts.length === 0) return 'nothing is listed as in doubt';
  const isStuck = left.some(({ reason }: { reason: string }) => reason !== 'declared');
  if (would === 'COMPENSATION_FAILED' && !isStuck) return 'nothing is listed that was not undone';
  const undoing = [...run.effects].find(([, state]) => state === 'undoing' || state === 'broken');
  if (undoing !== undefined) return `the effect of ${undoing[0]} was being undone`;
  // Its nodes are done, and an effect that appeared after its undo could not be undone again.
  const isLate = would === 'COMPENSATION_FAILED' && output !== undefined;
  if (run.stopped === (would === 'COMPLETED' || isLate)) {
    return run.stopped ? 'the run was stopped' : 'no entry says why it did not complete';
  }
  if (!run.stopped) {
    const open = run.roots.find((id) => run.running.get(id) !== false);
    return open === undefined ? undefined : `${open} had not ended`;
  }
  if (output !== undefined) return 'a run that was stopped has no output';
  const listed = new Set([...left, ...doubts].map(({ nodeId }: { nodeId: string }) => nodeId));
  for (const [nodeId, state] of run.effects) {
    if (state === 'undone' || listed.has(nodeId) || run.unlisted.has(nodeId)) continue;
    return `the effect of ${nodeId} was not undone, and it is not listed`;
  }
  const isUndone = [...run.effects.values()].includes('undone');
  if (would === 'COMPENSATED' && !isUndone) return 'no effect was undone';
  const isNothing = would === 'FAILED' || would === 'CANCELLED';
  if (isNothing && isUndone) return 'effects were undone';
  if (!isNothing || run.cancelled === (would === 'CANCELLED')) return undefined;
  return run.cancelled ? 'the run was cancelled' : 'the run was not cancelled';
}

function inRun(): undefined {}

function beginNode(run: ProtocolState, nodeId: string): string | undefined {
  if (run.running.get(nodeId) === false) return 'the node had ended';
  run.running.set(nodeId, true);
  return undefined;
}

function endNode(run: ProtocolState, nodeId: string): string | undefined {
  if (run.running.get(nodeId) === false) return 'the node had ended';
  run.running.set(nodeId, false);
  return undefined;
}

/** Each owner has a greater token than the one before. */
function acceptToken(run: ProtocolState, token: unknown): string | undefined {
  if (typeof token !== 'number') return undefined;
  const before = run.token;
  run.token = Math.max(before, token);
  return token > before ? undefined : `an owner with the token ${before} had it`;
}

/** A compensator whose process ended may be called again. */
function breakUndoing({ effects }: ProtocolState): void {
  for (const [nodeId, status] of effects) {
    if (status === 'undoing') effects.set(nodeId, 'broken');
  }
}

/** A late effect may open a run again, to be undone again. */
function noteLateEffect(run: ProtocolState, nodeId: string, happened: boolean): undefined {
  run.ended = false;
  if (happened && run.effects.get(nodeId) === 'undone') run.effects.set(nodeId, 'held');
}

function parse(payload: string): Payload {
  try {
    const value: unknown = JSON.parse(payload);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
