import { basename } from 'node:path';
import { Command } from 'commander';
import { writeInstanceJson } from '../../jssp/formats/instance-json.js';
import { instanceName } from '../../jssp/formats/source.js';
import { defaultImportMap, readImportMap } from '../../jssp/orders/import-map.js';
import { importShop } from '../../jssp/orders/import-shop.js';
import { readOrders } from '../../jssp/orders/order-book.js';
import { readShopTables, type ShopTableFiles } from '../../jssp/orders/shop-tables.js';
import { importFile } from '../../jssp/orders/table.js';
import { readCalendars } from '../../jssp/shifts/calendar-file.js';
import { importRemarks } from '../../report/import-remarks.js';
import { namingFile, outputFile, writeOutput } from '../common/files.js';
import { withQuiet } from '../common/options.js';
import { print, remark } from '../common/output.js';
import type { Session } from '../common/session.js';

interface Options {
  routings?: string;
  machines?: string;
  setups?: string;
  transport?: string;
  operators?: string;
  map?: string;
  calendar?: string;
  epoch?: string;
  zone?: string;
  horizon?: string;
  out?: string;
}

/** `alas-jssp import`: makes an instance from the orders, routings and shifts of a shop. */
export function importCommand(session: Session): Command {
  return withQuiet(session, new Command('import'))
    .argument('<orders>', 'CSV file with one order, or one operation, in each row')
    .option('--routings <file>', 'CSV file with the operations of articles, if on their own')
    .option('--machines <file>', 'CSV file with the groups of machines: machine, group')
    .option('--setups <file>', 'CSV file with setups between families: from, to, time, machine')
    .option('--transport <file>', 'CSV file with transport between machines: from, to, time')
    .option('--operators <file>', 'CSV file with operators, tools: operator, number, calendar')
    .option('--map <file>', 'JSON file that maps columns and states times')
    .option('--calendar <file>', 'JSON file with the shifts of the machines')
    .option('--epoch <time>', 'start of time, as in 2026-11-23T06:00 (overrides the map)')
    .option('--zone <name>', 'time zone, as in Europe/Berlin (overrides the map)')
    .option('--horizon <day>', 'day up to which shifts count (default: enough for all work)')
    .option('--out <file>', 'file to write instead of stdout; compressed if .gz', outputFile)
    .addHelpText(
      'after',
      `
Examples:
  $ alas-jssp import orders.csv --epoch 2026-11-23T06:00 --zone Europe/Berlin
  $ alas-jssp import orders.csv --routings routings.csv --map map.json \\
      --calendar calendar.json --horizon 2026-12-24 --out shop.json
  $ alas-jssp import orders.csv --machines machines.csv --setups setups.csv \\
      --transport transport.csv --operators operators.csv --out shop.json
The files are described in docs/how-to/shop-data.md.`,
    )
    .action(async (orders: string, options: Options) => {
      const { map, calendar, out, epoch, zone, horizon } = options;
      const columns = map === undefined ? defaultImportMap : readImportMap(map);
      const calendars = calendar === undefined ? undefined : readCalendars(calendar);
      const routings = options.routings === undefined ? undefined : importFile(options.routings);
      const tables = readShopTables(tableFiles(options), columns);
      const book = readOrders({ orders: importFile(orders), routings }, columns, {
        hasSetups: tables.setups !== undefined,
      });
      const name = instanceName(out ?? basename(orders).replace(/\.csv(\.gz)?$/i, ''));
      const fileOfError = (code: string) => (code === 'bad_calendar' && calendar) || orders;
      const imported = await namingFile(fileOfError, () =>
        importShop(book, { name, map: columns, calendars, tables, epoch, zone, horizon }),
      );
      const text = writeInstanceJson(imported.instance);
      if (out === undefined) await print(session, text);
      else writeOutput(out, text);
      for (const line of importRemarks(imported, book)) remark(session, line);
    });
}

/** The files of the tables that are given. */
function tableFiles({ machines, setups, transport, operators }: Options): ShopTableFiles {
  const file = (name: string | undefined) => (name === undefined ? undefined : importFile(name));
  return {
    machines: file(machines),
    setups: file(setups),
    transport: file(transport),
    operators: file(operators),
  };
}
