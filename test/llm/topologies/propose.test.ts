import { AlasError, type InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateTaillard } from '../../../src/jssp/generator.js';
import type { Answer, Ask, LlmRequest } from '../../../src/llm/client.js';
import { FORMATS, TOPOLOGIES } from '../../../src/llm/planner-spec.js';
import type { PromptSettings } from '../../../src/llm/prompts/prompt.js';
import { estimateTokens } from '../../../src/llm/token-estimate.js';
import { firstQuestions, propose } from '../../../src/llm/topologies/propose.js';
import { dispatch } from '../../../src/search/index.js';
import { validate } from '../../../src/validator/index.js';
import { arbitraryInstance } from '../../arbitraries.js';
import { answer, heuristicModel, questionOf } from '../scripted-models.js';

const shop = generateTaillard({ jobs: 10, machines: 5, timeSeed: 1, machineSeed: 2 });

const settings: PromptSettings = {
  model: 'scripted',
  topology: 'single',
  format: 'entries',
  structured: false,
  contextTokens: 128_000,
  maxOutputTokens: 16_000,
};

/** Tokens of a whole request, as they count against the context. */
function promptTokens({ messages }: LlmRequest): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}

const task = (changes: Partial<PromptSettings>) => ({
  instance: shop,
  settings: { ...settings, ...changes },
  replicate: 0,
});

/** Asks a model whose answers come after so many turns of the event loop each. */
function delayed(ask: Ask, delays: readonly number[]): Ask {
  let count = 0;
  return async (request, context) => {
    const delay = delays[count++ % delays.length];
    for (let i = 0; i < delay; i++) await new Promise(setImmediate);
    return ask(request, context);
  };
}

describe.each(TOPOLOGIES)('the topology %s', (topology) => {
  it('proposes a feasible plan if its agents do, in every format', async () => {
    for (const format of FORMATS) {
      for (const structured of [false, true]) {
        const { plan, turns, windows } = await propose(
          task({ topology, format, structured }),
          heuristicModel(format),
        );
        expect(windows).toHaveLength(1);
        const { valid, makespan } = validate(shop, plan);
        expect(valid).toBe(true);
        expect(makespan).toBe(dispatch(shop, { rule: 'mwkr' }).makespan);
        expect(turns.every(({ window, agent }) => window === 0 && agent !== '')).toBe(true);
      }
    }
  });

  it('goes on, and ends, whatever its agents say', async () => {
    const garbage = ['', 'OK', 'I cannot.', '{"schedule":[', 'next: nobody', '[]'.repeat(10_000)];
    for (const text of garbage) {
      const ask: Ask = async (request) => answer(text, request);
      const { turns, plan } = await propose(task({ topology }), ask);
      expect(turns.length).toBeGreaterThan(0);
      expect(turns.length).toBeLessThanOrEqual(10);
      expect(plan.entries).toEqual([]);
    }
  });

  it('keeps the last usable plan when the agents after it have none', async () => {
    const good = heuristicModel('entries');
    let asked = 0;
    const ask: Ask = (request, context) =>
      asked++ === (topology === 'alas' ? 8 - 3 : 0)
        ? good(request, context)
        : Promise.resolve(answer('I cannot help with that.', request));
    const { plan } = await propose(task({ topology }), ask);
    expect(validate(shop, plan).valid).toBe(true);
  });

  it('lets the failures of questions through, when none is under way any more', async () => {
    let open = 0;
    const failure = new AlasError('RateLimited', 'too many requests');
    const ask: Ask = async (request) => {
      open++;
      for (let i = 0; i < 5 - open; i++) await new Promise(setImmediate);
      open--;
      if (questionOf(request).includes('Job2:')) throw failure;
      return answer('', request);
    };
    await expect(propose(task({ topology }), ask)).rejects.toBe(failure);
    expect(open).toBe(0);
  });

  it('asks nothing once it is aborted', async () => {
    const controller = new AbortController();
    let asked = 0;
    const ask: Ask = async (request) => {
      asked++;
      controller.abort(new Error('enough'));
      return answer('', request);
    };
    const aborted = propose({ ...task({ topology }), signal: controller.signal }, ask);
    if (topology === 'single') await aborted;
    else await expect(aborted).rejects.toThrow('enough');
    expect(asked).toBe(1);
  });

  it('bounds the context of every agent, and says what it has lost', async () => {
    const contextTokens = 5000;
    const requests: LlmRequest[] = [];
    const ask: Ask = async (request) => {
      requests.push(request);
      return answer('The machine is busy, so it waits. '.repeat(2000), request);
    };
    const { turns } = await propose(task({ topology, contextTokens, format: 'csv' }), ask);
    for (const [i, { promptTokens: told, contextLimit }] of turns.entries()) {
      expect(contextLimit).toBe(contextTokens);
      expect(promptTokens(requests[i])).toBeLessThanOrEqual(told);
      expect(told + requests[i].maxOutputTokens).toBeLessThanOrEqual(contextTokens);
      expect(requests[i].maxOutputTokens).toBeGreaterThan(500);
    }
    const lost = turns.reduce((sum, { dropped }) => sum + dropped.tokens, 0);
    if (topology === 'single') expect(lost).toBe(0);
    else expect(lost).toBeGreaterThan(10_000);
  });

  it('tells its first questions as it asks them', async () => {
    const asked: LlmRequest[] = [];
    const ask: Ask = async (request) => {
      asked.push(request);
      return answer('', request);
    };
    for (const contextTokens of [128_000, 4000]) {
      asked.length = 0;
      const questions = await firstQuestions(task({ topology, contextTokens, format: 'csv' }));
      await propose(task({ topology, contextTokens, format: 'csv' }), ask);
      expect(questions.length).toBeGreaterThan(0);
      expect(asked.slice(0, questions.length)).toEqual(questions.map(({ request }) => request));
    }
  });
});

