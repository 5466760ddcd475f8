import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCatalogue, toCatalogue } from '../../src/index.js';
import { objectOf, type ShopDocument, shopCatalogue, shopDocument } from './catalogues.js';

const directory = mkdtempSync(join(tmpdir(), 'catalogues-'));
afterAll(() => rmSync(directory, { recursive: true }));

const text = { type: 'string' };
const [get, set, create, cancel, letter] = [0, 1, 2, 3, 4];

type Mistake = readonly [what: string, make: (document: ShopDocument) => void, message: string];

const MISTAKES: readonly Mistake[] = [
  [
    'a name twice',
    ({ tools }) => {
      tools[cancel].name = 'get_order';
    },
    '$.tools[3].name: the tool $.tools[0] has the name "get_order", too; give each tool a name of its own',
  ],
  [
    'a schema that is none',
    ({ tools }) => {
      tools[get].input = { type: 'object', properties: { order: { type: 'txt' } } };
    },
    '$.tools[0].input.properties.order.type: this is "txt"; use one of object, string, ',
  ],
  [
    'a schema that refers to nothing',
    ({ tools }) => {
      tools[get].input.properties.order = { anyOf: [{ $ref: '#/$defs/order' }] };
    },
    '$.tools[0].input.properties.order.anyOf[0].$ref: this is "#/$defs/order"; there is nothing at this place',
  ],
  [
    'a pattern that is none',
    ({ tools }) => {
      tools[get].input.properties.order.pattern = '(';
    },
    '$.tools[0].input.properties.order.pattern: this is "("; give a regular expression',
  ],
  [
    'an input that is no object',
    ({ tools }) => {
      tools[get].input = { type: 'string' };
    },
    '$.tools[0].input: the type is "string"; give a JSON Schema of an object',
  ],
  [
    'an example that the output schema refuses',
    ({ tools }) => {
      tools[letter].examples = [{ sent: true }, { sent: 'yes' }];
    },
    '$.tools[4].examples[1]: the example does not match the output schema: /sent must be boolean; ',
  ],
  [
    'a record of a kind that does not exist',
    ({ tools }) => {
      tools[set].records[0].record = 'ordr';
    },
    '$.tools[1].records[0].record: there is no record of the kind "ordr", and no tool creates one; did you mean order?',
  ],
  [
    'trial records of a kind that no tool has',
    ({ trial }) => {
      trial.refunds = [{ id: 'R1' }];
    },
    '$.trial.refunds: no tool has records of the kind "refunds"; did you mean refund?',
  ],
  [
    'an id twice',
    ({ trial }) => {
      trial.order.push({ id: 'A7' });
    },
    '$.trial.order[1].id: there is a order A7 already; ',
  ],
  [
    'a reading tool that changes',
    ({ tools }) => {
      tools[cancel].access = 'read';
    },
    '$.tools[3].records[0].does: the tool cancel_refund with the access read does delete; ',
  ],
  [
    'an id of an input that does not exist',
    ({ tools }) => {
      tools[cancel].records[0].id = 'input.refnd';
    },
    '$.tools[3].records[0].id: the input of the tool cancel_refund has no refnd; did you mean input.refund?',
  ],
  [
    'an id that is no reference',
    ({ tools }) => {
      tools[cancel].records[0].id = 'refund';
    },
    '$.tools[3].records[0].id: this is "refund"; give input.KEY',
  ],
  [
    'a deleted record whose id the call makes',
    ({ tools }) => {
      tools[cancel].records[0].id = 'output.refund';
    },
    '$.tools[3].records[0].id: the record to delete is named by "output.refund", which the call makes; give input.KEY',
  ],
  [
    'an update that sets nothing',
    ({ tools }) => {
      tools[set].records[0].set = {};
    },
    '$.tools[1].records[0].set: the update sets no field; give the fields that it sets',
  ],
  [
    'a delete that sets something',
    ({ tools }) => {
      tools[cancel].records[0].set = { state: 'input.refund' };
    },
    '$.tools[3].records[0].set: a delete sets nothing; leave it out',
  ],
  [
    'a field of an input that does not exist',
    ({ tools }) => {
      tools[set].records[0].set = { state: 'input.stat' };
    },
    '$.tools[1].records[0].set.state: the input of the tool set_order_state has no stat; did you mean input.state?',
  ],
  [
    'an output that the schema lacks',
    ({ tools }) => {
      tools[set].records[0].returns = { former: 'before.state' };
    },
    '$.tools[1].records[0].returns.former: the output of the tool set_order_state has no former; ',
  ],
  [
    'a field that no record has',
    ({ tools }) => {
      tools[set].records[0].returns = { previous: 'before.stat' };
    },
    '$.tools[1].records[0].returns.previous: no order has a field "stat"; did you mean state',
  ],
  [
    'the state of a record before it was created',
    ({ tools }) => {
      tools[create].records[1].returns = { state: 'before.amount' };
    },
    '$.tools[2].records[1].returns.state: this is "before.amount" of a create; give now.FIELD',
  ],
  [
    'an inverse that does not exist',
    ({ tools }) => {
      tools[create].inverse.tool = 'cancel_refunds';
    },
    '$.tools[2].inverse.tool: there is no tool "cancel_refunds"; did you mean cancel_refund',
  ],
  [
    'an inverse that only reads',
    ({ tools }) => {
      tools[create].inverse = { tool: 'get_order', input: { order: 'input.order' } };
    },
    '$.tools[2].inverse.tool: the tool get_order only reads, and undoes nothing; ',
  ],
  [
    'an inverse without an input that it needs',
    ({ tools }) => {
      tools[create].inverse.input = {};
    },
    '$.tools[2].inverse.input: the tool cancel_refund needs the input refund; give refund a source: ',
  ],
  [
    'an inverse with an input that it does not have',
    ({ tools }) => {
      tools[create].inverse.input.refunds = 'key';
    },
    '$.tools[2].inverse.input.refunds: the tool cancel_refund has no input "refunds"; did you mean refund?',
  ],
  [
    'an inverse with a source that cannot exist',
    ({ tools }) => {
      tools[create].inverse.input.refund = 'output.id';
    },
    '$.tools[2].inverse.input.refund: the output of the tool create_refund has no id; ',
  ],
  [
    'an inverse with a constant that its schema refuses',
    ({ tools }) => {
      tools[create].inverse.input.refund = { value: 7 };
    },
    '$.tools[2].inverse.input.refund: the value must be string; ',
  ],
  [
    'an inverse of a tool that cannot be undone',
    ({ tools }) => {
      tools[letter].inverse = { tool: 'cancel_refund', input: { refund: 'key' } };
    },
    '$.tools[4].inverse: a tool with the access irreversible has no undo; ',
  ],
  [
    'an unknown key',
    ({ tools }) => {
      tools[get].acess = 'read';
    },
    '$.tools[0]: the key "acess" is unknown; did you mean access?',
  ],
];

