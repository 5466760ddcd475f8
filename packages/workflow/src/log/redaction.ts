import { createHmac, randomBytes } from 'node:crypto';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { InputError } from '@alas-jssp/core/errors';
import { escapePointer, isObject } from '@alas-jssp/core/json-path';
import { isSecretKey } from '@alas-jssp/core/secret-names';
import { createSecretText } from '@alas-jssp/core/secret-text';
import type { Workflow } from '../ir/workflow.js';
import type { EventType, Json, NewEntry } from './entry.js';
import {
  expandSchema,
  type IoSchemas,
  isMarkedSecret,
  isRedactedValue,
  memberSchemas,
  type RootedSchema,
  schemasOfWorkflow,
} from './secrets.js';
import type { LogStore } from './store.js';
import type { AppendOptions, InboxMessage, LeaseRequest } from './tables.js';

/** Shorter texts occur in too many places by chance. */
const SHORTEST_SECRET = 4;

/** Shorter values of secret keys are not searched for elsewhere. */
const SHORTEST_LEARNED = 8;

/** Options of a redaction: secrets that must never reach a log. */
export interface RedactionOptions {
  /** Texts, such as an API key, that are replaced in all texts. */
  readonly secrets?: readonly string[] | undefined;
  /**
   * The IO schemas of a node by its path, in which properties are marked `"x-secret": true`.
   * Default: those of the workflow in the run's first entry.
   */
  readonly schemasOf?: SchemasByPath | undefined;
}

/**
 * A store that removes secrets from entries and messages before it stores them. A value under a
 * secret key (see `secrets.ts`), or whose schema has `"x-secret": true`, becomes `{ "$redacted":
 * TAG }`; the tag is the same for equal values as long as this store lives, and reveals nothing
 * else about them. Such a value, if it is a text of 8 characters or more, the registered texts, and
 * texts that look like a key (see `core/secret-text.ts`) become `[redacted]` inside of texts and
 * keys. `$redactions` lists the JSON Pointers of the replaced parts of an entry.
 *
 * @throws InputError `bad_secret` for a secret of less than 4 characters; `append` throws
 *   `secret_run_id` if the id of a run contains a registered secret
 */
