import type { IgnoredKind } from './ignored.js';
import type { RowField, RowFields } from './rows.js';
import { cellNumber, fieldOf, labelNumber } from './vocabulary.js';

/** An operation in JSON with its place, in characters of the whole text. */
interface JsonRow extends RowFields {
  readonly from: number;
  readonly to: number;
  /** Its position in the enclosing list, from 1, unless it states its job itself. */
  readonly ordinal?: number | undefined;
}

/** A job, or an operation of it, in a list of a machine. */
interface JsonTurn {
  readonly job: number;
  readonly step?: number | undefined;
  readonly from: number;
  readonly to: number;
}

/** A list of jobs or operations of a machine. */
interface JsonOrder {
  readonly machine: number;
  readonly turns: readonly JsonTurn[];
  readonly from: number;
  readonly to: number;
}

export interface JsonFound {
  readonly rows: JsonRow[];
  readonly orders: JsonOrder[];
  readonly makespans: { value: number; offset: number }[];
  readonly ignored: { kind: IgnoredKind; from: number; to: number }[];
}

/** An open object or list during scanning. */
interface Frame {
  readonly isObject: boolean;
  readonly from: number;
  /** Its key in the enclosing object. */
  readonly key: string | undefined;
  readonly fields: RowFields;
  /** The key whose value comes next. */
  nextKey: string | undefined;
  /** The end of the last of its own values. */
  lastTo: number;
  /** Number of objects and lists in it so far. */
  count: number;
  readonly rows: JsonRow[];
  readonly scalars: { value: string; from: number; to: number }[];
}

const ORDER_KEYS = /^(?:jobs?|sequences?|order|job_?order|job_?sequence|schedule)$/i;
const OPERATIONS_KEY = /^operations$/i;
/** An operation by its job and its step: `J3.2`, `Job3-Op2`. */
const OPERATION_NAME =
  /^\s*j(?:ob)?[\s_]*(\d{1,6})\s*[.:/-]\s*(?:o|op|operation|s|step)?[\s_]*(\d{1,6})\s*$/i;
const SEQUENCES_KEYS = /sequences?$|^machine_?orders?$|^machines$/i;

/** Combines the values that a JSON scanner finds, in the order of the text. */
export interface JsonBuilder {
  open(isObject: boolean, from: number): void;
  close(isObject: boolean, to: number): void;
  key(text: string): void;
  scalar(text: string, from: number, to: number): void;
  comma(): void;
  readonly depth: number;
  /** Returns the complete parts of open values. */
  end(to: number): JsonFound;
}

export function createJsonBuilder(): JsonBuilder {
  const found: JsonFound = { rows: [], orders: [], makespans: [], ignored: [] };
  const stack: Frame[] = [];

  function closeTop(to: number, isComplete: boolean): void {
    const frame = stack.pop();
    if (frame === undefined) return;
    const parent = stack.at(-1);
    const rows = frame.rows.map((row) => resolve(row, frame));
    if (frame.isObject) {
      const own = ownRow(frame, to, parent, isComplete);
      if (typeof own === 'string')
        found.ignored.push({ kind: own, from: frame.from, to: isComplete ? to : frame.lastTo });
      else if (own !== undefined) rows.push(own);
    } else if (rows.length === 0 && frame.scalars.length > 0) {
      const order = orderOf(frame, parent, stack.at(-2), to);
      if (order !== undefined) found.orders.push(order);
    }
    const target = parent?.rows ?? found.rows;
    for (const row of rows) target.push(row);
    if (parent !== undefined) parent.count++;
  }

  return {
    open(isObject, from) {
      const parent = stack.at(-1);
      const key = parent?.nextKey;
      if (parent !== undefined) parent.nextKey = undefined;
      stack.push({
        isObject,
        from,
        key,
        fields: {},
        nextKey: undefined,
        lastTo: from,
        count: 0,
        rows: [],
        scalars: [],
      });
    },
    close(isObject, to) {
      if (!stack.some((frame) => frame.isObject === isObject)) return;
      while (stack.at(-1)?.isObject !== isObject) closeTop(to, true);
      closeTop(to, true);
    },
    key(text) {
      const frame = stack.at(-1);
      if (frame?.isObject) frame.nextKey = text;
    },
    scalar(text, from, to) {
      const frame = stack.at(-1);
      if (frame === undefined) return;
      frame.lastTo = to;
      if (!frame.isObject) frame.scalars.push({ value: text, from, to });
      else if (frame.nextKey !== undefined) {
        const makespan = setField(frame, frame.nextKey, text);
        if (makespan !== undefined) found.makespans.push({ value: makespan, offset: from });
        frame.nextKey = undefined;
      }
    },
    comma() {
      const frame = stack.at(-1);
      if (frame !== undefined) frame.nextKey = undefined;
    },
    get depth() {
      return stack.length;
    },
    end(to) {
      while (stack.length > 0) closeTop(to, false);
      return found;
    },
  };
}

