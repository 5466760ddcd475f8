import { catalogueSchema, TOOLS_SCHEMA } from '@alas-jssp/agents';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapKeys } from '../../src/factory/key-mapping.js';
import { similarityOf } from '../../src/factory/wording.js';
import {
  type AgentSpec,
  bindTools,
  catalogueRegistry,
  findCandidates,
  type Template,
} from '../../src/index.js';
import { refundDraft } from '../fixtures/refund.js';

const ACCESS = ['compute', 'decide', 'read', 'change', 'irreversible'] as const;

const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const text = { type: 'string' };

function specOf(changes: Partial<AgentSpec>): AgentSpec {
  return {
    work: 'tool',
    does: 'reads the order',
    access: 'read',
    capabilities: ['shop:read'],
    input: object({ order: text }) as never,
    output: object({ paid: {} }) as never,
    tool: null,
    role: null,
    reviews: false,
    log: [],
    ...changes,
  };
}

const { catalogue } = refundDraft();
const registries = [catalogueRegistry(catalogue)];
const namesOf = (spec: AgentSpec) =>
  findCandidates(spec, registries).map(({ offer }) => offer.name);

describe('candidates', () => {
  it('match exactly by their name, with the terms of the score', () => {
    const output = object({ payment: text, paid: { type: 'boolean' }, age: { type: 'integer' } });
    const [best] = findCandidates(
      specOf({ tool: 'shop.read-order', output: output as never }),
      registries,
    );
    expect(best).toMatchObject({ match: 'exact', score: 1, registry: 'tools' });
    expect(best.terms).toHaveLength(6);
  });

  it('match approximately by words of the same meaning, with a mapping of keys', () => {
    const spec = specOf({ does: 'gets the order', input: object({ orderNumber: text }) as never });
    const [best, ...others] = findCandidates(spec, registries);
    expect(others).toEqual([]);
    expect(best).toMatchObject({
      match: 'approximate',
      offer: { name: 'shop.read-order' },
      mapping: { order: 'input.orderNumber' },
    });
  });

  it('are none if a required input is missing, or an output that others read', () => {
    expect(namesOf(specOf({ input: object({}) as never }))).toEqual([]);
    expect(namesOf(specOf({ output: object({ weather: {} }) as never }))).toEqual([]);
  });

  it('are none if the role lacks the capability', () => {
    expect(namesOf(specOf({ tool: 'shop.read-order', capabilities: ['desk:write'] }))).toEqual([]);
  });

  it('never have a stronger access than asked, nor a capability that the role lacks', () => {
    const strength = (access: string) => Math.max(2, ACCESS.indexOf(access as never));
    const tools = catalogue.tools;
    fc.assert(
      fc.property(
        fc.constantFrom(...ACCESS),
        fc.subarray([...new Set(tools.map((tool) => tool.capability as string))]),
        fc.constantFrom(...tools),
        fc.boolean(),
        (access, capabilities, like, isNamed) => {
          const spec = specOf({
            access,
            capabilities,
            does: like.description,
            tool: isNamed ? like.name : null,
            input: like.input as never,
            output: like.output as never,
          });
          for (const { offer } of findCandidates(spec, registries)) {
            expect(strength(offer.access)).toBeLessThanOrEqual(strength(access));
            expect(capabilities).toContain(offer.capability);
          }
        },
      ),
    );
  });
});

describe('wordings and keys', () => {
  it('are alike if they mean the same', () => {
    expect(similarityOf('reads the order', 'shop.get-order Fetches an order.')).toBeGreaterThan(
      0.6,
    );
    expect(similarityOf('refunds the payment', 'Sends a mail.')).toBe(0);
    expect(similarityOf('adds 19 percent', 'adds 7 percent')).toBeLessThan(0.5);
  });

  it('are mapped by case, meaning and likeness, and not if two fit equally', () => {
    const given = object({ order_id: text, recipient: text, amountTotal: { type: 'number' } });
    const taken = object({ orderId: text, to: text, amount: { type: 'number' } });
    expect(mapKeys(given as never, taken as never).keys).toEqual({
      orderId: 'order_id',
      to: 'recipient',
      amount: 'amountTotal',
    });
    const two = object({ order_id: text, orderID: text });
    expect(mapKeys(two as never, object({ 'order-id': text }) as never).missing).toEqual([
      'order-id',
    ]);
  });

  it('are not mapped between different types', () => {
    const given = object({ order: { type: 'number' } });
    expect(mapKeys(given as never, object({ order: text }) as never).missing).toEqual(['order']);
  });
});

describe('nodes whose tool does not exist', () => {
  const { specification, template } = refundDraft();
  const withTool = (id: string, tool: string | undefined, input?: object): Template => ({
    ...template,
    nodes: template.nodes.map((node) => {
      if (node.id !== id) return node;
      const { tool: _, ...details } = node.details;
      const changed = { ...details, ...(tool !== undefined && { tool }), ...(input && { input }) };
      return { ...node, details: changed as never };
    }),
  });

  it('are bound to the tool that fits clearly best, with a warning', () => {
    const changed = withTool('order', 'shop.getOrder', { orderNumber: 'input.order' });
    const bound = bindTools({ specification, template: changed }, catalogue);
    const { details } = bound.template.nodes[0];
    expect(details).toMatchObject({ tool: 'shop.read-order', input: { order: 'input.order' } });
    expect(bound.findings).toEqual([
      expect.objectContaining({ code: 'tool_bound', severity: 'warning', part: 'node/order' }),
    ]);
    expect(bound.findings[0].message).toMatch(
      /shop\.read-order fits best: [\d.]+ \(capability 0\.35 × /,
    );
  });

  it('stay as they are if two tools fit equally well, or none', () => {
    const twin = { ...catalogue.tools[0], name: 'shop.load-order' };
    const twins = catalogueSchema.parse({
      schema: TOOLS_SCHEMA,
      tools: [...catalogue.tools, twin],
    });
    const changed = withTool('order', undefined);
    expect(bindTools({ specification, template: changed }, twins).template).toBe(changed);
    const strange = withTool('mail', 'weather.predict', { sky: 'input.customer' });
    expect(bindTools({ specification, template: strange }, catalogue).template).toBe(strange);
  });

  it('change nothing in drafts whose tools exist', () => {
    const draft = { specification, template };
    expect(bindTools(draft, catalogue).template).toBe(template);
  });
});
