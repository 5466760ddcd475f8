import { describe, expect, it } from 'vitest';
import { FORMATS, TOPOLOGIES } from '../../../src/llm/planner-spec.js';
import { planFormats, planShape } from '../../../src/llm/prompts/formats.js';
import {
  fill,
  PROMPT_VERSION,
  promptHash,
  questionTexts,
  roles,
  tasksOf,
} from '../../../src/llm/prompts/templates.js';
import { PROMPT_ROOM } from '../../../src/llm/prompts/windows.js';
import { estimateTokens } from '../../../src/llm/token-estimate.js';

describe('the templates', () => {
  it('are the ones of their version: a change of a text needs a new one', () => {
    const hashes = [...TOPOLOGIES, 'repair' as const].map((use) => {
      const hash = (structured: boolean) =>
        promptHash(use, { format: 'entries', structured }).slice(0, 12);
      return `${use} ${hash(false)} ${hash(true)}`;
    });
    expect({ version: PROMPT_VERSION, hashes }).toMatchInlineSnapshot(`
      {
        "hashes": [
          "single f4a0afe1a8ec 3b8a8dd8f0b8",
          "group-chat db89762c384c b2f820f2721b",
          "crew ac1eabc53761 e2167ecf4e21",
          "graph d60d5891963e 635b396f30f7",
          "swarm f56131d02859 5b536068449e",
          "alas a7bb9a201fde e136be429a1a",
          "repair 37cd027dafe3 cccde37e1e9e",
        ],
        "version": "alas-jssp/prompts@1",
      }
    `);
  });

  it('leave the room for roles, tasks and shapes that windows reckon with', () => {
    const longest = (texts: readonly string[]) => Math.max(...texts.map(estimateTokens));
    const tasks = TOPOLOGIES.flatMap((name) => Object.values(tasksOf(name)));
    const answers = FORMATS.flatMap((format) => {
      const shape = planShape(format, { next: { type: 'string', enum: ['nobody'] } });
      const { plain, shaped } = planFormats[format];
      return [plain, `${shaped}${JSON.stringify(shape.schema)}`];
    });
    const sum = [Object.values(roles), tasks, answers, Object.values(questionTexts)].reduce(
      (sum, texts) => sum + longest(texts),
      0,
    );
    expect(sum + 40).toBeLessThan(PROMPT_ROOM);
  });
});

it('fill leaves alone what looks like a template in a value', () => {
  expect(fill('{{a}} and {{b}}', { a: '{{b}}', b: '$&' })).toBe('{{b}} and $&');
});
