import { InputError, type InputLocation } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Instance } from '../instance.js';
import { labelsOf } from '../labels.js';
import { needsIn } from '../orders/alternatives.js';
import { modeOfEntry, operationAt, type PlanEntry } from '../plan.js';
import { modeMachine, modesOf, type Resources, SETUP_PHASE, WORK_PHASE } from '../shop-parts.js';

/** The fields of an entry that name operators and tools, and their phases. */
export const NEED_FIELDS = { needs: WORK_PHASE, setup_needs: SETUP_PHASE } as const;

/** A field of an entry that names operators and tools. */
export type NeedField = keyof typeof NEED_FIELDS;

/** The amount needed of each resource by name, in the order of the mode. */
export type LabelledNeeds = readonly (readonly [name: string, amount: number])[];

/** The operators and tools of an entry: while it works, and during its setup. */
export type EntryNeeds = Readonly<Record<NeedField, LabelledNeeds>>;

/**
 * Creates the function that names the operators and tools of the entries of a plan. An entry without a mode, or of
 * duration 0, has none.
 */
export function createNeedsLabeller(instance: Instance): (entry: PlanEntry) => EntryNeeds {
  const { resources } = instance;
  const none = { needs: [], setup_needs: [] };
  if (resources === null) return () => none;
  return (entry) => {
    const op = operationAt(instance, entry.job, entry.step);
    const mode = op < 0 || entry.start === entry.end ? -1 : modeOfEntry(instance, op, entry);
    if (mode < 0) return none;
    return {
      needs: needsOfMode(resources, mode, WORK_PHASE),
      setup_needs: needsOfMode(resources, mode, SETUP_PHASE),
    };
  };
}

function needsOfMode(resources: Resources, mode: number, phase: number): LabelledNeeds {
  const { needOffset, needResource, needAmount, needPhase } = resources;
  const found: [string, number][] = [];
  for (let i = needOffset[mode]; i < needOffset[mode + 1]; i++) {
    if (needPhase[i] === phase) found.push([nameOf(resources, needResource[i]), needAmount[i]]);
  }
  return found;
}

/** The name of a resource, or its number from 1. */
function nameOf({ names }: Resources, resource: number): string {
  return names?.[resource] ?? String(resource + 1);
}

/** Needs as in a table: `Ana + 2 x fitters`. */
export function needsText(needs: LabelledNeeds): string {
  return needs.map(([name, amount]) => (amount === 1 ? name : `${amount} x ${name}`)).join(' + ');
}

/** An entry of a file, whose mode may follow from its operators and tools. */
type NeedyEntry = PlanEntry & { mode?: number | undefined };

/** The operators and tools that a field of a file names. */
interface NeedsClaim {
  readonly field: NeedField;
  readonly value: unknown;
  readonly location: InputLocation;
}

/** The resources of an instance, and the texts of the needs of all its modes. */
interface KnownNeeds {
  readonly resources: Resources;
  readonly texts: () => ReadonlySet<string>;
}

/** Collects what the entries of a plan file say about operators and tools, which must be true of a mode. */
export interface NeedsReader {
  /** Notes a field of an entry; an empty one says nothing. */
  note(entry: NeedyEntry, field: NeedField, value: unknown, location: () => InputLocation): void;
  /**
   * Compares what was noted with the modes of the entries, once these count from 0. An entry without a mode gets the one
   * with its needs.
   *
   * @throws InputError `bad_plan` for an unknown name, and for needs of no mode on the machine of the entry
   */
  settle(): void;
}

/** Creates a reader for plans of an instance; null if it has no operators and tools. */
export function createNeedsReader(instance: Instance | undefined): NeedsReader | null {
  const resources = instance?.resources ?? null;
  if (instance === undefined || resources === null) return null;
  const claims = new Map<NeedyEntry, NeedsClaim[]>();
  let texts: ReadonlySet<string> | undefined;
  const known: KnownNeeds = {
    resources,
    texts: () => {
      texts ??= textsOfNeeds(resources);
      return texts;
    },
  };
  return {
    note(entry, field, value, location) {
      if (value === undefined || value === null || value === '') return;
      const noted = claims.get(entry) ?? [];
      noted.push({ field, value, location: location() });
      claims.set(entry, noted);
    },
    settle() {
      for (const [entry, all] of claims) settleEntry(instance, known, entry, all);
    },
  };
}

