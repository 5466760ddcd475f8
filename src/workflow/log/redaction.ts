import { createHmac, randomBytes } from 'node:crypto';
import { canonicalJson } from '../../core/canonical-json.js';
import { InputError } from '../../core/errors.js';
import { escapePointer, isObject } from '../../core/json-path.js';
import { createSecretText } from '../../core/secret-text.js';
import type { EventType, Json, NewEntry } from './entry.js';
import {
  expandSchema,
  type IoSchemas,
  isMarkedSecret,
  isPlaceholder,
  isSecretKey,
  memberSchemas,
  type RootedSchema,
} from './secrets.js';
import type { LogStore } from './store.js';
import type { AppendOptions, LeaseRequest } from './tables.js';

/** Shorter texts stand in too many places by chance. */
const SHORTEST_SECRET = 4;

/** Shorter values of secret keys are not looked for elsewhere. */
const SHORTEST_LEARNED = 8;

/** Options of a redaction: secrets that must never reach a log. */
export interface RedactionOptions {
  /** Texts, such as an API key, that are replaced wherever they stand in a text. */
  readonly secrets?: readonly string[] | undefined;
  /** The IO schemas of a node by its path, in which properties are marked `"x-secret": true`. */
  readonly schemasOf?: ((nodeId: string) => readonly IoSchemas[]) | undefined;
}

/**
 * A store that hands entries on without their secrets. A value under a secret key (see
 * `secrets.ts`), or whose schema says `"x-secret": true`, becomes `{ "$redacted": TAG }`; the tag
 * is the same for equal values as long as this store lives, and tells nothing else about them. Such a
 * value, if it is a text of 8 characters or more, and the texts that are registered become
 * `[redacted]` inside of texts and keys. `$redactions` lists the JSON Pointers of what was replaced.
 *
 * @throws InputError `bad_secret` for a secret of less than 4 characters; `append` throws
 *   `secret_run_id` if a secret stands in the id of a run
 */
export function redacting<Store extends LogStore>(
  store: Store,
  { secrets = [], schemasOf = () => [] }: RedactionOptions,
): Store {
  const redactor = createRedactor(secrets);
  const clean = (entry: NewEntry): NewEntry => {
    if (redactor.text(entry.runId) !== entry.runId) throw secretRunId();
    return {
      ...entry,
      payload: redactor.payload(entry, schemasOf(entry.nodeId)),
      nodeId: redactor.text(entry.nodeId),
      correlationId: redactor.text(entry.correlationId),
    };
  };
  return {
    ...store,
    append: (entries: readonly NewEntry[], options?: AppendOptions) =>
      store.append(entries.map(clean), options),
    acquire: (request: LeaseRequest) => {
      const { first } = request;
      if (first === undefined) return store.acquire(request);
      return store.acquire({ ...request, first: (token) => first(token).map(clean) });
    },
  };
}

interface Redactor {
  text(text: string): string;
  payload(entry: NewEntry, schemas: readonly IoSchemas[]): Json;
}

function createRedactor(secrets: readonly string[]): Redactor {
  const salt = randomBytes(16);
  const known = createSecretText(secrets.map(requireLength));
  const text = known.clean;
  const learn = (value: Json): void => {
    if (typeof value === 'string' && value.length >= SHORTEST_LEARNED) known.add(value);
  };

  /** Finds the secrets first: one may stand in a text that comes before its key. */
  const learnAll = (value: Json, schemasOf: SchemasOf): void => {
    for (const [key, member] of membersOf(value)) {
      const own = schemasOf(key);
      if (isSecret(key, own)) learn(member);
      else learnAll(member, below(own));
    }
  };
  const clean = (value: Json, schemasOf: SchemasOf, path: string, places: string[]): Json => {
    if (typeof value === 'string') {
      const cleaned = text(value);
      if (cleaned !== value) places.push(path);
      return cleaned;
    }
    const members = membersOf(value).map(([key, member]): [string, Json] => {
      const own = schemasOf(key);
      const name = text(String(key));
      const place = `${path}/${escapePointer(name)}`;
      if (!isSecret(key, own) || member === null || isPlaceholder(member)) {
        return [name, clean(member, below(own), place, places)];
      }
      places.push(place);
      const tag = createHmac('sha256', salt).update(canonicalJson(member)).digest('hex');
      return [name, { $redacted: tag.slice(0, 8) }];
    });
    if (Array.isArray(value)) return members.map(([, member]) => member);
    return isObject(value) ? Object.fromEntries(members) : value;
  };

  return {
    text,
    payload: ({ payload, eventType }, schemas) => {
      const schemasOf = inPayload(eventType, schemas);
      learnAll(payload, schemasOf);
      const places: string[] = [];
      const cleaned = clean(payload, schemasOf, '', places);
      if (places.length === 0 || !isObject(cleaned)) return cleaned;
      return { ...cleaned, $redactions: places } as Json;
    },
  };
}

/** The schemas of the members of a value; null where keys name no data. */
type SchemasOf = (key: string | number) => readonly RootedSchema[] | null;

const below =
  (schemas: ReturnType<SchemasOf>): SchemasOf =>
  (key) =>
    schemas && memberSchemas(schemas, key);

/**
 * Payloads hold input, output and error of a node under these names. The workflow in StartRun is no
 * data: where its schemas speak of a `password` there is none.
 */
const inPayload =
  (eventType: EventType, schemas: readonly IoSchemas[]): SchemasOf =>
  (key) => {
    if (eventType === 'StartRun' && key === 'workflow') return null;
    return schemas.flatMap((io) => {
      const schema = io[key as keyof IoSchemas];
      return expandSchema(schema, schema);
    });
  };

function isSecret(key: string | number, schemas: ReturnType<SchemasOf>): boolean {
  if (schemas === null) return false;
  return (typeof key === 'string' && isSecretKey(key)) || isMarkedSecret(schemas);
}

function membersOf(value: Json): (readonly [string | number, Json])[] {
  if (Array.isArray(value)) return value.map((member, i) => [i, member] as const);
  if (!isObject(value)) return [];
  return Object.entries(value as Readonly<Record<string, Json>>).filter(
    ([, member]) => member !== undefined,
  );
}

function requireLength(secret: string): string {
  if (secret.length >= SHORTEST_SECRET) return secret;
  throw new InputError(
    'bad_secret',
    `a secret of ${secret.length} characters cannot be redacted: it stands in too many texts`,
    `give one of ${SHORTEST_SECRET} characters or more`,
  );
}

function secretRunId(): InputError {
  return new InputError('secret_run_id', 'the id of this run holds a secret', 'give it another id');
}
