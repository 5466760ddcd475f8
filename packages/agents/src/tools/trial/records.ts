import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { Json } from '@alas-jssp/workflow';

/** A record of a trial system. Members that are null count as missing. */
export type TrialRecord = Readonly<Record<string, Json>>;

/** The records of a trial system, by kind and id. */
export interface TrialRecords {
  get(kind: string, id: string): TrialRecord | undefined;
  set(kind: string, id: string, record: TrialRecord | undefined): void;
  /** All records as canonical JSON: kinds with records, each with its records by id. */
  snapshot(): string;
}

/** Creates records from those of a catalogue. */
export function createRecords(initial: Readonly<Record<string, readonly object[]>>): TrialRecords {
  const kinds = new Map<string, Map<string, TrialRecord>>();
  const set = (kind: string, id: string, record: TrialRecord | undefined) => {
    const records = kinds.get(kind) ?? new Map<string, TrialRecord>();
    kinds.set(kind, records);
    if (record === undefined) records.delete(id);
    else records.set(id, withoutNulls(record));
  };
  for (const [kind, records] of Object.entries(initial)) {
    for (const record of records as readonly (TrialRecord & { id: string })[]) {
      set(kind, record.id, record);
    }
  }
  return {
    get: (kind, id) => kinds.get(kind)?.get(id),
    set,
    snapshot: () =>
      canonicalJson(
        Object.fromEntries(
          Array.from(kinds)
            .filter(([, records]) => records.size > 0)
            .map(([kind, records]) => [kind, Object.fromEntries(records)]),
        ),
      ),
  };
}

/** Changes of records that are kept apart until they are complete: a call changes everything or nothing. */
export function stageChanges(records: TrialRecords) {
  const staged = new Map<string, StagedChange>();
  return {
    get(kind: string, id: string): TrialRecord | undefined {
      const change = staged.get(JSON.stringify([kind, id]));
      return change === undefined ? records.get(kind, id) : change.after;
    },
    set(kind: string, id: string, record: TrialRecord | undefined): void {
      const key = JSON.stringify([kind, id]);
      const before = staged.has(key) ? staged.get(key)?.before : records.get(kind, id);
      const after = record === undefined ? undefined : withoutNulls(record);
      staged.set(key, { kind, id, before, after });
    },
    /** Applies the changes, and lists those that changed anything. */
    commit(): StagedChange[] {
      const changes = [...staged.values()].filter(
        ({ before, after }) => canonicalJson(before ?? null) !== canonicalJson(after ?? null),
      );
      for (const { kind, id, after } of changes) records.set(kind, id, after);
      return changes;
    },
  };
}

export interface StagedChange {
  readonly kind: string;
  readonly id: string;
  readonly before: TrialRecord | undefined;
  readonly after: TrialRecord | undefined;
}

function withoutNulls(record: TrialRecord): TrialRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
