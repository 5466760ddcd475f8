import { expect, it } from 'vitest';
import { checkDraft } from '../src/index.js';
import { goodDraft, readTask } from './tasks/read-task.js';

const task = readTask('data-leak');

/** The findings on a draft whose reviewer is a model. */
const sharing = (agents: string, reviewer: string | null) =>
  checkDraft({
    ...goodDraft(task),
    catalogue: task.catalogue,
    models: { planner: 'anthropic:claude', agents, reviewer },
  }).filter(({ code }) => code === 'shared_model');

it('a reviewer is another model than the one that it reviews, whatever their settings', () => {
  expect(sharing('openai:gpt-4o', 'anthropic:claude-haiku-4-5')).toEqual([]);
  for (const reviewer of ['openai:gpt-4o', 'openai:gpt-4o#temperature=0.9,seed=4', null]) {
    expect(sharing('openai:gpt-4o#temperature=0', reviewer)).toMatchObject([
      { severity: 'error', part: 'nodes' },
    ]);
  }
});
