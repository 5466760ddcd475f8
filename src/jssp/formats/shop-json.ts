import type { JsonPath } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { InstanceSpec } from '../instance.js';
import type { InstanceNames } from '../instance-names.js';
import { labelProblem, labelsOf } from '../labels.js';
import type { Modes, Precedence, Resources, Setups, Transport } from '../shop-parts.js';
import { badShop, machinesAt } from './shop-machines.js';
import type { OperationWithModes, ShopDocument } from './shop-operations.js';
import type { JsonShopHead } from './shop-schema.js';

/** The entries of tables of setups and transport times, at most: those of transport between 5000 machines. */
const MOST_ENTRIES = 25_000_000;

/** The operations of a job, and its place among the jobs. */
interface ShopJob {
  readonly operations: readonly OperationWithModes[];
}

/**
 * The parts of an instance beyond one machine and duration for each operation.
 *
 * @throws InputError `bad_instance` with file and JSON path
 */
export function readShopParts(
  head: JsonShopHead,
  jobs: readonly ShopJob[],
  names: InstanceNames | null,
  document: ShopDocument,
): Pick<InstanceSpec, 'modes' | 'setups' | 'transport' | 'precedence' | 'resources'> {
  const operations = jobs.flatMap((job) => job.operations);
  return {
    modes: modesOfAll(operations),
    setups: readSetups(head, jobs, document),
    transport: readTransport(head, document),
    precedence: readPrecedence(jobs, names, document.file),
    resources: resourcesOfAll(operations, document),
  };
}

function modesOfAll(operations: readonly OperationWithModes[]): Modes | null {
  const modes = operations.flatMap((operation) => operation.modes);
  if (modes.length === operations.length) return null;
  const offset = offsetsOf(operations, (operation) => operation.modes.length);
  const machine = Int32Array.from(modes, (mode) => mode.machine);
  const duration = Int32Array.from(modes, (mode) => mode.duration);
  const chosen = Int32Array.from(operations, (operation, op) => offset[op] + operation.chosen);
  return { offset, machine, duration, chosen };
}

function offsetsOf<T>(items: readonly T[], length: (item: T) => number): Int32Array {
  const offset = new Int32Array(items.length + 1);
  items.forEach((item, i) => {
    offset[i + 1] = offset[i] + length(item);
  });
  return offset;
}

function resourcesOfAll(
  operations: readonly OperationWithModes[],
  { resources }: ShopDocument,
): Resources | null {
  if (resources === null) return null;
  const modes = operations.flatMap((operation) => operation.modes);
  const needs = modes.flatMap((mode) => mode.needs);
  return {
    count: resources.capacity.length,
    ...resources,
    needOffset: offsetsOf(modes, (mode) => mode.needs.length),
    needResource: Int32Array.from(needs, ({ resource }) => resource),
    needAmount: Int32Array.from(needs, ({ amount }) => amount),
    needPhase: Uint8Array.from(needs, ({ phase }) => phase),
  };
}

function readSetups(
  head: JsonShopHead,
  jobs: readonly ShopJob[],
  document: ShopDocument,
): Setups | null {
  const { file } = document;
  const listed = head.setups ?? [];
  if (listed.length === 0) return null;
  if (head.families === undefined) {
    const hint = 'list the families of setups in the key families';
    throw badShop('there are setups and no families', hint, ['setups'], file);
  }
  const names = Array.isArray(head.families) ? head.families.map((one) => one.trim()) : null;
  const families = names?.length ?? Number(head.families);
  const familyAt = (value: string | number, path: JsonPath): number => {
    const named = names?.indexOf(String(value).trim()) ?? -1;
    const found = named < 0 && /^\d+$/.test(String(value)) ? Number(value) : named;
    if (found >= 0 && found < families) return found;
    const hint = names ? suggestNames(String(value), names) : `use 0 to ${families - 1}`;
    throw badShop(`there is no family ${JSON.stringify(value)}`, hint, path, file, value);
  };
  const entries = listed.length * families * families;
  if (entries > MOST_ENTRIES) {
    const problem = `the tables of setups would have ${entries} entries`;
    const hint = `list fewer families or tables: at most ${MOST_ENTRIES} entries are possible`;
    throw badShop(problem, hint, ['families'], file);
  }
  const matrixOf = new Int32Array(document.count).fill(-1);
  const anticipatory = new Uint8Array(document.count).fill(1);
  const time = new Int32Array(entries);
  const first = new Int32Array(listed.length * families);
  listed.forEach((one, matrix) => {
    const path = ['setups', matrix];
    for (const k of machinesOfSetups(one.machines, path, document)) {
      if (matrixOf[k] >= 0) {
        const problem = `machine ${document.labels.machine(k)} also has setups[${matrixOf[k]}]`;
        throw badShop(problem, 'give each machine one table', [...path, 'machines'], file);
      }
      matrixOf[k] = matrix;
      anticipatory[k] = one.anticipatory ? 1 : 0;
    }
    const row = (from: number) => (matrix * families + from) * families;
    for (let from = 0; from < families; from++) {
      time.fill(one.otherwise, row(from), row(from) + families);
      time[row(from) + from] = 0;
    }
    for (const [from, times] of Object.entries(one.times)) {
      const i = familyAt(from, [...path, 'times', from]);
      for (const [to, value] of Object.entries(times)) {
        time[row(i) + familyAt(to, [...path, 'times', from, to])] = value;
      }
    }
    if (typeof one.first === 'number') {
      first.fill(one.first, matrix * families, (matrix + 1) * families);
    } else {
      for (const [to, value] of Object.entries(one.first)) {
        first[matrix * families + familyAt(to, [...path, 'first', to])] = value;
      }
    }
  });
  const family = Int32Array.from(
    jobs.flatMap(({ operations }, j) =>
      operations.map((operation, i) => {
        const path = ['jobs', j, 'operations', i];
        if (operation.family !== undefined) return familyAt(operation.family, [...path, 'family']);
        if (operation.modes.every((mode) => matrixOf[mode.machine] < 0)) return 0;
        const hint = 'give the family of each operation on a machine with setups';
        throw badShop('there is no family', hint, path, file);
      }),
    ),
  );
  return { families, names, family, matrixOf, time, first, anticipatory };
}

