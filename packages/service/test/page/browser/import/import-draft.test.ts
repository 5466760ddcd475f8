import { expect, test } from 'vitest';
import {
  type DraftTable,
  faultOf,
  fieldsOf,
  type ImportDraft,
  importRequest,
  shopIdOf,
} from '../../../../src/page/browser/import/import-draft.js';

const table = (kind: DraftTable['kind'], chosen: DraftTable['chosen'] = {}): DraftTable => ({
  ...{ kind, name: `${kind}.csv`, content: 'QQ==', chosen },
  columns: {
    ...{ file: `${kind}.csv`, encoding: 'UTF-8', headings: [], samples: [], fields: {}, kind },
  },
});
const draft = (files: ImportDraft['files']): ImportDraft => ({
  ...{ files, epoch: '2026-11-23T06:00', zone: 'UTC', times: 'hours' },
  ...{ dates: 'yyyy-mm-dd', decimal: ',' },
});

test('a draft becomes a request: choices go before those of a mapping', () => {
  const document = { columns: { order: 'Nr', due: 'Soll' }, decimal: '.' };
  const files = [
    table('routings', { machine: 'Platz' }),
    { kind: 'map', name: 'map.json', document } as const,
    table('orders', { order: 'Auftrag' }),
  ];
  expect(importRequest(draft(files))).toEqual({
    orders: { name: 'orders.csv', content: 'QQ==' },
    routings: { name: 'routings.csv', content: 'QQ==' },
    map: {
      columns: { order: 'Auftrag', due: 'Soll' },
      routing_columns: { machine: 'Platz' },
      times: 'hours',
      dates: 'yyyy-mm-dd',
      decimal: ',',
    },
    epoch: '2026-11-23T06:00',
    zone: 'UTC',
  });
});

test('a draft needs one file of orders, and at most one of each kind', () => {
  expect(faultOf(draft([table('routings')]))).toBe('no_orders');
  expect(faultOf(draft([table('orders'), table('orders')]))).toBe('orders');
  expect(faultOf(draft([table('orders'), table('routings')]))).toBeNull();
});

test('with routings, the file of orders has no columns of operations', () => {
  const orders = table('orders');
  expect(fieldsOf(draft([orders]), orders)).toContain('machine');
  expect(fieldsOf(draft([orders, table('routings')]), orders)).not.toContain('machine');
});

test('the name of a shop is made of that of its file', () => {
  expect(shopIdOf('Aufträge Groß 2026.csv')).toBe('Auftraege-Gross-2026');
  expect(shopIdOf('Auftra\u0308ge.csv')).toBe('Auftraege');
  expect(shopIdOf('日本.csv')).toBe('shop');
});
