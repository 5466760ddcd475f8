/** Marks the file as a log of alas-jssp: "ALAS" in ASCII. */
export const APPLICATION_ID = 0x414c4153;

/** The version of the tables; files of other versions are refused. */
export const FORMAT_VERSION = 1;

/**
 * Rare types of entries, found by a partial index that does not slow down appends of other types.
 */
export const RARE_TYPES: readonly string[] = [
  'StartRun',
  'EndRun',
  'Resume',
  'Cancel',
  'Trigger',
  'Inject',
  'Snapshot',
  'Settle',
];

/** The condition of that index; a query must repeat it literally to use it. */
export const IS_RARE = `event_type IN (${RARE_TYPES.map((type) => `'${type}'`).join(', ')})`;

/**
 * The tables, as SQLite stores the text of their schema. `seq` numbers the entries of all runs from
 * 1 without gaps. The triggers make the file append-only for every program that opens it; the one
 * on INSERT prevents gaps and INSERT OR REPLACE, which deletes without a trigger. Blobs are large
 * payloads by their SHA-256, which entries reference as `blob:HASH`.
 */
const TABLES = [
  'CREATE TABLE entries (seq INTEGER PRIMARY KEY, run_id TEXT NOT NULL, version INTEGER NOT NULL, ts TEXT NOT NULL, node_id TEXT NOT NULL, event_type TEXT NOT NULL, payload TEXT NOT NULL, correlation_id TEXT NOT NULL, hash TEXT NOT NULL, UNIQUE (run_id, version)) STRICT',
  "CREATE TRIGGER entries_in_order BEFORE INSERT ON entries WHEN NEW.version <> (SELECT ifnull(max(version) + 1, 0) FROM entries WHERE run_id = NEW.run_id) OR NEW.seq BETWEEN 0 AND (SELECT max(seq) FROM entries) BEGIN SELECT RAISE(ABORT, 'entries are appended in order'); END",
  "CREATE TRIGGER entries_not_changed BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries do not change'); END",
  "CREATE TRIGGER entries_not_deleted BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are not deleted'); END",
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

/** The statements that create a new file. */
export const CREATE: readonly string[] = [
  ...TABLES,
  `PRAGMA application_id = ${APPLICATION_ID}`,
  `PRAGMA user_version = ${FORMAT_VERSION}`,
];

/**
 * Faults of the schema: missing and foreign parts, one sentence each.
 *
 * @param found the whole schema, text by text
 */
export function schemaFaults(found: readonly string[]): string[] {
  const expected: readonly string[] = TABLES;
  const named = (sql: string) => sql.split(' ').slice(1, 3).join(' ');
  return [
    ...expected
      .filter((sql) => !found.includes(sql))
      .map((sql) => `the schema lacks or has altered its ${named(sql)}`),
    ...found
      .filter((sql) => !expected.includes(sql))
      .map((sql) => `the schema holds a foreign part: ${sql.slice(0, 60)}`),
  ];
}
