import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';

/** The repair options that a foreman can choose; `shop` is the policy of the shop. */
export const ROW_NAMES = ['shop', 'due-dates', 'few-moves', 'do-nothing', 'from-scratch'] as const;

/** The name of a repair option. */
export type RepairRow = (typeof ROW_NAMES)[number];

/** Reads the name of a row; undefined if none is given. @throws InputError `no_row` */
export function readRow(given: unknown): RepairRow | undefined {
  if (given === undefined) return undefined;
  const row = ROW_NAMES.find((name) => name === given);
  if (row !== undefined) return row;
  const word = String(given).slice(0, 80);
  const problem = `there is no repair row ${JSON.stringify(word)}`;
  throw new InputError('no_row', problem, suggestNames(word, ROW_NAMES), {}, given);
}
