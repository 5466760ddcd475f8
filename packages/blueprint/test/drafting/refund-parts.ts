import type { Parts } from '../../src/index.js';

/** A task in words, and parts of a draft of it that fit together. */
export const REFUND_TEXT = `When a customer returns an order, we refund the amount by the payment system.
A refund above 500 EUR needs the approval of the manager. Afterwards we send the customer an email.
If the payment system fails, we try it 3 times.`;

const inputSchema = (...keys: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(keys.map((key) => [key, {}])),
});

export const REFUND_PARTS: Parts = {
  objectives: {
    title: 'Refund of an order',
    objectives: [
      {
        id: 'O1',
        text: 'refund the amount',
        source: 'When a customer returns an order, we refund the amount by the payment system.',
      },
    ],
  },
  entities: {
    entities: [
      {
        id: 'order',
        name: 'order',
        fields: ['amount', 'customer'],
        source: 'When a customer returns an order, we refund the amount by the payment system.',
      },
    ],
  },
  inputs: {
    inputs: [
      { name: 'order', type: 'string', description: 'the order', example: 'A-7' },
      { name: 'amount', type: 'number', description: 'its amount', example: 59.9 },
    ],
  },
  operations: {
    operations: [
      {
        id: 'refund',
        does: 'refunds the amount',
        system: 'payment system',
        access: 'change',
        undo: null,
        source: 'we refund the amount by the payment system.',
      },
      {
        id: 'email',
        does: 'sends an email to the customer',
        system: null,
        access: 'irreversible',
        undo: null,
        source: 'Afterwards we send the customer an email.',
      },
    ],
  },
  constraints: {
    constraints: [
      {
        id: 'D1',
        scope: 'operation',
        text: 'a refund above 500 EUR needs the approval of the manager',
        operations: ['refund'],
        source: 'A refund above 500 EUR needs the approval of the manager.',
      },
    ],
  },
  disruptions: {
    disruptions: [
      {
        id: 'F1',
        kind: 'failure',
        text: 'the payment system fails',
        operation: 'refund',
        source: 'If the payment system fails, we try it 3 times.',
      },
    ],
  },
  questions: { questions: [], assumptions: [] },
  roles: {
    roles: [
      {
        id: 'cashier',
        kind: 'domain',
        purpose: 'refunds',
        capabilities: ['payments', 'mail'],
        context: { keeps: ['goals'], tokens: 500 },
      },
    ],
  },
  nodes: {
    nodes: [
      { id: 'refund', work: 'tool', role: 'cashier', does: 'refunds', operation: 'refund' },
      { id: 'email', work: 'tool', role: 'cashier', does: 'sends the email', operation: 'email' },
    ],
  },
  edges: { edges: [{ from: 'refund', to: 'email' }] },
  'node/refund': {
    id: 'refund',
    tool: 'payments.refund',
    input: { order: 'input.order', amount: 'input.amount' },
    approval: 'manager',
    retry: { attempts: 3 },
  },
  'node/email': {
    id: 'email',
    tool: 'mail.send',
    input: { order: 'input.order' },
    approval: 'send the email',
  },
  'constraint-coverage': {
    constraintCoverage: [{ constraint: 'D1', enforced: [{ by: 'approval', node: 'refund' }] }],
  },
  'disruption-coverage': {
    disruptionCoverage: [
      {
        disruption: 'F1',
        handler: { by: 'retry', node: 'refund' },
        neighbourhood: ['refund'],
      },
    ],
  },
  'undo/refund': {
    node: 'refund',
    strategy: 'undo',
    sequence: [{ tool: 'payments.cancel', input: { refund: 'output.id' } }],
    reason: 'a refund can be cancelled',
  },
  'undo/email': {
    node: 'email',
    strategy: 'irreversible',
    sequence: [],
    reason: 'an email cannot be called back',
  },
};

/** The tools of the task. */
export const REFUND_CATALOGUE = {
  schema: 'alas-jssp/tools@1',
  tools: [
    {
      name: 'payments.refund',
      description: 'Refunds an amount of an order.',
      system: 'payments',
      capability: 'payments',
      access: 'change',
      idempotent: true,
      input: inputSchema('order', 'amount'),
      output: inputSchema('id'),
    },
    {
      name: 'payments.cancel',
      description: 'Cancels a refund.',
      system: 'payments',
      capability: 'payments',
      access: 'change',
      idempotent: true,
      input: inputSchema('refund'),
      output: inputSchema('id'),
    },
    {
      name: 'mail.send',
      description: 'Sends an email about an order.',
      system: 'mail',
      capability: 'mail',
      access: 'irreversible',
      input: inputSchema('order'),
      output: inputSchema('id'),
    },
  ],
};
