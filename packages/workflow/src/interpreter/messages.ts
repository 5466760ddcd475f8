import type { Workflow } from '../ir/workflow.js';
import type { Json, NewEntry } from '../log/entry.js';
import type { InboxMessage } from '../log/tables.js';
import { mayDecide } from './known-names.js';
import { deadlineFailure } from './policies.js';
import { type Effect, firstDeadline, type RunState } from './state.js';

/** The part of a run's state that messages depend on. */
export interface Addressee {
  readonly runId: string;
  /** It defines who may decide about approvals. */
  readonly workflow?: Workflow | undefined;
  /** The number of the last message in its log. */
  readonly inbox: number;
  readonly end?: { readonly status: string } | undefined;
  readonly stop?: RunState['stop'];
  readonly effects: {
    has(nodeId: string): boolean;
    values(): Iterable<Pick<Effect, 'nodeId' | 'status' | 'deadline'>>;
  };
}

/** The data of a message whose form was checked. */
type MessageData = Readonly<Record<string, Json>>;

interface MessageKind {
  /** The members that every message of the kind has, and their types. */
  readonly needs: Readonly<Record<string, 'string' | 'number' | 'boolean'>>;
  /** Whether a message of the kind has a meaning for an ended run. */
  readonly afterEnd?: true;
  entryOf(data: MessageData): Pick<NewEntry, 'eventType'> & Partial<NewEntry>;
}

const KINDS: Readonly<Record<string, MessageKind>> = {
  signal: {
    needs: { name: 'string' },
    entryOf: (data) => ({ eventType: 'Signal', payload: { ...data, data: data.data ?? null } }),
  },
  approve: {
    needs: { name: 'string', by: 'string' },
    entryOf: (payload) => ({ eventType: 'Approve', payload }),
  },
  deny: {
    needs: { name: 'string', by: 'string', reason: 'string' },
    entryOf: (payload) => ({ eventType: 'Deny', payload }),
  },
  cancel: {
    needs: { reason: 'string', by: 'string' },
    entryOf: (payload) => ({ eventType: 'Cancel', payload }),
  },
  compensate: {
    needs: { by: 'string' },
    afterEnd: true,
    entryOf: ({ nodeId = '', evenCommitted: _, ...rest }) => ({
      eventType: 'Trigger',
      nodeId: String(nodeId),
      payload: { kind: 'manual', ...rest },
    }),
  },
  settle: {
    needs: { nodeId: 'string', happened: 'boolean', by: 'string' },
    afterEnd: true,
    entryOf: ({ nodeId, ...payload }) => ({
      eventType: 'Settle',
      nodeId: String(nodeId),
      payload,
    }),
  },
  answer: {
    needs: { nodeId: 'string', attempt: 'number' },
    afterEnd: true,
    entryOf: ({ nodeId, ...payload }) => ({
      eventType: 'Answer',
      nodeId: String(nodeId),
      payload,
    }),
  },
};

/** Whether a message of a kind has a meaning after its run has ended. */
export function outlivesEnd(kind: string): boolean {
  return KINDS[kind]?.afterEnd === true;
}

/**
 * The entries of inbox messages in the log of their run, in order. A message that is in the log
 * already, is late or of unknown kind becomes no entry. If the deadline of an effect passed before
 * a message was sent, its entry comes first, even if no process was running then.
 *
 * @param ts ISO 8601, UTC: when they are received
 */
export function entriesOfMessages(
  { runId, workflow, inbox, end, stop, effects }: Addressee,
  messages: readonly InboxMessage[],
  ts: string,
): NewEntry[] {
  let ended = end !== undefined;
  const committed = end?.status === 'COMPLETED';
  const entries: NewEntry[] = [];
  const add = (eventType: NewEntry['eventType'], nodeId: string, payload: MessageData) => {
    const correlationId = nodeId === '' ? runId : nodeId;
    entries.push({ runId, ts, nodeId, eventType, payload, correlationId });
  };
  let deadline = ended || stop !== undefined ? undefined : firstDeadline(effects.values());
  for (const { id, kind, data, ts: posted } of messages) {
    if (id <= inbox || !isWellFormed(kind, data)) continue;
    if (ended && !outlivesEnd(kind)) continue;
    const { nodeId = '', payload = {}, eventType } = KINDS[kind].entryOf(data);
    if (!isAllowed(workflow, kind, data)) continue;
    // The request to undo was made before the commit.
    if (kind === 'compensate' && committed && data.evenCommitted === false) continue;
    // Only an effect that was begun can be settled or answered.
    if ((kind === 'settle' || kind === 'answer') && !effects.has(nodeId)) continue;
    if (kind === 'compensate') ended = false;
    // The send time counts, even if the clock was set back since then.
    if (deadline !== undefined && deadline.deadline <= Date.parse(posted)) {
      const error = deadlineFailure(deadline.nodeId) as unknown as Json;
      add('Trigger', deadline.nodeId, { kind: 'deadline', error });
      deadline = undefined;
    }
    const sent = posted !== ts && TIMED.includes(kind) ? { sent: posted } : {};
    if (STOPPING.includes(kind)) deadline = undefined;
    add(eventType, nodeId, { ...(payload as MessageData), message: id, ...sent });
  }
  return entries;
}

/** Kinds of messages that stop a run. */
const STOPPING: readonly string[] = ['cancel', 'compensate'];

/** Kinds of messages whose time is compared with limits. */
const TIMED: readonly string[] = ['signal', 'approve', 'deny', 'cancel'];

/** The missing or mistyped member of a message and its required type, if there is one. */
export function messageFault(
  kind: string,
  data: Readonly<Record<string, unknown>>,
): readonly [name: string, type: string] | undefined {
  const { needs } = KINDS[kind];
  const { by = '' } = data;
  const wrong = Object.entries({
    ...needs,
    ...(typeof by === 'string' ? {} : { by: 'string' }),
  }).find(([key, type]) => typeof data[key] !== type);
  if (wrong !== undefined) return wrong;
  const [long] = Object.entries(LONGEST).filter(([key, most]) => textIn(data, key).length > most);
  return long && [long[0], `string of at most ${long[1]} characters`];
}

/** Maximum length of texts in messages that people write or that name people. */
const LONGEST: Readonly<Record<string, number>> = { by: 200, name: 1000, reason: 10_000 };

function textIn(data: Readonly<Record<string, unknown>>, key: string): string {
  const text = data[key];
  return typeof text === 'string' ? text : '';
}

/**
 * Whether the sender of a decision about an approval may decide; other messages are open to all.
 */
function isAllowed(workflow: Workflow | undefined, kind: string, data: MessageData): boolean {
  if (workflow === undefined || (kind !== 'approve' && kind !== 'deny')) return true;
  return mayDecide(workflow, String(data.name), String(data.by));
}

function isWellFormed(kind: string, data: Json): data is MessageData {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(KINDS, kind)) return false;
  return messageFault(kind, data as MessageData) === undefined;
}
