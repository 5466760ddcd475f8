import type { Instance } from '../../../src/jssp/instance.js';
import { defaultImportMap } from '../../../src/jssp/orders/import-map.js';
import {
  type ImportedShop,
  importShop,
  type ShopImportOptions,
} from '../../../src/jssp/orders/import-shop.js';
import { readOrders } from '../../../src/jssp/orders/order-book.js';
import { readShopTables } from '../../../src/jssp/orders/shop-tables.js';
import type { ImportFile } from '../../../src/jssp/orders/table.js';

const textFile = (name: string, text: string): ImportFile => ({ name, bytes: Buffer.from(text) });

/** The texts of the tables of a shop. */
export type Tables = Partial<Record<'machines' | 'setups' | 'transport' | 'operators', string>>;

/** The instance of orders and tables in texts. */
export function imported(...files: Parameters<typeof importedShop>): Instance {
  return importedShop(...files).instance;
}

/** The same, with what the import noticed. */
export function importedShop(
  orders: string,
  tables: Tables = {},
  { map = defaultImportMap, ...options }: Partial<ShopImportOptions> = {},
): ImportedShop {
  const files = Object.fromEntries(
    Object.entries(tables).map(([name, text]) => [name, textFile(`${name}.csv`, text)]),
  );
  const read = readShopTables(files, map);
  const book = readOrders({ orders: textFile('orders.csv', orders) }, map, {
    hasSetups: tables.setups !== undefined,
  });
  return importShop(book, { name: 'shop', map, tables: read, ...options });
}
