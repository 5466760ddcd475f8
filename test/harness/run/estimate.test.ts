import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { estimateRun } from '../../../src/harness/run/estimate.js';
import { planFromSchedule } from '../../../src/jssp/plan.js';
import { planFormats } from '../../../src/llm/prompts/formats.js';
import { estimateInput } from '../../../src/llm/request-key.js';
import { dispatch } from '../../../src/search/index.js';
import { readShop } from '../../llm/read-shop.js';
import { startChatServer } from '../../llm/servers/chat-completions.js';
import type { Behaviour, WireRequest } from '../../llm/servers/wire-server.js';
import { runTest, temporaryDirectory } from '../fixtures.js';

function answered({ body }: WireRequest): Behaviour {
  const prompt = body.messages.at(-1).content;
  if (/\bsay OK\b/.test(prompt)) return { kind: 'answer', text: 'OK' };
  const { entries } = planFromSchedule(dispatch(readShop(prompt), { rule: 'mwkr' }));
  return { kind: 'answer', text: planFormats.sequences.write(entries) };
}

describe('the estimate of a run', () => {
  it('is what is asked in the end, and then nothing is left to be paid for', async () => {
    const server = await startChatServer((request) => answered(request));
    const at = `@${server.url}/v1`;
    const planners = [`openai-compatible:a${at}`, `openai-compatible:b${at}#topology=graph`];
    const spec = { suite: 'ft06,la01', planners: ['dispatch:spt', ...planners], replicates: 2 };
    const estimate = await estimateRun(spec);
    expect(server.requests).toHaveLength(0);
    const [single, graph] = estimate.planners;
    expect(single).toMatchObject({ plans: 4, requests: [4, 4], usd: null, unfit: [] });
    // A plan and a look at it, or two more of both and a last plan.
    expect(graph).toMatchObject({ plans: 4, requests: [8, 28] });
    expect(estimate.total.requests).toEqual([12, 32]);
    expect(graph.input[1]).toBeGreaterThan(3 * graph.input[0]);

    const out = join(temporaryDirectory(), 'run');
    const environment = {};
    const { records } = await runTest({ ...spec, out, environment });
    expect(records.every(({ status }) => status === 'ok')).toBe(true);
    expect(server.requests).toHaveLength(12);
    const sent = server.requests.filter(({ body }) => body.model === 'a');
    const tokens = sent.map(({ body }) => {
      const { messages, max_tokens: maxOutputTokens, response_format: format } = body;
      const { name, schema } = format.json_schema;
      return estimateInput({ model: 'a', messages, maxOutputTokens, shape: { name, schema } });
    });
    expect(single.input[0]).toBe(tokens.reduce((a, b) => a + b));

    const again = await estimateRun(spec, { out });
    expect(again.total).toMatchObject({ requests: [0, 0], input: [0, 0], seconds: [0, 0] });
  });

  it('estimates one replicate for all where none has an answer, and each where some have', async () => {
    const server = await startChatServer((request) => answered(request));
    const planners = [`openai-compatible:a@${server.url}/v1`];
    const out = join(temporaryDirectory(), 'run');
    const spec = { suite: 'ft06', planners };
    const [{ total: one }, { total: five }] = [
      await estimateRun(spec, { out }),
      await estimateRun({ ...spec, replicates: 5 }, { out }),
    ];
    expect(five.requests).toEqual(one.requests.map((count) => 5 * count));
    expect(five.input).toEqual(one.input.map((count) => 5 * count));
    await runTest({ ...spec, out, environment: {} });
    const rest = await estimateRun({ ...spec, replicates: 5 }, { out });
    expect(rest.total.requests).toEqual([4, 4]);
  });

  it('has prices, rounds of repair, limits and what does not fit', async () => {
    const planners = ['openai:gpt-4.1', 'openai:gpt-4o#context=700,max-output=300'];
    const plain = { suite: 'ft06,ft10', planners };
    const models = { requestsPerMinute: 1, budget: { usd: 1e-4, tokens: 1e9 } };
    const estimate = await estimateRun({ ...plain, repairer: 'llm', rounds: 3, models });
    const [large, small] = estimate.planners;
    expect(large.requests).toEqual([2, 8]);
    const [least = 0, most = 0] = large.usd ?? [];
    expect(least).toBeCloseTo((large.input[0] * 2 + large.output[0] * 8) / 1e6, 10);
    expect(most).toBeGreaterThan(3 * least);
    expect(large.mostUsd).toBeCloseTo((large.input[1] * 2 + 8 * 16384 * 8) / 1e6, 10);
    // One a minute, the first at once.
    expect(large.seconds).toEqual([60, 420]);
    expect(small.unfit).toContain('ft10');
    expect(estimate.exceeded).toEqual(['the budget of $0.0001']);
  });
});
