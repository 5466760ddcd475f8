import { expect, it } from 'vitest';
import { EMPTY_MAP, toHandlerMap, whereIs } from '../src/mapping.js';

const schema = 'alas-jssp/handler-map@1';

it('a map gives each call the place of its name, and what is not named that of the others', () => {
  const map = toHandlerMap({
    schema,
    handlers: { pay: { arn: 'arn:pay' } },
    compensators: { pay: { arn: 'arn:refund' } },
    messages: { paid: { topic: 'payments' } },
    approvals: { boss: { arn: 'arn:ask' } },
    others: { arn: 'arn:any', image: 'shop:1' },
  });
  expect(whereIs(map, 'run', 'pay')).toEqual({ arn: 'arn:pay', image: 'shop:1' });
  expect(whereIs(map, 'undo', 'pay').arn).toBe('arn:refund');
  expect(whereIs(map, 'wait', 'paid').topic).toBe('payments');
  expect(whereIs(map, 'approve', 'boss').arn).toBe('arn:ask');
  expect(whereIs(map, 'run', 'toString')).toEqual({ arn: 'arn:any', image: 'shop:1' });
});

it('the empty map is what a file with the schema alone says', () => {
  expect(toHandlerMap({ schema })).toEqual(EMPTY_MAP);
});

it.each([
  [3, 'm.json:$: this is 3; give an object with keys out of schema, handlers, compensators'],
  [{}, 'm.json:$.schema: this is missing; give "alas-jssp/handler-map@1"'],
  [{ schema: 'alas-jssp/handler-map@2' }, 'm.json:$.schema: this is "alas-jssp/handler-map@2"'],
  [{ schema, handler: {} }, 'm.json:$: the key "handler" is unknown; give an object with keys'],
  [{ schema, handlers: [] }, 'm.json:$.handlers: this is an empty list; give an object of places'],
  [
    { schema, handlers: { pay: { url: 'x' } } },
    'm.json:$.handlers.pay: the key "url" is unknown; give an object with keys out of arn, image',
  ],
  [{ schema, others: { arn: 5 } }, 'm.json:$.others.arn: this is 5; give a text'],
  [{ schema, others: { topic: '' } }, 'm.json:$.others.topic: this is ""; give a text'],
  [
    { schema, approvals: { boss: { command: 'ask' } } },
    'm.json:$.approvals.boss.command: this is "ask"; give a list of words',
  ],
  [{ schema, argo: { name: 'x' } }, 'm.json:$.argo: the key "name" is unknown; give an object'],
])('a map that is wrong is refused with the place of what is wrong: %j', (value, message) => {
  expect(() => toHandlerMap(value, 'm.json')).toThrow(message);
});
