import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Precedence, Resources } from '../shop-parts.js';
import { SETUP_PHASE, WORK_PHASE } from '../shop-parts.js';
import { combineNeeds, type NamedNeed, needsIn } from './alternatives.js';
import type { ShopOperation, ShopOrder, ShopWay } from './order-book.js';
import type { ShopTables } from './shop-tables.js';
import type { ImportRow } from './table.js';

/** A need of a way: a resource by name, its amount and phase. */
interface WayNeed extends NamedNeed {
  readonly phase: number;
}

/** A mode of an operation before its times are in units: its machine and needs. */
export interface ImportedMode {
  readonly way: ShopWay;
  readonly machine: number;
  readonly needs: readonly WayNeed[];
}

/** The machines of a shop and their groups. */
export interface ShopMachines {
  readonly names: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

/**
 * The machines that calendars, the table of machines and orders name, in this order.
 *
 * @throws InputError `bad_table` if a group has the name of a machine
 */
export function machinesOf(
  orders: readonly ShopOrder[],
  named: readonly string[],
  { machines: rows = [] }: ShopTables,
): ShopMachines {
  const groups = new Map<string, string[]>();
  const members = new Set<string>();
  for (const row of rows) {
    const machine = row.text('machine');
    if (machine === '') throw row.error('the machine is missing', 'name one in each row');
    members.add(machine);
    for (const name of row.text('group').split('|')) {
      const group = name.trim();
      if (group === '') continue;
      const list = groups.get(group) ?? [];
      if (!list.includes(machine)) list.push(machine);
      groups.set(group, list);
    }
  }
  const used = orders.flatMap(({ operations }) =>
    operations.flatMap(({ ways }) => ways.flatMap(({ machines }) => machines)),
  );
  const names = [...new Set([...named, ...members, ...used.filter((name) => !groups.has(name))])];
  const clash = rows.find((row) => groups.has(row.text('machine')));
  if (clash !== undefined) {
    const problem = `${clash.text('machine')} is the name of a machine and of a group`;
    throw clash.error(problem, 'give the group another name');
  }
  return { names, indexOf: new Map(names.map((name, i) => [name, i])), groups };
}

/** The modes of an operation: each machine of each way, with each alternative of its needs. */
export function modesOfOperation(
  { ways }: ShopOperation,
  { indexOf, groups }: ShopMachines,
): ImportedMode[] {
  const modes = new Map<string, ImportedMode>();
  for (const way of ways) {
    const needs = needsOfRow(way.row);
    for (const name of way.machines) {
      for (const machine of groups.get(name) ?? [name]) {
        for (const alternative of needs) {
          const mode = { way, machine: indexOf.get(machine) as number, needs: alternative };
          const key = JSON.stringify([machine, way.time, alternative]);
          if (!modes.has(key)) modes.set(key, mode);
        }
      }
    }
  }
  return [...modes.values()];
}

/** The alternatives of what a row needs: operators and tools while it works, a setter during the setup. */
function needsOfRow(row: ImportRow): WayNeed[][] {
  const inPhase = (field: 'operator' | 'tool' | 'setup_operator', phase: number) =>
    needsIn(row.text(field)).map((all) => all.map((need) => ({ ...need, phase })));
  const work = combineNeeds(inPhase('operator', WORK_PHASE), inPhase('tool', WORK_PHASE));
  return combineNeeds(work, inPhase('setup_operator', SETUP_PHASE)).map((all) => {
    const twin = all.find((need, i) =>
      all.some((other, k) => k < i && other.name === need.name && other.phase === need.phase),
    );
    if (twin === undefined) return all;
    throw row.error(`it needs ${twin.name} twice`, 'give the amount once, such as 2 x fitters');
  });
}

/** The greatest number of one operator or tool. */
const MOST_OF_ONE = 2 ** 24;

/** The names and numbers of the operators and tools of a shop. */
export interface ShopCapacities {
  readonly names: readonly string[];
  readonly capacity: Int32Array;
  /** The calendar of each, and its row in the table; '' and null for none. */
  readonly calendars: readonly { readonly name: string; readonly row: OperatorRow | null }[];
}

/** A row of the table of operators. */
type OperatorRow = NonNullable<ShopTables['operators']>[number];

/**
 * The operators and tools of a shop: those of the table, or one of each that orders name.
 *
 * @throws InputError if orders name one that is not in the table, or need more than there are
 */
export function capacitiesOf(
  modes: readonly ImportedMode[],
  { operators: rows }: ShopTables,
): ShopCapacities | null {
  const capacity = new Map<string, number>();
  const calendars: { readonly name: string; readonly row: OperatorRow | null }[] = [];
  for (const row of rows ?? []) {
    const name = row.text('operator');
    if (name === '') throw row.error('the operator is missing', 'name one in each row');
    if (capacity.has(name)) throw row.error(`${name} is listed twice`, 'give a number of them');
    const number = row.number('number') ?? 1;
    if (!Number.isInteger(number) || number > MOST_OF_ONE) {
      throw row.error(`there are ${number}`, `give a whole number up to ${MOST_OF_ONE}`);
    }
    capacity.set(name, number);
    calendars.push({ name: row.text('calendar'), row });
  }
  for (const { way, needs } of modes) {
    for (const { name, amount } of needs) {
      if (rows === undefined && !capacity.has(name)) {
        capacity.set(name, 1);
        calendars.push({ name: '', row: null });
      }
      const available = capacity.get(name);
      if (available === undefined) {
        const hint = suggestNames(name, [...capacity.keys()]);
        const problem = `${JSON.stringify(name)} is not among the operators and tools`;
        throw way.row.error(problem, `${hint.replace(/\?$/, '')}, or add a row to their table`);
      }
      if (amount < 1) {
        const hint = 'give an amount of 1 or more, or leave it out';
        throw way.row.error(`it needs ${amount} of ${name}`, hint);
      }
      if (amount > available) {
        const problem = `it needs ${amount} of ${name}, and there are ${available}`;
        const hint = 'correct it, or give their number in the table of operators (--operators)';
        throw way.row.error(problem, hint);
      }
    }
  }
  if (capacity.size === 0) return null;
  return { names: [...capacity.keys()], capacity: Int32Array.from(capacity.values()), calendars };
}

/** Refuses a setter where nothing is set up. @throws InputError `bad_order` */
export function refuseSetters(orders: readonly ShopOrder[]): void {
  for (const { operations } of orders) {
    for (const way of operations.flatMap(({ ways }) => ways)) {
      const setter = way.row.text('setup_operator');
      if (setter === '') continue;
      const problem = `${setter} is named for the setup, and no setup between families takes time`;
      const hint =
        'give the table of setups (--setups), or name who is needed for all of the work as the operator';
      throw way.row.error(problem, hint);
    }
  }
}

/** The resources of an instance, without their calendar. */
export function resourcesOf(
  modes: readonly ImportedMode[],
  { names, capacity }: ShopCapacities,
): Omit<Resources, 'calendar'> {
  const needs = modes.flatMap((mode) => mode.needs);
  const needOffset = new Int32Array(modes.length + 1);
  modes.forEach((mode, i) => {
    needOffset[i + 1] = needOffset[i] + mode.needs.length;
  });
  return {
    count: names.length,
    capacity,
    names,
    needOffset,
    needResource: Int32Array.from(needs, ({ name }) => names.indexOf(name)),
    needAmount: Int32Array.from(needs, ({ amount }) => amount),
    needPhase: Uint8Array.from(needs, ({ phase }) => phase),
  };
}

/**
 * The graphs and waiting times of orders; null if all are chains without any. In an order with predecessors, an
 * operation without one may begin at once.
 *
 * @param wait the units of a waiting time, which a greatest one rounds down
 * @throws InputError `bad_order` for a predecessor that is unknown or not before its operation
 */
export function precedenceOf(
  orders: readonly ShopOrder[],
  wait: (operation: ShopOperation, field: 'min_wait' | 'max_wait') => number | undefined,
): Precedence | null {
  const edges: { pred: number; min: number; max: number }[] = [];
  const offset = [0];
  let first = 0;
  let isChain = true;
  for (const { operations } of orders) {
    const isGraph = operations.some(({ said }) => said('after') !== '');
    operations.forEach((operation, i) => {
      const chain = i === 0 ? [] : [i - 1];
      const before = isGraph ? predecessorsIn(operation, i, operations) : chain;
      const [min = 0, max = -1] = [wait(operation, 'min_wait'), wait(operation, 'max_wait')];
      checkWaits(operation, before, min, max);
      if (before.join() !== chain.join() || min > 0 || max >= 0) isChain = false;
      for (const step of before) edges.push({ pred: first + step, min, max });
      offset.push(edges.length);
    });
    first += operations.length;
  }
  if (isChain) return null;
  return {
    offset: Int32Array.from(offset),
    pred: Int32Array.from(edges, ({ pred }) => pred),
    minLag: Int32Array.from(edges, ({ min }) => min),
    maxLag: Int32Array.from(edges, ({ max }) => max),
  };
}

function checkWaits(
  { row }: ShopOperation,
  before: readonly number[],
  min: number,
  max: number,
): void {
  if (before.length === 0 && (min > 0 || max >= 0)) {
    const hint = 'leave its waiting time out, or name its predecessors';
    throw row.error('it waits, but nothing is done before it', hint);
  }
  if (max >= 0 && max < min) {
    throw row.error(`its greatest wait ${max} is less than its least ${min}`, 'correct one');
  }
}

/** The positions of the operations that a cell of predecessors names: by step number or by name. */
function predecessorsIn(
  { row, said }: ShopOperation,
  position: number,
  operations: readonly ShopOperation[],
): number[] {
  const names = said('after')
    .split(/[|,;+]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const found = names.map((name) => {
    const matching = operations.flatMap((one, i) => {
      const step = one.step === '' ? String(i + 1) : one.step;
      return step === name || (one.name !== '' && one.name === name) ? [i] : [];
    });
    if (matching.length !== 1) {
      const problem =
        matching.length === 0
          ? `there is no step ${JSON.stringify(name)}`
          : `several steps are called ${JSON.stringify(name)}`;
      throw row.error(`${problem}, after which it comes`, 'give the number of a step');
    }
    if (matching[0] >= position) {
      const problem = `it comes after step ${JSON.stringify(name)}, which is not before it`;
      throw row.error(problem, 'number the steps so that each follows its predecessors');
    }
    return matching[0];
  });
  return [...new Set(found)].sort((a, b) => a - b);
}
