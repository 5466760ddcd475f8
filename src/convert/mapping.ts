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
  },
  'give an object with keys out of arn, image, command, topic',
);

const places = z.record(text, place, 'give an object of places by name').default({});

const mappingSchema = z.strictObject(
  {
    schema: z.literal('alas-jssp/handler-map@1', 'give "alas-jssp/handler-map@1"'),
    handlers: places,
    compensators: places,
    /** The place of handlers and compensators that are not named. */
    others: place.default({}),
  },
  'give an object with keys out of schema, handlers, compensators, others',
);

/** Where handlers and compensators are to be found once a workflow is deployed. */
export type HandlerMap = z.infer<typeof mappingSchema>;

/** Where one handler or compensator is to be found. */
export type HandlerPlace = z.infer<typeof place>;

export const EMPTY_MAP: HandlerMap = {
  schema: 'alas-jssp/handler-map@1',
  handlers: {},
  compensators: {},
  others: {},
};

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

/** Where a handler (`run`) or a compensator (`undo`) is to be found. */
export function whereIs(map: HandlerMap, kind: 'run' | 'undo', name: string): HandlerPlace {
  const named = kind === 'run' ? map.handlers : map.compensators;
  return { ...map.others, ...(Object.hasOwn(named, name) ? named[name] : {}) };
}
