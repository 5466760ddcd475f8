import { isObject } from '@alas-jssp/core/json-path';
import type { Json, LogEntry } from '@alas-jssp/workflow';

/** A decision of an agent, as a `Decide` entry holds it. */
export interface LoggedDecision {
  readonly choice: Json;
  readonly reasons: readonly Json[];
  readonly rejected: readonly Json[];
}

/** The state of an operation after the entries of a log. */
export type OperationStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'skipped' | 'undone';

/** The last execution of a node, from the entries of a run. */
export interface OperationHistory {
  /** Its path, such as `loop[2]/propose`. */
  readonly path: string;
  /** The id of its node. */
  readonly node: string;
  status: OperationStatus;
  input?: Json;
  output?: Json;
  /** Code and message of its failure. */
  error?: Json;
  decision?: LoggedDecision;
  /** The version of the entry that the status comes from: the evidence. */
  version: number;
  /** The version of the last entry in which a validator accepted it. */
  validated?: number;
}

type Payload = Readonly<Record<string, Json>>;

/** The status that an entry gives its node. */
const STATUSES: Readonly<Record<string, OperationStatus>> = {
  StartNode: 'running',
  AwaitApproval: 'waiting',
  AwaitMessage: 'waiting',
  EndNode: 'completed',
  FailNode: 'failed',
  SkipNode: 'skipped',
  Compensated: 'undone',
};

/**
 * The last execution of every path, in the order of their first entries. Entries of nodes that are not listed are
 * skipped, so that their number does not matter.
 *
 * @param nodes ids of nodes; an entry belongs to the innermost one on its path
 */
export function readHistory(
  entries: Iterable<LogEntry>,
  nodes: ReadonlySet<string>,
): OperationHistory[] {
  const histories = new Map<string, OperationHistory>();
  for (const { nodeId: path, eventType, payload, version } of entries) {
    const node = nodeOfPath(path, nodes);
    if (node === undefined) continue;
    const known = histories.get(path);
    const status = STATUSES[eventType] ?? known?.status;
    const data = (isObject(payload) ? payload : {}) as Payload;
    if (status === undefined) continue;
    const history = known ?? { path, node, status, version };
    if (known === undefined) histories.set(path, history);
    if (Object.hasOwn(STATUSES, eventType)) {
      history.status = status;
      history.version = version;
    }
    readEntry(history, eventType, data, version);
  }
  return [...histories.values()];
}

function readEntry(
  history: OperationHistory,
  eventType: string,
  data: Payload,
  version: number,
): void {
  if ((eventType === 'Register' || eventType === 'Request') && data.input !== undefined) {
    history.input = data.input;
  }
  if (eventType === 'EndNode' && data.output !== undefined) {
    history.output = data.output;
    delete history.error;
  }
  if (eventType === 'FailNode') history.error = data.error;
  if (eventType === 'ValidatePass') history.validated = version;
  if (eventType === 'Decide') {
    const { choice = null, reasons, rejected } = data;
    history.decision = { choice, reasons: listOf(reasons), rejected: listOf(rejected) };
  }
}

/** The innermost node on a path that is listed: `loop[2]/propose` is of `propose`, or else of `loop`. */
function nodeOfPath(path: string, nodes: ReadonlySet<string>): string | undefined {
  const ids = path.split('/').map((part) => part.replace(/\[[^\]]*\]$/, ''));
  return ids.reverse().find((id) => nodes.has(id));
}

function listOf(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}
