import { AlasError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import type { Json } from '@alas-jssp/workflow';
import { findMember } from '../schema-member.js';
import type { Tool, ValueSource } from '../tool.js';
import { requireToolOutput, violationsOf } from '../tool-checks.js';
import { type StagedChange, stageChanges, type TrialRecord, type TrialRecords } from './records.js';
import { sampleValue } from './sample-value.js';

/** The circumstances of a call of a trial system. */
interface TrialAct {
  readonly input: Readonly<Record<string, Json>>;
  /** The output before the records determine members of it. */
  readonly sampled: Json;
  readonly records: TrialRecords;
  /** The number of ids made so far, by kind: no id is made twice. */
  readonly usedIds: Map<string, number>;
  readonly seed: number | string;
}

type RecordEffect = Tool['records'][number];

/**
 * Applies what a tool does to records, all of it or nothing.
 *
 * @throws AlasError `NotFound`, `AlreadyExists`
 */
export function applyRecordEffects(
  tool: Tool,
  act: TrialAct,
): { readonly output: Json; readonly changes: readonly StagedChange[] } {
  const staged = stageChanges(act.records);
  const members = new Map<string, Json>();
  const output = isObject(act.sampled) ? (act.sampled as TrialRecord) : {};
  const after = new Map<RecordEffect, { before?: TrialRecord; id: string }>();
  for (const effect of tool.records) {
    const id = idOf(tool, effect, act, output, members);
    const before = staged.get(effect.record, id);
    checkPresence(tool, effect, id, before);
    after.set(effect, before === undefined ? { id } : { id, before });
    if (effect.does === 'read') continue;
    staged.set(effect.record, id, changedRecord(effect, id, before, { input: act.input, output }));
  }
  for (const [effect, { id, before }] of after) {
    const now = staged.get(effect.record, id);
    for (const [key, source] of Object.entries(effect.returns ?? {})) {
      const [which, ...path] = source.split('.');
      members.set(key, (memberAt(which === 'now' ? now : before, path) ?? null) as Json);
    }
  }
  if (changesUndeclared(tool)) {
    const kind = `call of ${tool.name}`;
    staged.set(kind, nextId(act, kind), { input: act.input });
  }
  const answer = members.size === 0 ? act.sampled : { ...output, ...Object.fromEntries(members) };
  requireToolOutput(tool, answer);
  return { output: answer, changes: staged.commit() };
}

/** Whether a tool changes something that its records do not show. */
function changesUndeclared({ access, records }: Tool): boolean {
  return access !== 'read' && records.every(({ does }) => does === 'read');
}

/** The id of the record of an effect; ids that the system makes become a part of the output. */
function idOf(
  tool: Tool,
  { does, record, id }: RecordEffect,
  act: TrialAct,
  output: TrialRecord,
  members: Map<string, Json>,
): string {
  const [from, ...path] = id.split('.');
  if (from === 'output' && does === 'create') {
    const made = makeId(tool, record, path, act);
    members.set(path[0], withMember(output[path[0]], path.slice(1), made));
    return String(made);
  }
  const given = memberAt(act.input, path);
  if (typeof given === 'string' || typeof given === 'number') return String(given);
  throw new AlasError(
    'BadToolInput',
    `the input of the tool ${tool.name} has no ${path.join('.')}, the id of a ${record}`,
    given,
  );
}

/** A value with one of its members set, at any depth. */
function withMember(value: Json | undefined, path: readonly string[], member: Json): Json {
  if (path.length === 0) return member;
  const object = isObject(value) ? (value as TrialRecord) : {};
  const [key, ...rest] = path;
  return { ...object, [key]: withMember(object[key], rest, member) };
}

function nextId({ usedIds, records }: TrialAct, kind: string): string {
  let number = usedIds.get(kind) ?? 0;
  do number++;
  while (records.get(kind, `${kind}-${number}`) ?? records.get(kind, String(number)));
  usedIds.set(kind, number);
  return `${kind}-${number}`;
}

/** A new id that the output schema allows: `KIND-1`, a number, or one drawn from the schema. */
function makeId(tool: Tool, kind: string, path: readonly string[], act: TrialAct): string | number {
  const text = nextId(act, kind);
  const number = act.usedIds.get(kind) as number;
  const member = findMember(tool.output, path);
  const schema = typeof member === 'object' ? member.schema : true;
  const random = createRandom(deriveSeed(act.seed, 'id', kind, number));
  // The sampled output matches the schema: a violation comes from the id.
  const isAllowed = (id: Json) =>
    violationsOf(tool.output, withMember(act.sampled, path, id)).length === 0;
  for (const id of [text, number]) if (isAllowed(id)) return id;
  for (let attempt = 0; attempt < 50; attempt++) {
    const drawn = sampleValue(schema, random, kind, tool.output);
    const usable = typeof drawn === 'string' || typeof drawn === 'number';
    if (usable && isAllowed(drawn) && act.records.get(kind, String(drawn)) === undefined) {
      return drawn;
    }
  }
  const problem = `no id of a ${kind} can be made for the tool ${tool.name}`;
  throw new AlasError(
    'NoSample',
    `${problem}; let output.${path.join('.')} be any text`,
    tool.name,
  );
}

function checkPresence(
  { name }: Tool,
  { does, record }: RecordEffect,
  id: string,
  before: TrialRecord | undefined,
): void {
  if (does === 'create' && before !== undefined) {
    throw new AlasError('AlreadyExists', `${name}: there is a ${record} ${id} already`, id);
  }
  if (does !== 'create' && before === undefined) {
    throw new AlasError('NotFound', `${name}: there is no ${record} ${id}`, id);
  }
}

function changedRecord(
  { does, set, id: idSource }: RecordEffect,
  id: string,
  before: TrialRecord | undefined,
  values: { readonly input: Json; readonly output: Json },
): TrialRecord | undefined {
  if (does === 'delete') return undefined;
  const given = Object.entries(set ?? {}).map(([field, source]) => [
    field,
    resolveSource(source, values),
  ]);
  if (set === undefined && does === 'create') {
    const { [idSource.split('.')[1]]: _, ...rest } = values.input as TrialRecord;
    return { ...rest, id };
  }
  return { ...before, ...Object.fromEntries(given), id };
}

function resolveSource(source: ValueSource, values: object): Json {
  if (typeof source !== 'string') return source.value as Json;
  return (memberAt(values, source.split('.')) ?? null) as Json;
}

/** The own member of a JSON value at a path. */
function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (item, key) =>
      typeof item === 'object' && item !== null && Object.hasOwn(item, key)
        ? (item as TrialRecord)[key]
        : undefined,
    value,
  );
}
