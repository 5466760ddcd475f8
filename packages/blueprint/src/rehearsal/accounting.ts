import type { TrialEffect } from '@alas-jssp/agents';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { Json, RunResult } from '@alas-jssp/workflow';
import type { RehearsedCall } from './rehearsed-tools.js';

/** A difference between the state of the trial system and the report of a run. */
export interface AccountingProblem {
  /**
   * `unaccounted`: a change is there that the report does not list. `lost`: an effect is reported as committed, and is
   * not there. `twice`: an effect is there more often than it is listed.
   */
  readonly code: 'unaccounted' | 'lost' | 'twice';
  readonly message: string;
}

/** The existence of an effect by the report: certain, possible, or denied. */
type Reported = 'there' | 'perhaps' | 'gone';

/**
 * Compares the records of a trial system with the report of a run: every change must be committed, undone (the record is
 * as before), listed as remaining, or in doubt.
 */
export function accountForEffects(
  effects: readonly TrialEffect[],
  calls: readonly RehearsedCall[],
  result: Pick<RunResult, 'committed' | 'remaining' | 'inDoubt'>,
): AccountingProblem[] {
  const reportedOf = reportOf(result);
  const callOf = new Map(calls.flatMap((call) => call.changes.map((change) => [change, call])));
  const changes = effects.flatMap((effect, k): Change[] => {
    const call = callOf.get(k);
    return call === undefined ? [] : [{ effect, call, reported: reportedOf(call.effectKey) }];
  });
  const undeclared = changes.filter(({ effect }) => isUndeclared(effect));
  const declared = changes.filter(({ effect }) => !isUndeclared(effect));
  return [
    ...groupBy(declared, ({ effect }) => JSON.stringify([effect.record, effect.id])).flatMap(
      checkRecord,
    ),
    ...groupBy(undeclared, ({ call }) => call.effectKey).flatMap((of) => checkCalls(of, calls)),
    ...checkRepeated(declared),
    ...effects.flatMap((effect, k) => (callOf.has(k) ? [] : [unclaimed(effect)])),
  ];
}

/** A change that no recorded call made: no report can list it. */
function unclaimed({ tool, nodeId, record, id, after }: TrialEffect): AccountingProblem {
  const message = `${record} ${id} is ${shown(after)}: ${tool} of ${nodeId} changed it, and no call is recorded`;
  return { code: 'unaccounted', message };
}

/** A change of a record, the call that made it, and what the report says of its effect. */
interface Change {
  readonly effect: TrialEffect;
  readonly call: RehearsedCall;
  readonly reported: Reported;
}

function reportOf({
  committed,
  remaining,
  inDoubt,
}: Pick<RunResult, 'committed' | 'remaining' | 'inDoubt'>): (key: string) => Reported {
  const keys = (list: readonly { readonly idempotencyKey: string }[]) =>
    new Set(list.map(({ idempotencyKey }) => idempotencyKey));
  const there = keys(committed);
  // An effect may remain in part, or not at all where its undo failed at the end.
  const perhaps = keys([...remaining, ...inDoubt]);
  return (key) => (perhaps.has(key) ? 'perhaps' : there.has(key) ? 'there' : 'gone');
}

/** Changes of tools that do not declare which records they change. */
function isUndeclared({ record }: TrialEffect): boolean {
  return record.startsWith('call of ');
}

/**
 * A record must be as if only the effects that are reported had occurred, each once. An effect that is listed as remaining
 * or in doubt may have occurred or not, or in part: each of its changes counts, or does not.
 */
function checkRecord(changes: readonly Change[]): AccountingProblem[] {
  const [{ effect: first }] = changes;
  const possible = possibleStates(first.before, changes);
  const { effect: last, call, reported } = changes[changes.length - 1];
  const now: Json = last.after;
  if (possible.has(canonicalJson(now))) return [];
  const states = [...possible.values()];
  const isPresent = states.every((state) => state !== null);
  const name = `${first.record} ${first.id}`;
  const found = `${name} is ${shown(now)} and should be ${states.map(shown).join(', or ')}`;
  const isLost = now === null || (isPresent && reported === 'there' && call.of === 'undo');
  const by = `the last change is by ${call.tool} of ${call.path}`;
  return [{ code: isLost ? 'lost' : 'unaccounted', message: `${found}; ${by}` }];
}

/** The states in which the reported effects may leave a record, by their texts; few, since equal states are one. */
function possibleStates(start: Json, changes: readonly Change[]): ReadonlyMap<string, Json> {
  let states = new Map([[canonicalJson(start), start]]);
  for (const { effect, call, reported } of changes) {
    if (reported === 'gone' || (reported === 'there' && call.of === 'undo')) continue;
    const next = new Map(reported === 'perhaps' ? states : []);
    for (const state of states.values()) {
      // Without the record that it changes, an effect that may have occurred did not.
      if (reported === 'perhaps' && state === null && effect.before !== null) continue;
      const changed = withChange(state, effect);
      next.set(canonicalJson(changed), changed);
    }
    states = next;
  }
  return states;
}

/** The value of a record after a change of some of its fields. */
function withChange(record: Json, { before, after }: TrialEffect): Json {
  if (after === null || before === null || record === null) return after;
  const fields = { ...(record as Record<string, Json>) };
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (canonicalJson(before[key] ?? null) === canonicalJson(after[key] ?? null)) continue;
    if (after[key] === undefined) delete fields[key];
    else fields[key] = after[key];
  }
  return fields;
}

/** Calls of a tool that declares no records: they count, and an undo that was called after them takes them back. */
function checkCalls(
  changes: readonly Change[],
  calls: readonly RehearsedCall[],
): AccountingProblem[] {
  const made = changes.filter(({ call }) => call.of === 'call');
  if (made.length === 0) return [];
  const [{ call, reported }] = made;
  const last = calls.lastIndexOf(made[made.length - 1].call);
  const undone = calls.some(
    (one, k) => k > last && one.of === 'undo' && one.answered && one.effectKey === call.effectKey,
  );
  const name = `${call.tool} of ${call.path}`;
  if (reported === 'gone' && !undone) {
    const message = `${name} has acted, was not undone, and is not listed`;
    return [{ code: 'unaccounted', message }];
  }
  if (reported === 'there' && undone) {
    return [{ code: 'lost', message: `${name} is committed, and was undone` }];
  }
  if (made.length === 1 || reported === 'gone') return [];
  return [{ code: 'twice', message: `${name} has acted ${made.length} times` }];
}

/** Records that several calls for one effect have made, and that are still there. */
function checkRepeated(changes: readonly Change[]): AccountingProblem[] {
  const now = new Map<string, TrialEffect>();
  for (const { effect } of changes) now.set(JSON.stringify([effect.record, effect.id]), effect);
  const made = changes.filter(({ effect, call, reported }) => {
    const { before, record, id } = effect;
    const isThere = now.get(JSON.stringify([record, id]))?.after !== null;
    return call.of === 'call' && reported !== 'gone' && before === null && isThere;
  });
  return groupBy(made, ({ call }) => call.effectKey).flatMap((of): AccountingProblem[] => {
    const count = new Set(of.map(({ call }) => call)).size;
    if (count < 2) return [];
    const [{ call }] = of;
    return [{ code: 'twice', message: `${call.tool} of ${call.path} has acted ${count} times` }];
  });
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function shown(value: Json): string {
  return value === null ? 'not there' : canonicalJson(value);
}
