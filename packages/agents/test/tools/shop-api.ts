export const text = { type: 'string' };
export const orderReference = { $ref: '#/components/schemas/Order' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });

/** The document of a shop, of OpenAPI 3.0. */
export function shopApi() {
  return {
    openapi: '3.0.3',
    info: { title: 'shop', version: '1' },
    paths: {
      '/orders/{order}': {
        parameters: [{ name: 'order', in: 'path', required: true, schema: text }],
        get: {
          operationId: 'getOrder',
          summary: 'Gives an order.',
          responses: { 200: json(orderReference), 404: { description: 'none' } },
        },
        delete: { responses: { 204: { description: 'deleted' } } },
      },
      '/orders': {
        get: {
          operationId: 'listOrders',
          parameters: [
            { name: 'state', in: 'query', schema: { type: 'array', items: text } },
            { name: 'page', in: 'query', required: true, schema: { type: 'integer' } },
            { name: 'x-shop', in: 'header', schema: text },
          ],
          responses: { 200: json({ type: 'array', items: orderReference }) },
        },
        post: {
          operationId: 'create order',
          parameters: [{ $ref: '#/components/parameters/Key' }],
          requestBody: { required: true, ...json({ $ref: '#/components/schemas/Paid' }) },
          responses: { 201: json(orderReference) },
        },
      },
      '/orders/{id}/note': {
        put: {
          operationId: 'setNote',
          parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
          requestBody: { required: true, ...json({ type: 'object', properties: { id: text } }) },
          responses: { 200: { content: { 'text/plain': {} } } },
        },
      },
      '/pay': {
        post: {
          operationId: 'pay',
          requestBody: {
            required: true,
            content: {
              'application/x-www-form-urlencoded': {
                schema: {
                  type: 'object',
                  required: ['amount'],
                  properties: { amount: { type: 'integer' }, tags: { type: 'array', items: text } },
                },
              },
            },
          },
          responses: { 200: json({ type: 'object', properties: { paid: { type: 'boolean' } } }) },
        },
      },
      '/picture': {
        post: {
          operationId: 'sendPicture',
          requestBody: { required: true, content: { 'image/png': {} } },
          responses: { 200: { description: 'sent' } },
        },
      },
    },
    components: {
      parameters: { Key: { name: 'Idempotency-Key', in: 'header', schema: text } },
      schemas: {
        Order: {
          type: 'object',
          required: ['id', 'note', 'total'],
          properties: {
            id: { ...text, readOnly: true },
            note: { ...text, nullable: true },
            total: { type: 'number', minimum: 0, exclusiveMinimum: true },
          },
        },
        Paid: { allOf: [orderReference, { required: ['by'], properties: { by: text } }] },
      },
    },
    // biome-ignore lint/suspicious/noExplicitAny: tests change any member of it
  } as any;
}
