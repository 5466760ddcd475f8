import type { Workflow } from '../ir/workflow.js';
import type { Json, NewEntry } from '../log/entry.js';
import type { InboxMessage } from '../log/tables.js';
import { mayDecide } from './known-names.js';
import { deadlineFailure } from './policies.js';
import { type Effect, firstDeadline, type RunState } from './state.js';

/** A run as far as messages to it are concerned: a part of its state. */
export interface Addressee {
  readonly runId: string;
  /** It says who may decide about approvals. */
  readonly workflow?: Workflow | undefined;
  /** The number of the last message that stands in its log. */
  readonly inbox: number;
  readonly end?: { readonly status: string } | undefined;
  readonly stop?: RunState['stop'];
  readonly effects: {
    has(nodeId: string): boolean;
    values(): Iterable<Pick<Effect, 'nodeId' | 'status' | 'deadline'>>;
  };
}

/** The data of a message, once its form was checked. */
type MessageData = Readonly<Record<string, Json>>;

interface Kind {
  /** The members that every message of the kind has, and their types. */
  readonly needs: Readonly<Record<string, 'string' | 'number' | 'boolean'>>;
  /** A message of the kind says something of a run that has ended, too. */
  readonly afterEnd?: true;
  entryOf(data: MessageData): Pick<NewEntry, 'eventType'> & Partial<NewEntry>;
}

const KINDS: Readonly<Record<string, Kind>> = {
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

/** Whether a message of a kind still means something when its run has ended. */
export function outlivesEnd(kind: string): boolean {
  return KINDS[kind]?.afterEnd === true;
}

/**
 * The entries that messages of an inbox become in the log of their run, in order. A message that
 * is in the log already, comes too late or is none of those known becomes no entry. A deadline of an
 * effect that passed before a message was sent comes before it, also if no process was running then.
 *
 * @param ts ISO 8601, UTC: when they are taken
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
    // Whoever wanted it undone did not know yet that it would be committed.
    if (kind === 'compensate' && committed && data.evenCommitted === false) continue;
    // Settled or answered can only be what was begun.
    if ((kind === 'settle' || kind === 'answer') && !effects.has(nodeId)) continue;
    if (kind === 'compensate') ended = false;
    // When it was sent counts, also if the clock was put back between that and now.
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

/** The member of a message that is missing or of another type, and what it is to be; if there is one. */
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

/** Characters of the texts of a message that people write or that name people. */
const LONGEST: Readonly<Record<string, number>> = { by: 200, name: 1000, reason: 10_000 };

function textIn(data: Readonly<Record<string, unknown>>, key: string): string {
  const text = data[key];
  return typeof text === 'string' ? text : '';
}

/** Whether a decision about an approval comes from somebody who may decide; other messages may come from all. */
function isAllowed(workflow: Workflow | undefined, kind: string, data: MessageData): boolean {
  if (workflow === undefined || (kind !== 'approve' && kind !== 'deny')) return true;
  return mayDecide(workflow, String(data.name), String(data.by));
}

function isWellFormed(kind: string, data: Json): data is MessageData {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(KINDS, kind)) return false;
  return messageFault(kind, data as MessageData) === undefined;
}