/** Sets the field that a key names; returns the makespan if it names that. */
function setField({ fields }: Frame, key: string, text: string): number | undefined {
  const field = fieldOf(key) ?? (/^(?:id|name)$/i.test(key) ? namedField(text) : undefined);
  if (field === undefined) return undefined;
  if (field === 'makespan') {
    const value = cellNumber('end', text);
    return Number.isFinite(value) ? value : undefined;
  }
  const value = cellNumber(field, text);
  if (value !== undefined) fields[field] ??= value;
  return undefined;
}

function namedField(text: string): RowField | undefined {
  if (labelNumber('job', text) !== undefined) return 'job';
  return labelNumber('machine', text) !== undefined ? 'machine' : undefined;
}

/** The operation of an object; a reason if it looks like one but is invalid. */
function ownRow(
  { fields, from, rows }: Frame,
  to: number,
  parent: Frame | undefined,
  isComplete: boolean,
): JsonRow | IgnoredKind | undefined {
  const { job, step, machine, start, end, duration } = fields;
  if (start === undefined) {
    const isSpec = machine !== undefined && (duration !== undefined || step !== undefined);
    return isSpec && rows.length === 0 ? 'no_start' : undefined;
  }
  if (!isComplete) return 'cut_off';
  const named = [job, step, machine].filter((value) => value !== undefined);
  if (named.length === 0) return undefined;
  if (named.some(Number.isNaN)) return 'letter_name';
  if (Number.isNaN(start) || Number.isNaN(end ?? duration ?? 0)) return 'placeholder';
  const isListed = parent !== undefined && !parent.isObject && job === undefined;
  return { ...fields, from, to, ordinal: isListed ? parent.count + 1 : undefined };
}

/** Adds the fields of the enclosing object or list to an operation. */
function resolve(row: JsonRow, { fields, key }: Frame): JsonRow {
  if (row.job !== undefined && row.machine !== undefined) return row;
  const named = (field: 'job' | 'machine') =>
    row[field] ?? fields[field] ?? (key === undefined ? undefined : labelNumber(field, key));
  return { ...row, ...withNumber('job', named('job')), ...withNumber('machine', named('machine')) };
}

function withNumber(field: 'job' | 'machine', value: number | undefined): RowFields {
  return value === undefined || Number.isNaN(value) ? {} : { [field]: value };
}

/** The machine order of a list of jobs, if the context names the machine. */
function orderOf(
  { key, scalars, from }: Frame,
  parent: Frame | undefined,
  grandparent: Frame | undefined,
  to: number,
): JsonOrder | undefined {
  const machine = machineOf(key, parent, grandparent);
  if (machine === undefined) return undefined;
  // A list with a single number is ambiguous, unless it is next to the name of its machine.
  if (scalars.length === 1 && parent?.fields.machine !== machine) return undefined;
  const turns = scalars.map(turnOf);
  const isNamed = turns.every(({ step }) => step !== undefined);
  if (OPERATIONS_KEY.test(key ?? '') && !isNamed) return undefined;
  const isOrder = turns.every(({ job }) => job !== undefined && Number.isInteger(job));
  return isOrder ? { machine, turns: turns as JsonOrder['turns'], from, to } : undefined;
}

function turnOf({ value, from, to }: Frame['scalars'][number]) {
  const [, job, step] = OPERATION_NAME.exec(value.slice(0, 40)) ?? [];
  if (job === undefined) return { job: cellNumber('job', value), step: undefined, from, to };
  return { job: Number(job), step: Number(step), from, to };
}

function machineOf(
  key: string | undefined,
  parent: Frame | undefined,
  grandparent: Frame | undefined,
): number | undefined {
  if (key === undefined) {
    const isIndexed = parent?.isObject === false && SEQUENCES_KEYS.test(parent.key ?? '');
    return isIndexed ? parent.count : undefined;
  }
  const named = labelNumber('machine', key);
  if (named !== undefined) return named;
  if (/^\d{1,6}$/.test(key)) {
    const isSequences = SEQUENCES_KEYS.test(parent?.key ?? '') && grandparent?.isObject === true;
    return isSequences ? Number(key) : undefined;
  }
  const { machine } = parent?.fields ?? {};
  return (ORDER_KEYS.test(key) || OPERATIONS_KEY.test(key)) && !Number.isNaN(machine)
    ? machine
    : undefined;
}
