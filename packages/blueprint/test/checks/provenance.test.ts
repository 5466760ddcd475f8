import { checkDraft, type DraftModels } from '@alas-jssp/blueprint';
import { describe, expect, it } from 'vitest';
import { BadDraft, codesAfter } from './bad-draft.js';

/** The draft with a model that checks the letter. */
function reviewedByModel(
  models: DraftModels | undefined,
  change: (bad: BadDraft) => void = () => {},
) {
  const bad = new BadDraft();
  bad.node('checkLetter').work = 'model';
  change(bad);
  const found = checkDraft({ ...bad.draft, models });
  return found.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}

describe('provenance', () => {
  const models = { planner: 'p', agents: 'a', reviewer: 'r' };

  it('is separate if the reviewer has a model of its own', () => {
    expect(reviewedByModel(models)).toEqual([]);
  });

  it('is shared if reviewers have the model of the agents, or none of their own', () => {
    expect(reviewedByModel({ ...models, reviewer: 'a' })).toEqual(['shared_model']);
    expect(reviewedByModel({ ...models, reviewer: null })).toEqual(['shared_model']);
  });

  it('is not judged by models that are not known yet', () => {
    expect(reviewedByModel(undefined)).toEqual([]);
  });

  it('is shared if the reviewer has the prompt of the work', () => {
    const codes = reviewedByModel(models, (bad) => {
      bad.node('checkLetter').does = ' Drafts the  letter ';
      bad.role('auditor').purpose = bad.role('writer').purpose;
    });
    expect(codes).toEqual(['shared_prompt']);
  });

  it('is shared if the reviewer calls the tool that it reviews', () => {
    const codes = codesAfter((bad) => {
      bad.node('checkRefund').work = 'tool';
      bad.details('checkRefund').tool = 'payments.refund';
    });
    expect(codes).toContain('shared_tool');
  });
});
