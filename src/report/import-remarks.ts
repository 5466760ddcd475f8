import { basename } from 'node:path';
import { objectiveOf } from '../jssp/objectives.js';
import type { ImportedShop } from '../jssp/orders/import-shop.js';
import type { OrderBook } from '../jssp/orders/order-book.js';
import { wordsOf } from '../jssp/words.js';
import { counted } from './format.js';

/** The size of an imported shop, and unexpected interpretations of its files: one sentence each. */
export function importRemarks(imported: ImportedShop, book: OrderBook): string[] {
  return [...remarksOn(imported), ...readingRemarks(book)];
}

function remarksOn({ instance, horizon, overdue }: ImportedShop): string[] {
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

function readingRemarks({ kept, dropped, encodings }: OrderBook): string[] {
  const lines = encodings.map(
    ({ file, encoding }) => `${basename(file)} is not UTF-8, and was read as ${encoding}`,
  );
  if (kept.length > 0) lines.push(`kept with the orders: ${kept.join(', ')}`);
  for (const { file, heading, reason } of dropped) {
    lines.push(`not understood, and not kept: ${heading} of ${basename(file)}, which ${reason}`);
  }
  return lines;
}