function machinesOfSetups(
  machines: readonly (number | string)[] | undefined,
  path: JsonPath,
  document: ShopDocument,
): readonly number[] {
  if (machines === undefined) return Array.from({ length: document.count }, (_, k) => k);
  const { groups } = document;
  return machines.flatMap((one, i) => machinesAt(one, [...path, 'machines', i], document, groups));
}

/** Transport times from a list, of which later entries override earlier ones. */
function readTransport(head: JsonShopHead, document: ShopDocument): Transport | null {
  const listed = head.transport ?? [];
  if (listed.length === 0) return null;
  const { count, groups, file } = document;
  if (count * count > MOST_ENTRIES) {
    const problem = `there are transport times, and ${count} machines`;
    const hint = `list at most ${Math.sqrt(MOST_ENTRIES)} machines, or no transport times`;
    throw badShop(problem, hint, ['transport'], file);
  }
  const time = new Int32Array(count * count);
  const every = Array.from({ length: count }, (_, k) => k);
  listed.forEach((one, i) => {
    const machines = (key: 'from' | 'to') => {
      const value = one[key];
      const path = ['transport', i, key];
      return value === undefined ? every : machinesAt(value, path, document, groups);
    };
    const [sources, targets] = [machines('from'), machines('to')];
    const isPair = sources.length === 1 && targets.length === 1;
    for (const from of sources) {
      for (const to of targets) {
        if (from === to && !isPair) continue;
        time[from * count + to] = one.time;
        if (one.both_ways) time[to * count + from] = one.time;
      }
    }
  });
  return { time };
}

function readPrecedence(
  jobs: readonly ShopJob[],
  names: InstanceNames | null,
  file: string | undefined,
): Precedence | null {
  const given = jobs.some(({ operations }) => operations.some(({ after }) => after !== undefined));
  if (!given) return null;
  const jobOffset = offsetsOf(jobs, ({ operations }) => operations.length);
  const labels = labelsOf({ jobOffset, names });
  const lists = {
    offset: [0],
    pred: [] as number[],
    minLag: [] as number[],
    maxLag: [] as number[],
  };
  let isChain = true;
  const add = (op: number, before: number, min = 0, max = -1) => {
    lists.pred.push(before);
    lists.minLag.push(min);
    lists.maxLag.push(max);
    if (before !== op - 1 || min > 0 || max >= 0) isChain = false;
  };
  jobs.forEach(({ operations }, j) => {
    operations.forEach(({ after }, i) => {
      const op = jobOffset[j] + i;
      if (after === undefined && i > 0) add(op, op - 1);
      if (after?.length === 0 && i > 0) isChain = false;
      const seen = new Set<number>();
      for (const [k, item] of (after ?? []).entries()) {
        const path = ['jobs', j, 'operations', i, 'after', k];
        const {
          step,
          min_lag = 0,
          max_lag = -1,
        } = typeof item === 'object' ? item : { step: item };
        const found = labels.findStep(j, step);
        if (found?.hint !== undefined) {
          throw badShop(labelProblem('step', step, found), found.hint, path, file, step);
        }
        const before = found?.index ?? Number(step) - 1;
        if (!(before < i)) {
          const hint = i === 0 ? 'leave it out' : `give an earlier step: 1 to ${i}`;
          const shown = `step ${JSON.stringify(step)} is not before step ${i + 1}`;
          throw badShop(shown, hint, path, file, step);
        }
        if (seen.has(before)) throw badShop('this step is given twice', 'give it once', path, file);
        if (max_lag >= 0 && max_lag < min_lag) {
          const shown = `max_lag ${max_lag} is less than min_lag ${min_lag}`;
          throw badShop(shown, `give ${min_lag} or more`, [...path, 'max_lag'], file, max_lag);
        }
        seen.add(before);
        add(op, jobOffset[j] + before, min_lag, max_lag);
      }
      if (after !== undefined && after.length > 1) isChain = false;
      lists.offset.push(lists.pred.length);
    });
  });
  if (isChain) return null;
  return {
    offset: Int32Array.from(lists.offset),
    pred: Int32Array.from(lists.pred),
    minLag: Int32Array.from(lists.minLag),
    maxLag: Int32Array.from(lists.maxLag),
  };
}