describe('propose', () => {
  it('records turns in the order in which they were asked, whenever answers come', async () => {
    const model = heuristicModel('csv');
    const alas = task({ topology: 'alas', format: 'csv' });
    const expected = await propose(alas, model);
    for (const delays of [
      [3, 2, 1],
      [0, 7],
      [9, 1, 4, 0, 2],
    ]) {
      expect(await propose(alas, delayed(model, delays))).toEqual(expected);
    }
    expect(expected.turns.map(({ agent }) => agent)).toEqual([
      ...[1, 2, 3, 4, 5].map((number) => `job agent ${number}`),
      'machine coordinator',
      'supervisor',
    ]);
  });

  it('plans windows around each other, whatever the instance and the topology', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryInstance({ maxJobs: 8, maxLength: 8, releases: true, downtimes: true }),
        fc.constantFrom(...TOPOLOGIES),
        fc.constantFrom(...FORMATS),
        fc.integer({ min: 1500, max: 4000 }),
        async (instance, topology, format, contextTokens) => {
          fc.pre(instance.operations > 0);
          const limits = { contextTokens, maxOutputTokens: 200 };
          const windowed = { ...settings, topology, format, ...limits };
          const run = { instance, settings: windowed, replicate: 0 };
          const proposal = await propose(run, heuristicModel(format)).catch((error: InputError) => {
            expect(error.code).toBe('context_too_small');
          });
          if (!proposal) return;
          const { violations } = validate(instance, proposal.plan);
          expect(violations).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('says which prompts its questions are made of', async () => {
    const hashes = new Set<string>();
    for (const topology of TOPOLOGIES) {
      for (const format of FORMATS) {
        const ask: Ask = async (request): Promise<Answer> => answer('', request);
        const { promptHash, promptVersion } = await propose(task({ topology, format }), ask);
        expect(promptVersion).toMatch(/^alas-jssp\/prompts@\d+$/);
        expect(promptHash).toMatch(/^[0-9a-f]{64}$/);
        hashes.add(promptHash);
      }
    }
    expect(hashes.size).toBe(TOPOLOGIES.length * FORMATS.length);
  });
});
