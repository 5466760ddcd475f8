import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planShape } from '../../../src/llm/prompts/formats.js';
import {
  type Contribution,
  createPrompt,
  type PromptSettings,
} from '../../../src/llm/prompts/prompt.js';
import { estimateTokens } from '../../../src/llm/token-estimate.js';
import { questionOf } from '../scripted-models.js';

const settings: PromptSettings = {
  model: 'some-model',
  topology: 'crew',
  format: 'entries',
  structured: false,
  contextTokens: 1000,
  maxOutputTokens: 400,
  temperature: 0.2,
  seed: 7,
};
const parts = { role: 'You plan.', shop: 'THE SHOP', task: 'THE TASK', answerTokens: 300 };
const said = (agent: string, text: string): Contribution => ({ agent, text });

describe('createQuestion', () => {
  it('puts role, shop, what was said and the task into two messages', () => {
    const earlier = [said('planner', 'PLAN A'), said('supervisor', ''), said('supervisor', 'NO')];
    const shape = planShape('entries');
    const { request, dropped } = createPrompt({ ...parts, earlier, shape }, settings);
    expect(request).toEqual({
      model: 'some-model',
      messages: [
        { role: 'system', content: 'You plan.' },
        { role: 'user', content: expect.any(String) },
      ],
      shape,
      temperature: 0.2,
      seed: 7,
      maxOutputTokens: 400,
    });
    expect(questionOf(request)).toBe(
      [
        'THE SHOP',
        'What has been worked out so far:',
        '--- planner:\nPLAN A',
        '--- supervisor:\nNO',
        'THE TASK',
      ].join('\n\n'),
    );
    expect(dropped).toEqual({ contributions: 0, tokens: 0 });
  });

  it('drops the oldest first, and cuts off what fits in part', () => {
    const long = 'word '.repeat(800);
    const earlier = [said('a', 'first'), said('b', long), said('c', long), said('d', 'last')];
    const { request, dropped } = createPrompt({ ...parts, earlier }, settings);
    const text = questionOf(request);
    expect(text).not.toMatch(/first|--- b/);
    expect(text).toMatch(/--- c:\nword/);
    expect(text).toContain('--- d:\nlast');
    expect(dropped.contributions).toBe(2);
    expect(dropped.tokens).toBeGreaterThan(400);
    const all = createPrompt({ ...parts, earlier }, { ...settings, contextTokens: 10_000 });
    expect(all.dropped.tokens).toBe(0);
    expect(questionOf(all.request)).toContain('first');
  });

  it('keeps room for the answer, whatever was said before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ agent: fc.string(), text: fc.string({ maxLength: 2000 }) })),
        fc.integer({ min: 400, max: 3000 }),
        fc.integer({ min: 1, max: 300 }),
        (earlier, contextTokens, answerTokens) => {
          const { request, promptTokens, dropped } = createPrompt(
            { ...parts, earlier, answerTokens },
            { ...settings, contextTokens },
          );
          expect(createdTokens(questionOf(request))).toBeLessThanOrEqual(promptTokens);
          expect(promptTokens + answerTokens).toBeLessThanOrEqual(contextTokens);
          expect(promptTokens + request.maxOutputTokens).toBeLessThanOrEqual(contextTokens);
          expect(dropped.contributions).toBeLessThanOrEqual(earlier.length);
          if (dropped.contributions > 0) expect(dropped.tokens).toBeGreaterThan(0);
        },
      ),
    );
  });
});

function createdTokens(text: string): number {
  return estimateTokens(parts.role) + estimateTokens(text);
}
