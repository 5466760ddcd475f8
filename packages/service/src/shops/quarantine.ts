import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import { parseJson } from '@alas-jssp/core/json-text';
import { schemaName } from '@alas-jssp/core/schema-name';
import * as z from 'zod';

const QUARANTINE = z.strictObject({
  schema: schemaName('alas-jssp/quarantine@1'),
  shops: z.array(z.strictObject({ id: z.string(), since: z.string(), reason: z.string() })),
});

/** A shop whose computation did not return in time or ended its thread, and that is not opened. */
type QuarantinedShop = z.infer<typeof QUARANTINE>['shops'][number];

/** The shops of a service that are not opened until they are released. */
export interface Quarantine {
  list(): readonly QuarantinedShop[];
  find(id: string): QuarantinedShop | undefined;
  add(shop: QuarantinedShop): void;
  /** Removes a shop. @throws InputError `not_quarantined` */
  release(id: string): void;
}

/**
 * Opens a quarantine, which is stored in a file next to the log.
 *
 * @param file default: none, the quarantine ends with the service
 * @throws InputError `bad_quarantine`
 */
export function openQuarantine(file: string | undefined): Quarantine {
  const shops = new Map(readShops(file).map((shop) => [shop.id, shop]));
  const save = () => {
    if (file === undefined) return;
    const document = { schema: 'alas-jssp/quarantine@1', shops: [...shops.values()] };
    writeFileSync(`${file}.new`, `${JSON.stringify(document, null, 2)}\n`);
    renameSync(`${file}.new`, file);
  };
  return {
    list: () => [...shops.values()],
    find: (id) => shops.get(id),
    add(shop) {
      shops.set(shop.id, shop);
      save();
    },
    release(id) {
      if (!shops.delete(id)) {
        const problem = `the shop ${JSON.stringify(id)} is not in quarantine`;
        throw new InputError('not_quarantined', problem, 'see GET /shops', {}, id);
      }
      save();
    },
  };
}

function readShops(file: string | undefined): readonly QuarantinedShop[] {
  if (file === undefined || !existsSync(file)) return [];
  const checked = checkJson(QUARANTINE, parseJson(readFileSync(file), file));
  if (checked.fault !== undefined) throw faultError('bad_quarantine', checked.fault, file);
  return checked.data.shops;
}