export function redacting<Store extends LogStore>(
  store: Store,
  { secrets = [], schemasOf }: RedactionOptions = {},
): Store {
  const redactor = entryRedactor(secrets);
  const schemasFor = schemasOf === undefined ? schemasOfRuns(store) : () => schemasOf;
  const clean = (entry: NewEntry): NewEntry => {
    if (redactor.name(entry.runId) !== entry.runId) throw secretRunId();
    const { value: payload, places } = redactor.value(entry, schemasFor(entry)(entry.nodeId));
    return {
      ...entry,
      payload:
        places.length > 0 && isObject(payload) ? { ...payload, $redactions: places } : payload,
      nodeId: redactor.name(entry.nodeId),
      correlationId: redactor.name(entry.correlationId),
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
    post: (message: Omit<InboxMessage, 'id'>) => {
      const { data: payload, kind } = message;
      const nodeId = String((payload as { nodeId?: string } | null)?.nodeId ?? '');
      const schemas = schemasFor(message)(nodeId);
      const eventType = kind === 'answer' ? 'Answer' : 'Signal';
      const { value } = redactor.value({ eventType, payload }, schemas);
      return store.post({ ...message, data: value });
    },
  };
}

type SchemasByPath = (nodeId: string) => readonly IoSchemas[];

/** Cache size in runs; the first entry of other runs is read again. */
const MOST_RUNS = 1000;

/** The schemas by the workflow with which a run began. */
function schemasOfRuns(
  store: LogStore,
): (entry: Pick<NewEntry, 'runId'> & Partial<NewEntry>) => SchemasByPath {
  const known = new Map<string, SchemasByPath>();
  return ({ runId, eventType, payload }) => {
    let schemas = known.get(runId);
    if (schemas !== undefined && eventType !== 'StartRun') return schemas;
    const [start] = eventType === 'StartRun' ? [{ payload }] : store.read({ runId, to: 0 });
    const { workflow } = (start?.payload ?? {}) as { workflow?: Workflow };
    schemas = Array.isArray(workflow?.nodes) ? schemasOfWorkflow(workflow) : () => [];
    if (known.size >= MOST_RUNS) known.clear();
    known.set(runId, schemas);
    return schemas;
  };
}

/** A value without its secrets, and their places. */
interface Redacted {
  readonly value: Json;
  readonly places: readonly string[];
}

interface EntryRedactor {
  name(text: string): string;
  value(entry: Pick<NewEntry, 'eventType' | 'payload'>, schemas: readonly IoSchemas[]): Redacted;
}

function entryRedactor(secrets: readonly string[]): EntryRedactor {
  const salt = randomBytes(16);
  const known = createSecretText(secrets.map(requireLength));

  /** Finds the secrets first: one may occur in a text that comes before its key. */
  const find = (value: Json, schemasOf: SchemasOf): boolean => {
    if (typeof value === 'string') return known.isIn(value);
    if (Array.isArray(value)) {
      let found = false;
      for (let i = 0; i < value.length; i++) {
        if (findMember(value[i], i, schemasOf)) found = true;
      }
      return found;
    }
    let found = false;
    if (!isObject(value)) return found;
    for (const key of Object.keys(value)) {
      if (findMember(value[key] as Json, key, schemasOf) || known.isIn(key)) found = true;
    }
    return found;
  };
  const findMember = (member: Json, key: string | number, schemasOf: SchemasOf): boolean => {
    const own = schemasOf(key);
    if (!isSecret(key, own)) return find(member, below(own));
    if (typeof member === 'string' && member.length >= SHORTEST_LEARNED) known.add(member);
    return true;
  };
  const clean = (value: Json, schemasOf: SchemasOf, path: string, places: string[]): Json => {
    if (typeof value === 'string') {
      const cleaned = known.clean(value);
      if (cleaned !== value) places.push(path);
      return cleaned;
    }
    const members = membersOf(value).map(([key, member]): [string, Json] => {
      const own = schemasOf(key);
      const name = known.clean(String(key));
      const place = `${path}/${escapePointer(name)}`;
      if (!isSecret(key, own) || member === null || isRedactedValue(member)) {
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
    name: known.cleanName,
    value: ({ payload, eventType }, schemas) => {
      const schemasOf = inPayload(eventType, schemas.filter(marksSecrets));
      if (!find(payload, schemasOf)) return { value: payload, places: [] };
      const places: string[] = [];
      return { value: clean(payload, schemasOf, '', places), places };
    },
  };
}

/** Whether schemas mark anything: most do not, and need not be followed. */
function marksSecrets(io: IoSchemas): boolean {
  const known = marking.get(io) ?? JSON.stringify(io).includes('"x-secret"');
  marking.set(io, known);
  return known;
}

const marking = new WeakMap<IoSchemas, boolean>();

/** The schemas of the members of a value; null where keys are not data. */
type SchemasOf = (key: string | number) => readonly RootedSchema[] | null;

const NONE: readonly RootedSchema[] = [];
const NO_DATA: SchemasOf = () => null;
const UNMARKED: SchemasOf = () => NONE;

function below(schemas: ReturnType<SchemasOf>): SchemasOf {
  if (schemas === null) return NO_DATA;
  return schemas.length === 0 ? UNMARKED : (key) => memberSchemas(schemas, key);
}

/** Entries with the owner of a run and its fencing token, which is no secret. */
const OWNED: readonly EventType[] = ['StartRun', 'Resume'];

/**
 * Payloads hold input, output, error and data of a node under these names. The workflow in StartRun
 * is not data (if its schemas mention a `password`, there is none), nor is the token of an owner.
 */
const inPayload =
  (eventType: EventType, schemas: readonly IoSchemas[]): SchemasOf =>
  (key) => {
    if (eventType === 'StartRun' && key === 'workflow') return null;
    if (OWNED.includes(eventType) && key === 'token') return null;
    if ((eventType === 'StartRun' || eventType === 'Resume') && key === 'token') return null;
    if (schemas.length === 0) return NONE;
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
    `a secret of ${secret.length} characters cannot be redacted: it occurs in too many texts`,
    `give one of ${SHORTEST_SECRET} characters or more`,
  );
}

function secretRunId(): InputError {
  return new InputError('secret_run_id', 'the id of this run holds a secret', 'give it another id');
}
