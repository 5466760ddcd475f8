import * as z from 'zod';
import { checkJson, faultError } from '../core/json-check.js';

const text = z.string('give a text').min(1, 'give a text');

const place = z.strictObject(
  {
    /** Amazon States Language: the function (ARN) that is called. */
    arn: text.optional(),
    /** Argo Workflows: the container image, and what is run in it. */
    image: text.optional(),
    command: z.array(text, 'give a list of words').optional(),
    /** BPMN 2.0: the topic under which external workers find it. */
    topic: text.optional(),
    /** BPMN 2.0: the delegate of the engine that calls it, where it is called within the engine. */
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
    /** Whoever is told that a message is waited for, by the name of the message. */
    messages: places,
    /** Whoever is asked for an approval, by its name as the workflow has it. */
    approvals: places,
    /** The place of what is not named. */
    others: place.default({}),
    /** Argo Workflows: where the workflow runs, and as whom. */
    argo: z
      .strictObject(
        { namespace: text.optional(), serviceAccountName: text.optional() },
        'give an object with keys out of namespace, serviceAccountName',
      )
      .default({}),
  },
  'give an object with keys out of schema, handlers, compensators, messages, approvals, others, argo',
);

/** Where handlers and compensators are to be found once a workflow is deployed. */
export type HandlerMap = z.infer<typeof mappingSchema>;

/** Where one handler or compensator is to be found. */
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

/** The kind of a call that an engine makes of a step. */
type CallKind = keyof typeof TABLES;

/**
 * Makes a map of handlers of a value that has its form (`docs/convert.md`).
 *
 * @throws InputError `bad_handler_map` naming the JSON path of what is wrong
 */
export function toHandlerMap(value: unknown, file?: string): HandlerMap {
  const checked = checkJson(mappingSchema, value);
  if (checked.fault === undefined) return checked.data;
  throw faultError('bad_handler_map', checked.fault, file);
}

/** Where a handler, a compensator, a message or an approval is to be found. */
export function whereIs(map: HandlerMap, kind: CallKind, name: string): HandlerPlace {
  const named = map[TABLES[kind]];
  return { ...map.others, ...(Object.hasOwn(named, name) ? named[name] : {}) };
}