function settleEntry(
  instance: Instance,
  known: KnownNeeds,
  entry: NeedyEntry,
  claims: readonly NeedsClaim[],
): void {
  const { resources } = known;
  const tests = claims.map((claim) => testOfClaim(known, claim));
  const op = operationAt(instance, entry.job, entry.step);
  if (op < 0) return;
  const [first, stop] = modesOf(instance, op);
  const there = Array.from({ length: stop - first }, (_, i) => first + i).filter(
    (mode) => modeMachine(instance, mode) === entry.machine,
  );
  // The validator reports a machine that cannot do the operation.
  if (there.length === 0) return;
  const named = first + (entry.mode ?? -1);
  const modes = there.includes(named) ? [named] : there;
  let fitting = modes;
  for (const [i, test] of tests.entries()) {
    fitting = fitting.filter(test);
    if (fitting.length > 0) continue;
    const { field, value, location } = claims[i];
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    const place = `on ${labelsOf(instance).machine(entry.machine)}`;
    const others = modes.map((mode) => needsText(needsOfMode(resources, mode, NEED_FIELDS[field])));
    const options = [...new Set(others.map((needs) => needs || 'nothing'))];
    const problem =
      modes === there
        ? `no mode ${place} has the ${field} ${shown}`
        : `mode ${named - first + 1} ${place} does not have the ${field} ${shown}`;
    const hint = `give ${options.join(' or ')}, or leave ${field} out`;
    throw new InputError('bad_plan', problem, hint, location, value);
  }
  if (!fitting.includes(modeOfEntry(instance, op, entry))) entry.mode = fitting[0] - first;
}

/** Whether a mode has the needs that a file names. @throws InputError `bad_plan` for an unknown name */
function testOfClaim(
  { resources, texts }: KnownNeeds,
  { field, value, location }: NeedsClaim,
): (mode: number) => boolean {
  const ofMode = (mode: number) => needsOfMode(resources, mode, NEED_FIELDS[field]);
  // The names may contain what separates them.
  if (typeof value === 'string' && texts().has(value.trim())) {
    return (mode) => needsText(ofMode(mode)) === value.trim();
  }
  const listed = listedNeeds(value);
  if (listed === undefined) {
    const hint = 'give them like "Ana + 2 x fitters" or {"Ana": 1, "fitters": 2}';
    throw new InputError('bad_plan', `these are no ${field}`, hint, location, value);
  }
  const names = Array.from({ length: resources.count }, (_, i) => nameOf(resources, i));
  const unknown = listed.flat().find(([name]) => !names.includes(name));
  if (unknown !== undefined) {
    const problem = `there is no operator or tool ${JSON.stringify(unknown[0])}`;
    throw new InputError('bad_plan', problem, suggestNames(unknown[0], names), location, value);
  }
  const keyOf = (needs: LabelledNeeds) => JSON.stringify([...needs].sort());
  const keys = new Set(listed.map(keyOf));
  return (mode) => keys.has(keyOf(ofMode(mode)));
}

/** The needs that a file names, as alternatives; undefined if it is neither a text nor an object. */
function listedNeeds(value: unknown): LabelledNeeds[] | undefined {
  if (typeof value === 'string') {
    return needsIn(value).map((all) => all.map(({ name, amount }) => [name.trim(), amount]));
  }
  if (!isObject(value)) return undefined;
  return [Object.entries(value).map(([name, amount]) => [name.trim(), Number(amount)])];
}

/** The texts of the needs of all modes. */
function textsOfNeeds(resources: Resources): ReadonlySet<string> {
  const texts = new Set<string>();
  for (let mode = 0; mode + 1 < resources.needOffset.length; mode++) {
    for (const phase of Object.values(NEED_FIELDS)) {
      texts.add(needsText(needsOfMode(resources, mode, phase)));
    }
  }
  return texts;
}
