import { expect, test } from 'vitest';
import { type RunnableDraft, rehearse, type Template } from '../../src/index.js';
import { refundDraft } from '../fixtures/refund.js';
import { goodDraft, readTask } from '../tasks/read-task.js';

/** The refund, with a change of its template. */
function refund(change: (template: Template) => void = () => {}): RunnableDraft {
  const { template, specification, catalogue } = refundDraft();
  change(template);
  return { template, specification, catalogue, agents: [], files: {} };
}

/** The undo of a node. */
function undoOf({ undo }: Template, node: string) {
  const found = undo.find((one) => one.node === node);
  if (found === undefined) throw new Error(`${node} has no undo`);
  return found;
}

test('every effect of a good draft is accounted for, whatever fails, hangs or is killed', async () => {
  const report = await rehearse(refund(), { runs: 10, kills: 12 });
  expect(report.problems).toEqual([]);
  expect(report.passed).toBe(true);
  const ends = report.scenarios.flatMap((scenario) => Object.keys(scenario.ends));
  expect(new Set(ends)).toEqual(
    new Set(['COMPLETED', 'COMPENSATED', 'COMPENSATION_FAILED', 'FAILED', 'IN_DOUBT']),
  );
});

test('a rehearsal with the same seed gives the same report, and without faults it has none', async () => {
  const options = { runs: 5, faults: false, seed: 7 };
  const report = await rehearse(refund(), options);
  expect(report.scenarios.map(({ scenario }) => scenario)).toEqual(['no fault']);
  expect(await rehearse(refund(), options)).toEqual(report);
});

test('an undo that does nothing leaves an effect unaccounted for', async () => {
  const draft = refund((template) => {
    undoOf(template, 'refund').sequence = [];
  });
  const { passed, problems } = await rehearse(draft, { only: (name) => name === 'ledger: fails' });
  expect(passed).toBe(false);
  expect(problems[0]).toMatchObject({ code: 'unaccounted', scenario: 'ledger: fails' });
  expect(problems[0].message).toContain('refund refund-1');
  expect(problems[0].story.join('\n')).toContain('ledger, call 1: fails');
});

test('an irreversible call without an approval is found', async () => {
  const draft = refund((template) => {
    for (const { id, details } of template.nodes) if (id === 'mail') delete details.approval;
  });
  const { problems } = await rehearse(draft, { faults: false, runs: 1 });
  expect(problems.map(({ code }) => code)).toEqual(['unapproved']);
});

test('an order that the graph does not keep is found', async () => {
  const draft = refund((template) => {
    const [before] = template.edges.splice(
      template.edges.findIndex(({ to }) => to === 'ledger'),
      1,
    );
    template.edges.push({ ...before, from: 'refund' });
  });
  const { problems } = await rehearse(draft, { runs: 3, only: (name) => name === 'no fault' });
  expect(problems.map(({ code }) => code)).toContain('out of order');
});

test('a tool that acts at every call is not called again, and its effect is listed', async () => {
  const draft = refund((template) => {
    for (const { id, details } of template.nodes) {
      if (id === 'refund') details.tool = 'payments.refund-by-hand';
    }
  });
  const { problems, scenarios } = await rehearse(draft, {
    only: (name) => name.startsWith('refund: ') || name === 'killed',
  });
  expect(problems).toEqual([]);
  const lost = scenarios.find(({ scenario }) => scenario === 'refund: answer lost');
  expect(lost?.ends).toEqual({ COMPENSATION_FAILED: 2 });
});

test('a scenario whose runs do not come to what it disturbs says so', async () => {
  const task = readTask('refund');
  const draft = { ...goodDraft(task), catalogue: task.catalogue, agents: [], files: {} };
  const { scenarios } = await rehearse(draft, {
    only: (name) => / fails$/.test(name) || name.endsWith(': denied'),
  });
  const missed = scenarios.filter((one) => one.missed).map(({ scenario }) => scenario);
  expect(missed).toContain('reject: fails');
  expect(missed).toContain('pay-large: fails');
  expect(missed).toContain('large-refund: denied');
  expect(missed).not.toContain('pay-small: fails');
  expect(missed).not.toContain('confirmation: denied');
});

test('a repeat that is refused after the answer was lost does not hide the effect', async () => {
  const draft = refund();
  const tools = draft.catalogue.tools.map((tool) =>
    tool.name === 'payments.refund' ? { ...tool, refusals: ['Busy'] } : tool,
  );
  const name = 'refund: answer lost, repeat refused';
  const report = await rehearse(
    { ...draft, catalogue: { ...draft.catalogue, tools } },
    { only: (scenario) => scenario === name },
  );
  expect(report.problems).toEqual([]);
  // The first run loses the answer only, and its repeat succeeds; in the second one every repeat is refused.
  const ends = { COMPENSATED: 1, COMPENSATION_FAILED: 1 };
  expect(report.scenarios).toMatchObject([{ scenario: name, ends }]);
  const without = await rehearse(draft, { only: (scenario) => scenario === name });
  expect(without.scenarios).toEqual([]);
});
