import { type ToolCall, type ToolCatalogue, toCatalogue } from '../../src/index.js';

const text = { type: 'string' };

export function objectOf(properties: object, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A catalogue of a shop: orders that are changed, refunds that are created and cancelled, letters without records. */
export function shopCatalogue(change: (document: ShopDocument) => void = () => {}): ToolCatalogue {
  const document = shopDocument();
  change(document);
  return toCatalogue(document);
}

export type ShopDocument = ReturnType<typeof shopDocument>;

export function shopDocument() {
  // biome-ignore lint/suspicious/noExplicitAny: tests break any member of it
  const tools: Record<string, any>[] = [
    {
      name: 'get_order',
      description: 'Gives an order.',
      access: 'read',
      input: objectOf({ order: text }),
      output: objectOf({ state: text, total: { type: 'number' } }),
      records: [
        {
          does: 'read',
          record: 'order',
          id: 'input.order',
          returns: { state: 'now.state', total: 'now.total' },
        },
      ],
    },
    {
      name: 'set_order_state',
      description: 'Sets the state of an order.',
      access: 'change',
      idempotent: true,
      input: objectOf({ order: text, state: text }),
      output: objectOf({ previous: text }),
      records: [
        {
          does: 'update',
          record: 'order',
          id: 'input.order',
          set: { state: 'input.state' },
          returns: { previous: 'before.state' },
        },
      ],
      inverse: {
        tool: 'set_order_state',
        input: { order: 'input.order', state: 'output.previous' },
      },
    },
    {
      name: 'create_refund',
      description: 'Refunds an order.',
      access: 'change',
      idempotent: true,
      capability: 'pay',
      input: objectOf({ order: text, amount: { type: 'number' } }),
      output: objectOf({ refund: text, state: { enum: ['open', 'paid'] } }),
      records: [
        { does: 'read', record: 'order', id: 'input.order' },
        {
          does: 'create',
          record: 'refund',
          id: 'output.refund',
          set: { order: 'input.order', amount: 'input.amount', currency: { value: 'EUR' } },
        },
      ],
      inverse: { tool: 'cancel_refund', input: { refund: 'output.refund' } },
    },
    {
      name: 'cancel_refund',
      description: 'Cancels a refund.',
      access: 'change',
      input: objectOf({ refund: text }),
      output: objectOf({}),
      records: [{ does: 'delete', record: 'refund', id: 'input.refund' }],
    },
    {
      name: 'send_letter',
      description: 'Sends a letter.',
      access: 'irreversible',
      input: objectOf({ to: text }),
      output: objectOf({ sent: { type: 'boolean' } }),
    },
  ];
  // biome-ignore lint/suspicious/noExplicitAny: tests break any member of it
  const trial: Record<string, any[]> = { order: [{ id: 'A7', state: 'paid', total: 40 }] };
  // A copy: tests change members that schemas share.
  return structuredClone({ schema: 'alas-jssp/tools@1', tools, trial });
}

let calls = 0;

/** A call with a key of its own, or with the given one. */
export function callWith(idempotencyKey = `key-${++calls}`, signal?: AbortSignal): ToolCall {
  const never = new AbortController().signal;
  return { runId: 'run', nodeId: 'node', idempotencyKey, signal: signal ?? never };
}
