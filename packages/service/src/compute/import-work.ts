import { InputError } from '@alas-jssp/core/errors';
import {
  CALENDAR_SCHEMA,
  defaultImportMap,
  type ImportFile,
  type ImportMap,
  importRemarks,
  importShop,
  instanceName,
  MAP_SCHEMA,
  parseCalendars,
  parseImportMap,
  readImportColumns,
  readOrders,
  readShopTables,
  type ShopTables,
  shopTableOf,
} from 'alas-jssp/internal/service';
import type {
  ColumnsAnswer,
  ColumnsRequest,
  ImportAnswer,
  ImportFileInput,
  ImportRequest,
} from '../api/import-schemas.js';
import { readPart, requireSize } from '../api/request-parts.js';
import { wireInstance, wireTime } from '../api/wire.js';
import type { WorkSetting } from './work.js';

/** Converts the files of a shop to an instance, as `alas-jssp import` does. @throws InputError as `importShop` does */
export function performImport(request: ImportRequest, setting: WorkSetting): ImportAnswer {
  const { epoch, zone, horizon } = request;
  const map = readPart('map', () =>
    request.map === undefined
      ? defaultImportMap
      : parseImportMap({ schema: MAP_SCHEMA, ...request.map }),
  );
  const calendars = readPart('calendar', () =>
    request.calendar === undefined
      ? undefined
      : parseCalendars({ schema: CALENDAR_SCHEMA, ...request.calendar }),
  );
  const name = request.name ?? instanceName(request.orders.name.replace(/\.csv$/i, ''));
  return namingPlace(() => {
    const routings = request.routings && fileOf(request.routings);
    const tables = tablesOf(request, map);
    const hasSetups = tables.setups !== undefined;
    const book = readOrders({ orders: fileOf(request.orders), routings }, map, { hasSetups });
    const imported = importShop(book, { name, map, calendars, tables, epoch, zone, horizon });
    const { instance, overdue } = imported;
    requireSize(instance, setting.operations);
    const { jobs: orders, operations, machines, timeScale } = instance;
    return {
      instance: wireInstance(instance),
      orders,
      operations,
      machines,
      shifts_until: imported.horizon === null ? null : wireTime(timeScale, imported.horizon),
      overdue: [...overdue],
      kept: [...book.kept],
      unknown: [...book.dropped],
      encodings: book.encodings.map(({ file, encoding }) => ({ file, encoding })),
      remarks: importRemarks(imported, book),
    };
  });
}

function tablesOf(request: ImportRequest, map: ImportMap): ShopTables {
  const { machines, setups, transport, operators } = request;
  return readShopTables(
    {
      machines: machines && fileOf(machines),
      setups: setups && fileOf(setups),
      transport: transport && fileOf(transport),
      operators: operators && fileOf(operators),
    },
    map,
  );
}

/** Reads the columns of files, and their fields. @throws InputError for a file that is not CSV */
export function performColumns({ files }: ColumnsRequest): ColumnsAnswer {
  return namingPlace(() => ({
    files: files.map((file) => {
      const { headings, samples, fields, ...read } = readImportColumns(fileOf(file));
      const isRoutings = fields.order === undefined && fields.article !== undefined;
      const table = fields.order === undefined ? shopTableOf(file.name, headings) : null;
      return {
        ...read,
        headings: [...headings],
        samples: samples.map((cells) => [...cells]),
        fields: { ...fields },
        kind: table ?? (isRoutings ? 'routings' : 'orders'),
      };
    }),
  }));
}

function fileOf({ name, text, content = '' }: ImportFileInput): ImportFile {
  const bytes = text === undefined ? Buffer.from(content, 'base64') : Buffer.from(text);
  return { name, bytes };
}

/** Adds file and line to the message of an error, because answers have no other field for them. */
function namingPlace<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, problem, hint, value, facts } = error;
    const { file, line, path } = error.location;
    const place = [file, line].filter((part) => part !== undefined).join(':');
    const words = place === '' ? problem : `${place}: ${problem}`;
    const inRequest = path === undefined ? {} : { path };
    throw new InputError(code, words, hint, inRequest, value, { file, line, ...facts });
  }
}
