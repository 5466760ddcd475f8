import { sha256 } from '@alas-jssp/core/sha256';
import { describe, expect, it } from 'vitest';
import { createPrompt, type PromptSettings } from '../../../src/llm/prompts/prompt.js';
import { parsePromptFile } from '../../../src/llm/prompts/prompt-file.js';
import { promptOf } from '../../../src/llm/topologies/propose.js';

const settings: PromptSettings = {
  model: 'm',
  topology: 'single',
  format: 'sequences',
  structured: false,
  contextTokens: 1000,
  maxOutputTokens: 400,
};
const parts = { role: 'You plan.', shop: 'THE SHOP', task: 'Plan it.', answer: 'As CSV.' };
const asked = { ...parts, earlier: [], agent: 'planner', purpose: 'plan', answerTokens: 100 };

const TEXT = `# A template with few words.
=== system
Be brief, {{agent}}.

=== user
{{shop}}

{{earlier}}

{{task}} {{answer}}
=== user repair
Mend this: {{task}}
{{shop}}
`;

const read = (text: string) => parsePromptFile(Buffer.from(text), 'mine.txt');
const written = (text: string, changes: object = {}) => {
  const { request } = createPrompt({ ...asked, ...changes }, { ...settings, template: read(text) });
  return request.messages.map(({ content }) => content);
};

describe('a template of prompts', () => {
  it('has the parts of a question in its places, by the purpose of the question', () => {
    expect(written(TEXT)).toEqual(['Be brief, planner.', 'THE SHOP\n\nPlan it. As CSV.']);
    const [, repair] = written(TEXT, { purpose: 'repair', task: 'TASK {{shop}}' });
    expect(repair).toBe('Mend this: TASK {{shop}}\nTHE SHOP');
    const said = { earlier: [{ agent: 'supervisor', text: 'Do better.' }] };
    expect(written(TEXT, said)[1]).toContain('--- supervisor:\nDo better.\n\nPlan it.');
    expect(written('=== user\n{{shop}}')).toEqual(['You plan.', 'THE SHOP']);
  });

  it('leaves questions alone that do not say what for they are asked', () => {
    expect(written(TEXT, { purpose: undefined })[0]).toBe('You plan.');
  });

  it('is told by its checksum, which makes other prompts of the same texts', () => {
    const template = read(TEXT);
    expect(template.sha256).toBe(sha256(Buffer.from(TEXT)));
    const { promptVersion, promptHash } = promptOf('single', { ...settings, template });
    expect(promptVersion).toBe(`template:${template.sha256}`);
    expect(promptHash).not.toBe(promptOf('single', settings).promptHash);
  });

  it('is refused with the line if it cannot be what was meant', () => {
    const refused: [string, RegExp][] = [
      ['Hello', /mine\.txt:1: .*in no section/],
      ['=== system\n{{role}}', /mine\.txt: there is no section for questions/],
      ['=== user\n{{shop}}\n{{jobs}}', /mine\.txt:3: there is no \{\{jobs\}\}/],
      ['=== user\nPlan.', /says nothing of the shop/],
      ['=== user\n{{shop}}\n=== user repare\n', /mine\.txt:3: .*'repare'.*repair/],
      ['=== user\n{{shop}}\n=== user repair\nMend it.', /'=== user repair' says nothing/],
      ['=== user\n{{shop}}\n=== user\n', /mine\.txt:3: .*twice/],
    ];
    for (const [text, message] of refused) expect(() => read(text)).toThrow(message);
  });
});
