import { describe, expect, it } from 'vitest';
import { scoreDraft } from '../../src/index.js';
import { goodDraft, readTask, taskNames } from './read-task.js';

const flat = (text: string): string => text.replace(/\s+/g, ' ');

describe.each(taskNames)('the task %s', (name) => {
  const task = readTask(name);

  it('is told in words, and names its tools', () => {
    const words = flat(task.text.replace(/^---[\s\S]*?---/, ''))
      .trim()
      .split(' ');
    expect(words.length).toBeGreaterThan(140);
    expect(words.length).toBeLessThan(420);
    expect(task.text).toContain(`tools: ${name}.tools.json`);
    expect(task.cassette.origin).toBe('handwritten');
  });

  it('has a draft whose sources are sentences of the text', () => {
    const { specification } = goodDraft(task);
    const { objectives, entities, operations, constraints, disruptions } = specification;
    for (const { source } of [objectives, entities, operations, constraints, disruptions].flat()) {
      if (source !== null) expect(flat(task.text)).toContain(source);
    }
  });

  it('has an answer sheet that the draft meets, and that quotes the text', () => {
    const { specification, template } = goodDraft(task);
    for (const { quote } of task.sheet.constraints) expect(flat(task.text)).toContain(quote);
    const { score, ...kinds } = scoreDraft(specification, template, task.sheet);
    expect(Object.values(kinds).flatMap(({ missing }) => missing)).toEqual([]);
    expect(score).toBe(100);
  });

  it('has only calls of tools that the catalogue holds', () => {
    const known = task.catalogue.tools.map((tool) => tool.name);
    const { template } = goodDraft(task);
    for (const { details } of template.nodes)
      if (details.tool) expect(known).toContain(details.tool);
    for (const { sequence } of template.undo)
      for (const { tool } of sequence) expect(known).toContain(tool);
  });
});
