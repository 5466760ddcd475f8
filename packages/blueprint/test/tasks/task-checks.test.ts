import { describe, expect, it } from 'vitest';
import { checkDraft, type Template } from '../../src/index.js';
import { goodDraft, readTask, taskNames } from './read-task.js';

const codesOf = (name: string, change: (template: Template) => void = () => {}) => {
  const task = readTask(name);
  const draft = structuredClone(goodDraft(task));
  change(draft.template);
  const findings = checkDraft({ ...draft, catalogue: task.catalogue });
  return findings.filter(({ severity }) => severity === 'error').map(({ code }) => code);
};

describe('the checks of drafts', () => {
  it.each(taskNames)('accept the good draft of %s', (name) => {
    expect(codesOf(name)).toEqual([]);
  });

  it('accept an approval of some cases only if a choice leads the others past it', () => {
    const codes = codesOf('refund', ({ constraintCoverage }) => {
      const entry = constraintCoverage.find(({ constraint }) => constraint === 'approval');
      if (entry) entry.enforced = entry.enforced.filter(({ by }) => by !== 'choice');
    });
    expect(codes).toEqual(['effect_before_approval']);
  });

  it('ask for the choice of an approval where it can be given: in the coverage', () => {
    const task = readTask('refund');
    const { template, specification } = structuredClone(goodDraft(task));
    const entry = template.constraintCoverage.find(({ constraint }) => constraint === 'approval');
    if (entry) entry.enforced = entry.enforced.filter(({ by }) => by !== 'choice');
    const [finding] = checkDraft({ template, specification, catalogue: task.catalogue });
    expect(finding).toMatchObject({
      part: 'constraint-coverage',
      hint: expect.stringContaining('{"by":"choice","choice":NODE,"node":"pay-small"}'),
    });
  });

  it('do not accept a rejection that is handled as a timeout', () => {
    const codes = codesOf('onboarding', ({ nodes }) => {
      const node = nodes.find(({ id }) => id === 'assign-laptop');
      if (node) node.details.catch = [{ errors: ['Timeout'], to: 'rent-laptop' }];
    });
    expect(codes).toEqual(['handler_of_other_codes']);
  });
});
