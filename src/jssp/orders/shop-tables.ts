import { normalizeHeading } from './headings.js';
import { fitsTable, readShopTable, type TableColumns, type TableRow } from './shop-table.js';
import type { ImportFile } from './table.js';

const MACHINE = ['machine', 'machines', 'maschine', 'maschinen', 'arbeitsplatz', 'anlage'];
const FROM = ['from', 'previous', 'von', 'vorher'];
const TO = ['to', 'next', 'nach', 'auf', 'nachher'];
const TIME = ['time', 'minutes', 'duration', 'zeit', 'minuten', 'dauer'];

const machineColumns = {
  machine: { headings: MACHINE, required: true },
  group: { headings: ['group', 'groups', 'gruppe', 'maschinengruppe'], required: true },
} satisfies TableColumns<string>;

const setupColumns = {
  from: { headings: FROM, required: true },
  to: { headings: TO, required: true },
  time: { headings: [...TIME, 'setup', 'setup time', 'rüstzeit', 'rüsten'], required: true },
  machine: { headings: [...MACHINE, 'group', 'gruppe'] },
  attended: { headings: ['attended', 'job needed', 'auftrag nötig'] },
} satisfies TableColumns<string>;

const transportColumns = {
  from: { headings: FROM, required: true },
  to: { headings: TO, required: true },
  time: { headings: [...TIME, 'transport', 'transport time', 'transportzeit'], required: true },
} satisfies TableColumns<string>;

const operatorColumns = {
  operator: {
    headings: ['operator', 'name', 'tool', 'resource', 'bediener', 'mitarbeiter', 'werkzeug'],
    required: true,
  },
  number: { headings: ['number', 'count', 'capacity', 'anzahl', 'kapazität'] },
  calendar: { headings: ['calendar', 'shifts', 'kalender', 'schicht', 'schichten'] },
} satisfies TableColumns<string>;

/** The tables of a shop next to its orders; each may be missing. */
export interface ShopTables {
  readonly machines?: readonly TableRow<keyof typeof machineColumns>[] | undefined;
  readonly setups?: readonly TableRow<keyof typeof setupColumns>[] | undefined;
  readonly transport?: readonly TableRow<keyof typeof transportColumns>[] | undefined;
  readonly operators?: readonly TableRow<keyof typeof operatorColumns>[] | undefined;
}

/** The files of the tables of a shop. */
export type ShopTableFiles = Readonly<Partial<Record<keyof ShopTables, ImportFile | undefined>>>;

/** Reads the tables of a shop. @throws InputError `bad_table` with file and line */
export function readShopTables(
  files: ShopTableFiles,
  { decimal }: { readonly decimal?: '.' | ',' | undefined },
): ShopTables {
  const { machines, setups, transport, operators } = files;
  return {
    machines: machines && readShopTable(machines, machineColumns, decimal),
    setups: setups && readShopTable(setups, setupColumns, decimal),
    transport: transport && readShopTable(transport, transportColumns, decimal),
    operators: operators && readShopTable(operators, operatorColumns, decimal),
  };
}

/**
 * The table of a shop that a file is by its headings; null if it is none. A file of from, to and time alone is of setups
 * if its name says so, and otherwise of transport.
 */
export function shopTableOf(file: string, headings: readonly string[]): keyof ShopTables | null {
  if (fitsTable(headings, machineColumns)) return 'machines';
  if (fitsTable(headings, operatorColumns)) return 'operators';
  const isOfSetups = fitsTable(headings, setupColumns);
  if (!fitsTable(headings, transportColumns)) return isOfSetups ? 'setups' : null;
  return isOfSetups && /setup|ruest/.test(normalizeHeading(file)) ? 'setups' : 'transport';
}