describe('a catalogue', () => {
  it.each(MISTAKES)('with %s is refused with its place and a hint', async (_, make, message) => {
    const document = shopDocument();
    make(document);
    const file = join(directory, 'tools.json');
    writeFileSync(file, JSON.stringify(document));
    const error: unknown = await readCatalogue('tools.json', directory).catch((one) => one);
    expect(error).toMatchObject({ code: 'bad_catalogue' });
    expect((error as Error).message.slice(0, file.length + 1 + message.length)).toBe(
      `${file}:${message}`,
    );
  });

  it('without mistakes is read with its defaults', () => {
    expect(shopCatalogue().tools[letter]).toMatchObject({ idempotent: false, records: [] });
  });

  it('may refer to members of schemas that are referred to, merged or open', () => {
    const shop = shopDocument();
    shop.tools[cancel].input = {
      $defs: { refund: objectOf({ id: text }) },
      type: 'object',
      allOf: [{ properties: { refund: { $ref: '#/$defs/refund' } }, required: ['refund'] }],
    };
    shop.tools[cancel].records[0].id = 'input.refund.id';
    shop.tools[create].output.additionalProperties = true;
    shop.tools[create].inverse.input = { refund: 'output.anything' };
    expect(() => toCatalogue(shop)).not.toThrow();
    shop.tools[cancel].records[0].id = 'input.refund.name';
    expect(() => toCatalogue(shop)).toThrow(/has no refund.name/);
  });
});
