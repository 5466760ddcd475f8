import { basename } from 'node:path';
import type { Instance } from '../jssp/instance.js';
import { objectiveOf } from '../jssp/objectives.js';
import { columnsByField } from '../jssp/orders/headings.js';
import type { ImportedShop } from '../jssp/orders/import-shop.js';
import type { OrderBook } from '../jssp/orders/order-book.js';
import { wordsOf } from '../jssp/words.js';
import { counted } from './format.js';

const MOST_LISTED = 8;

/** The size of an imported shop, and unexpected interpretations of its files: one sentence each. */
export function importRemarks(imported: ImportedShop, book: OrderBook): string[] {
  return [...remarksOn(imported), ...readingRemarks(book)];
}

function remarksOn({ instance, horizon, overdue, unfit, doubts }: ImportedShop): string[] {
  const { jobs, machines, operations } = instance;
  const words = wordsOf(instance);
  const sizes = [
    counted(jobs, 'order'),
    counted(operations, 'operation'),
    counted(machines, 'machine'),
  ];
  const lines = [
    `${sizes.join(', ')}${horizon === null ? '' : `; shifts up to ${words.time(horizon)}, after which machines count as up`}`,
  ];
  lines.push(...partRemarks(instance), ...doubts.slice(0, MOST_LISTED));
  if (doubts.length > MOST_LISTED) {
    lines.push(`${doubts.length - MOST_LISTED} more names are in doubt`);
  }
  if (unfit > 0) {
    const left = counted(unfit, 'alternative');
    lines.push(`left out: ${left} for which no shift of the machine is long enough`);
  }
  if (instance.due !== null) {
    const objective = objectiveOf(instance).replaceAll('-', ' ');
    lines.push(`orders have due dates: the objective is the ${objective}, then the makespan`);
  }
  if (overdue.length > 0) {
    const some = overdue.slice(0, 5).join(', ');
    const more = overdue.length > 5 ? ` and ${overdue.length - 5} more` : '';
    lines.push(`due before time begins, and taken as due at ${words.time(0)}: ${some}${more}`);
  }
  return lines;
}

/** How columns of alternatives, operators, setups, transport and predecessors were understood. */
function partRemarks(instance: Instance): string[] {
  const { modes, resources, setups, transport, precedence } = instance;
  const lines: string[] = [];
  if (modes !== null) {
    let several = 0;
    for (let op = 0; op < instance.operations; op++) {
      if (modes.offset[op + 1] - modes.offset[op] > 1) several++;
    }
    lines.push(
      `${counted(several, 'operation')} with alternatives, ${modes.machine.length} in all`,
    );
  }
  if (resources !== null) {
    const { names, capacity } = resources;
    const all = Array.from(capacity, (number, i) => `${names?.[i]} (${number})`);
    const some = all.slice(0, MOST_LISTED).join(', ');
    const more = all.length > MOST_LISTED ? ` and ${all.length - MOST_LISTED} more` : '';
    lines.push(`operators and tools, with their number: ${some}${more}`);
  }
  if (setups !== null) {
    const machines = setups.matrixOf.filter((matrix) => matrix >= 0).length;
    const families = setups.families === 1 ? '1 family' : `${setups.families} families`;
    lines.push(`setups between ${families} on ${counted(machines, 'machine')}`);
  }
  if (transport !== null) lines.push('transport between machines takes time');
  if (precedence !== null) lines.push('orders have predecessors or waiting times');
  return lines;
}

function readingRemarks({ kept, dropped, encodings }: OrderBook): string[] {
  const lines = encodings.map(
    ({ file, encoding }) => `${basename(file)} is not UTF-8, and was read as ${encoding}`,
  );
  if (kept.length > 0) lines.push(`kept with the orders: ${kept.join(', ')}`);
  for (const { file, heading, reason } of dropped) {
    lines.push(`not understood, and not kept: ${heading} of ${basename(file)}, which ${reason}`);
  }
  const others = [...kept, ...dropped.map(({ heading }) => heading)];
  const family = columnsByField(others, {}).find(({ field }) => field === 'family')?.found[0];
  if (family !== undefined) {
    lines.push(`no setups: ${others[family]} has no effect without a table of setups (--setups)`);
  }
  return lines;
}
