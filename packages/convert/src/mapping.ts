import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import type { Node, Policy, Workflow } from '@alas-jssp/workflow';
import * as z from 'zod';
import { featuresOf } from './features.js';
import type { Feature } from './report.js';

const text = z.string('give a text').min(1, 'give a text');

const place = z.strictObject(
  {
    /** Amazon States Language: the ARN of the function. */
    arn: text.optional(),
    /** Argo Workflows: the container image and its command. */
    image: text.optional(),
    command: z.array(text, 'give a list of words').optional(),
    /** BPMN 2.0: the topic of its external workers. */
    topic: text.optional(),
    /** BPMN 2.0: the delegate of the engine, if it is called within the engine. */
    delegate: text.optional(),
  },
  'give an object with keys out of arn, image, command, topic, delegate',
);

const places = z.record(text, place, 'give an object of places by name').default({});

const mappingSchema = z.strictObject(
  {
    schema: z.literal('alas-jssp/handler-map@1', 'give "alas-jssp/handler-map@1"'),
    handlers: places,
    compensators: places,
    /**
     * The functions that are notified when a run waits for a message, by the name of the message.
     */
    messages: places,
    /** The functions that are asked for an approval, by its name in the workflow. */
    approvals: places,
    /** The place of all other names. */
    others: place.default({}),
    /** Argo Workflows: the namespace and service account of the workflow. */
    argo: z
      .strictObject(
        { namespace: text.optional(), serviceAccountName: text.optional() },
        'give an object with keys out of namespace, serviceAccountName',
      )
      .default({}),
  },
  'give an object with keys out of schema, handlers, compensators, messages, approvals, others, argo',
);

/** The places of handlers and compensators of a deployed workflow. */
export type HandlerMap = z.infer<typeof mappingSchema>;

/** The place of one handler or compensator. */
export type HandlerPlace = z.infer<typeof place>;

export const EMPTY_MAP: HandlerMap = {
  schema: 'alas-jssp/handler-map@1',
  handlers: {},
  compensators: {},
  messages: {},
  approvals: {},
  others: {},
  argo: {},
};

/** The tables of a map by the kind of call: of handlers, compensators, messages and approvals. */
const TABLES = {
  run: 'handlers',
  undo: 'compensators',
  wait: 'messages',
  approve: 'approvals',
} as const;

/** The kind of a call by an engine. */
type CallKind = keyof typeof TABLES;

/**
 * Parses a value as a map of handlers (`docs/how-to/convert.md`).
 *
 * @throws InputError `bad_handler_map` with the JSON path of the first invalid member
 */
export function toHandlerMap(value: unknown, file?: string): HandlerMap {
  const checked = checkJson(mappingSchema, value);
  if (checked.fault === undefined) return checked.data;
  throw faultError('bad_handler_map', checked.fault, file);
}

/** The place of a handler, a compensator, a message or an approval. */
export function whereIs(map: HandlerMap, kind: CallKind, name: string): HandlerPlace {
  const named = map[TABLES[kind]];
  return { ...map.others, ...(Object.hasOwn(named, name) ? named[name] : {}) };
}

/** Differences between the names of a map and those of a workflow. */
interface MapGaps {
  /** Names in the map but not in the workflow, such as `handlers.pya`. */
  readonly unknown: readonly string[];
  /** Names of the workflow without such a place in the map. */
  readonly missing: readonly string[];
}

/** Compares a map with the calls of a workflow: names that only one of them has. */
export function findMapGaps(map: HandlerMap, workflow: Workflow, key: keyof HandlerPlace): MapGaps {
  const called = new Map<string, boolean>();
  for (const { feature, node, policy } of featuresOf(workflow)) {
    const call = node === undefined ? undefined : callOf(feature, node, policy);
    if (call?.name === undefined) continue;
    const { kind, name } = call;
    called.set(`${TABLES[kind]}.${name}`, whereIs(map, kind, name)[key] !== undefined);
  }
  const named = Object.values(TABLES).flatMap((table) =>
    Object.keys(map[table]).map((name) => `${table}.${name}`),
  );
  return {
    unknown: named.filter((name) => !called.has(name)),
    missing: Array.from(called).flatMap(([name, placed]) => (placed ? [] : [name])),
  };
}

/** The call for a feature of a node, if it needs one. */
function callOf(
  feature: Feature,
  node: Node,
  policy?: Policy,
): { readonly kind: CallKind; readonly name: string | undefined } | undefined {
  if (feature === 'compensation') return { kind: 'undo', name: policy?.compensation?.handler };
  if (node.type === 'wait' && feature === 'wait') return { kind: 'wait', name: node.message };
  if (node.type !== 'task') return undefined;
  if (feature === 'task') return { kind: 'run', name: node.handler ?? node.id };
  return feature === 'approval' ? { kind: 'approve', name: node.approval } : undefined;
}
