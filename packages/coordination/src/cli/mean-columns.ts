import { type Column, columnsOf, fixed } from 'alas-jssp/command-line';
import type { ReportedMean } from '../runs/reported-mean.js';

type MeanKey<Row> = {
  [Key in keyof Row & string]: Row[Key] extends ReportedMean ? Key : never;
}[keyof Row & string];

/** Makes the columns of means of rows: each one with its interval for people, three for programs. */
export function meanColumnsOf<Row extends object>() {
  const column = columnsOf<Row>();
  return (
    key: MeanKey<Row>,
    header: string,
    decimals: number,
    more: Pick<Column<Row>, 'when' | 'minor'> = {},
  ): Column<Row>[] => {
    const format = fixed(decimals);
    const meanOf = (row: Row) => row[key] as ReportedMean;
    const { when } = more;
    const hidden = { hidden: true, ...(when !== undefined && { when }) };
    return [
      column.of(key, (row) => meanOf(row).mean, {
        ...more,
        header,
        align: 'right',
        format: (value, row) => {
          const { low, high } = meanOf(row);
          return low === null
            ? format(value)
            : `${format(value)} [${format(low)}, ${format(high)}]`;
        },
      }),
      column.of(`${key}_low`, (row) => meanOf(row).low, hidden),
      column.of(`${key}_high`, (row) => meanOf(row).high, hidden),
    ];
  };
}
