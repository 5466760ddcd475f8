/** Marks the file as a log of ours: "ALAS" in ASCII. */
export const APPLICATION_ID = 0x414c4153;

/** The version of the tables; a file of an older one is migrated, one of a newer one refused. */
export const FORMAT_VERSION = 2;

/**
 * The entries, as SQLite keeps the text of their schema. `seq` numbers those of all runs from 1
 * without gaps. The triggers make the file append-only for every program that opens it; that on
 * INSERT stands against gaps and against INSERT OR REPLACE, which deletes without a trigger.
 */
const FORMAT_1 = [
  'CREATE TABLE entries (seq INTEGER PRIMARY KEY, run_id TEXT NOT NULL, version INTEGER NOT NULL, ts TEXT NOT NULL, node_id TEXT NOT NULL, event_type TEXT NOT NULL, payload TEXT NOT NULL, correlation_id TEXT NOT NULL, hash TEXT NOT NULL, UNIQUE (run_id, version)) STRICT',
  "CREATE TRIGGER entries_in_order BEFORE INSERT ON entries WHEN NEW.version <> (SELECT ifnull(max(version) + 1, 0) FROM entries WHERE run_id = NEW.run_id) OR NEW.seq BETWEEN 0 AND (SELECT max(seq) FROM entries) BEGIN SELECT RAISE(ABORT, 'entries are appended in order'); END",
  "CREATE TRIGGER entries_not_changed BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries do not change'); END",
  "CREATE TRIGGER entries_not_deleted BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are not deleted'); END",
] as const;

/** Types of entries of which a run has few: they are found by an index, which costs the others nothing. */
export const RARE_TYPES: readonly string[] = [
  ...['StartRun', 'EndRun', 'Resume', 'Cancel', 'Trigger', 'Inject', 'Snapshot', 'Settle'],
];

/** The condition of that index; a query that is to use it must repeat it to the letter. */
export const IS_RARE = `event_type IN (${RARE_TYPES.map((type) => `'${type}'`).join(', ')})`;

/** The additions of format 2. Blobs are large payloads by their SHA-256, for which `blob:HASH` stands. */
const ADDED_BY_2 = [
  'CREATE INDEX entries_first ON entries (seq, run_id) WHERE version = 0',
  `CREATE INDEX entries_rare ON entries (run_id, event_type, version) WHERE ${IS_RARE}`,
  'CREATE TABLE leases (seq INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, owner TEXT, token INTEGER NOT NULL, until REAL NOT NULL, wake_at REAL, taken INTEGER NOT NULL, quiet INTEGER NOT NULL) STRICT',
  'CREATE TABLE claims (key TEXT NOT NULL PRIMARY KEY, run_id TEXT NOT NULL, node_id TEXT NOT NULL, handler TEXT NOT NULL, input_hash TEXT NOT NULL, committed INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  'CREATE INDEX claims_of_run ON claims (run_id)',
  'CREATE TABLE inbox (id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, ts TEXT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL) STRICT',
  'CREATE INDEX inbox_of_run ON inbox (run_id)',
  'CREATE TABLE blobs (hash TEXT NOT NULL PRIMARY KEY, content BLOB NOT NULL) STRICT',
  "CREATE TRIGGER blobs_not_changed BEFORE UPDATE ON blobs BEGIN SELECT RAISE(ABORT, 'blobs do not change'); END",
  "CREATE TRIGGER blobs_not_deleted BEFORE DELETE ON blobs BEGIN SELECT RAISE(ABORT, 'blobs are not deleted'); END",
] as const;

const LEASE_COLUMNS = 'run_id, owner, token, until, wake_at, taken, quiet';

/** Leases of the runs of format 1 that have not ended: nobody has them, and they are due. */
const OLD_LEASES = `SELECT seq, run_id, NULL AS owner, 0 AS token, 0 AS until, 0 AS wake_at, 0 AS taken, 1 AS quiet FROM entries AS first WHERE version = 0 AND event_type = 'StartRun' AND (SELECT event_type FROM entries WHERE run_id = first.run_id ORDER BY version DESC LIMIT 1) <> 'EndRun'`;

/** Keys of scope `resource` whose effects stand: in format 1 they were looked for in the entries. */
const OLD_CLAIMS = `SELECT json_extract(payload, '$.key'), run_id, node_id, json_extract(payload, '$.handler'), json_extract(payload, '$.input'), ifnull((SELECT json_extract(payload, '$.status') = 'COMPLETED' FROM entries WHERE run_id = start.run_id AND event_type = 'EndRun' ORDER BY version DESC LIMIT 1), 0) FROM entries AS start WHERE event_type = 'StartNode' AND payload LIKE '%"key":"resource|%' AND json_valid(payload) AND json_extract(payload, '$.key') LIKE 'resource|%' AND NOT EXISTS (SELECT 1 FROM entries AS later WHERE later.run_id = start.run_id AND later.node_id = start.node_id AND later.version > start.version AND later.event_type IN ('FailNode', 'Compensated')) ORDER BY seq`;

const MARK = `PRAGMA user_version = ${FORMAT_VERSION}`;

/** Makes a new file. */
export const CREATE: readonly string[] = [
  ...FORMAT_1,
  ...ADDED_BY_2,
  `PRAGMA application_id = ${APPLICATION_ID}`,
  MARK,
];

/** Makes a file of format 1 one of format 2. */
export const MIGRATE: readonly string[] = [
  ...ADDED_BY_2,
  `INSERT INTO leases (${LEASE_COLUMNS}) SELECT ${LEASE_COLUMNS} FROM (${OLD_LEASES}) ORDER BY seq`,
  `INSERT OR IGNORE INTO claims ${OLD_CLAIMS}`,
  MARK,
];

/** Shows a file of format 1, which is not to be changed, as one of format 2. */
export const SHOW_AS_2: readonly string[] = [
  'PRAGMA temp_store = MEMORY',
  `CREATE TEMP VIEW leases AS ${OLD_LEASES}`,
  'CREATE TEMP TABLE claims (key, run_id, node_id, handler, input_hash, committed)',
  'CREATE TEMP TABLE inbox (id, run_id, ts, kind, data)',
  'CREATE TEMP TABLE blobs (hash, content)',
];

/**
 * Faults of the schema: what is missing or does not belong there, one sentence each.
 *
 * @param found all that stands in it, text by text
 */
export function schemaFaults(found: readonly string[], format: number): string[] {
  const expected: readonly string[] = format === 1 ? FORMAT_1 : [...FORMAT_1, ...ADDED_BY_2];
  const named = (sql: string) => sql.split(' ').slice(1, 3).join(' ');
  return [
    ...expected
      .filter((sql) => !found.includes(sql))
      .map((sql) => `the schema lacks or has altered its ${named(sql)}`),
    ...found
      .filter((sql) => !expected.includes(sql))
      .map((sql) => `the schema holds what is not ours: ${sql.slice(0, 60)}`),
  ];
}
