import { createTrialSystem, type Toolset } from '@alas-jssp/agents';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { createMemoryStore, type Json, replayRun, runWorkflow } from '@alas-jssp/workflow';
import { expect, test } from 'vitest';
import { type OpenableDraft, openDraft, type Template } from '../../src/index.js';
import { agent, disturbed, letterWriter, refundWithAgents } from './refund-agents.js';

/** Runs a draft against a trial system, with the mail approved. */
async function run(
  draft: OpenableDraft,
  { toolset = systemOf(draft), input, text }: Settings = {},
) {
  const opened = await openDraft(draft, { tools: toolset, models: { agents: letterWriter(text) } });
  const { workflow, registry, exampleInput, close } = opened;
  const store = createMemoryStore();
  try {
    const result = await runWorkflow(workflow, input ?? exampleInput, {
      registry,
      store,
      clock: virtualClock(),
      runId: 'run',
      approvals: { 'send the mail': 'support-lead' },
    });
    const entries = [...store.read({ runId: 'run' })];
    return { result, entries, replay: await replayRun(store, 'run', { registry }) };
  } finally {
    await close();
  }
}

interface Settings {
  readonly toolset?: Toolset;
  readonly input?: Json;
  /** The letter that the model writes. */
  readonly text?: string;
}

function systemOf({ catalogue }: OpenableDraft) {
  return createTrialSystem(catalogue, { seed: 0 });
}

function details(template: Template, id: string) {
  const node = template.nodes.find((one) => one.id === id);
  if (node === undefined) throw new Error(`there is no ${id}`);
  return node.details;
}

test('a draft runs with its tools, its code and its model, and a replay agrees', async () => {
  const draft = refundWithAgents();
  const system = systemOf(draft);
  const { result, entries, replay } = await run(draft, { toolset: system });
  expect(result.status).toBe('COMPLETED');
  expect(result.committed.map(({ nodeId, externalRef }) => [nodeId, externalRef])).toEqual([
    ['ticket', 'ticket-1'],
    ['refund', 'refund-1'],
    ['ledger', 'entry-1'],
    ['mail', 'mail-1'],
  ]);
  expect(JSON.parse(system.snapshot()).mail['mail-1'].text).toBe('You get 80 euros.');
  const asked = entries.find(({ eventType }) => eventType === 'Request');
  expect(asked?.nodeId).toBe('letter');
  expect(replay).toMatchObject({ parity: true });
});

test('a condition on an input holds before the tool is called', async () => {
  const draft = refundWithAgents();
  const system = systemOf(draft);
  const toolset = disturbed(system);
  const input = { order: 'A-100', customer: 'ann@example.org', amount: 501 };
  const before = system.snapshot();
  const { result } = await run(draft, { toolset, input });
  expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Rejected' } });
  expect(result.error?.message).toContain('C2: A refund is at most 500 euros.');
  expect(toolset.calls).not.toContain('payments.refund');
  expect(system.snapshot()).toBe(before);
});

test('a condition on an output may relate it to the input', async () => {
  const draft = refundWithAgents((template) => {
    template.constraintCoverage.push({
      constraint: 'C4',
      enforced: [{ by: 'output', node: 'refund', holds: '$output.amount < $input.amount' }],
    });
  });
  const system = systemOf(draft);
  const before = system.snapshot();
  const { result } = await run(draft, { toolset: system });
  expect(result).toMatchObject({ status: 'COMPENSATED', error: { nodeId: 'refund' } });
  expect(system.snapshot()).toBe(before);
});

test('a reviewer that does not say ok fails the run, and all is undone', async () => {
  const draft = refundWithAgents();
  const system = systemOf(draft);
  const before = system.snapshot();
  const { result } = await run(draft, { toolset: system, text: 'You get nothing.' });
  expect(result).toMatchObject({ status: 'COMPENSATED', error: { nodeId: 'checkLetter' } });
  expect(result.error?.message).toContain('checkLetter refuses letter');
  expect(system.snapshot()).toBe(before);
});

test('a reviewer with a prompt is refused without a model of its own', async () => {
  const draft = refundWithAgents();
  const prompt = { kind: 'prompt', system: 'You review.', instruction: 'Review it.' } as const;
  const agents = draft.agents.map((one) =>
    one.name === 'checkLetter' ? agent('checkLetter', prompt, { type: 'object' }) : one,
  );
  const reviewed = { ...draft, agents };
  const tools = systemOf(draft);
  const [writer, reviewer] = [letterWriter(), letterWriter()];
  await expect(openDraft(reviewed, { tools, models: { agents: writer } })).rejects.toMatchObject({
    code: 'no_reviewer',
    message: expect.stringContaining('checkLetter reviews with a model'),
  });
  await (await openDraft(reviewed, { tools, models: { agents: writer, reviewer } })).close();
});

test('a role without the capability cannot call the tool', async () => {
  const draft = refundWithAgents((template) => {
    for (const role of template.roles) if (role.id === 'cashier') role.capabilities = [];
  });
  const { result } = await run(draft);
  expect(result).toMatchObject({ error: { code: 'NotPermitted', nodeId: 'refund' } });
  // It was never called: nothing is left, and the ticket is undone.
  expect(result.status).toBe('COMPENSATED');
});

test('the output of a call whose answer is lost is learned from the tool, and undone', async () => {
  const draft = refundWithAgents();
  const system = systemOf(draft);
  const before = system.snapshot();
  const toolset = disturbed(system, { 'ledger.post': { code: 'Lost', acts: true } });
  const { result } = await run(draft, { toolset });
  expect(result.status).toBe('COMPENSATED');
  expect(toolset.calls.slice(-5)).toEqual([
    'ledger.post',
    'ledger.post',
    'ledger.void',
    'payments.reverse',
    'desk.withdraw-ticket',
  ]);
  expect(system.snapshot()).toBe(before);
});

test.each([true, false])(
  'the effect of a tool that acts at every call is listed if its answer is lost (it acted: %s)',
  async (acts) => {
    const draft = refundWithAgents((template) => {
      details(template, 'refund').tool = 'payments.refund-by-hand';
    });
    const faults = { 'payments.refund-by-hand': { code: 'Lost', acts } };
    const toolset = disturbed(systemOf(draft), faults);
    const { result } = await run(draft, { toolset });
    expect(result.status).toBe('COMPENSATION_FAILED');
    expect(result.remaining).toMatchObject([
      { nodeId: 'refund', reason: 'failed' },
      { nodeId: 'ticket', reason: 'blocked' },
    ]);
    expect(result.remaining[0].detail).toContain('acts at every call');
    const calls = toolset.calls.filter((name) => name === 'payments.refund-by-hand');
    expect(calls.length).toBe(1);
  },
);

test('a refusal that the tool declares leaves nothing to undo', async () => {
  const draft = refundWithAgents();
  const tool = draft.catalogue.tools.find(({ name }) => name === 'ledger.post');
  tool?.refusals.push('PeriodClosed');
  const toolset = disturbed(systemOf(draft), {
    'ledger.post': { code: 'PeriodClosed', acts: false },
  });
  const { result } = await run(draft, { toolset });
  expect(result.status).toBe('COMPENSATED');
  expect(toolset.calls).not.toContain('ledger.void');
});

test('an irreversible call without an answer is in doubt', async () => {
  const draft = refundWithAgents();
  const toolset = disturbed(systemOf(draft), { 'mail.send': { code: 'Lost', acts: true } });
  const { result } = await run(draft, { toolset });
  expect(result.status).toBe('IN_DOUBT');
  expect(result.inDoubt.map(({ nodeId }) => nodeId)).toEqual(['mail']);
});

test('a late-bound agent is logged when the run starts, and replaced when it fails', async () => {
  const draft = refundWithAgents((template) => {
    for (const role of template.roles) if (role.id === 'writer') role.late = true;
  });
  const good = draft.agents.find(({ name }) => name === 'letter');
  const agents = [
    ...draft.agents.filter(({ name }) => name !== 'letter'),
    agent('letter', { kind: 'code', file: 'broken.js' }),
    { ...good, name: 'letter.2' } as never,
  ];
  const files = { ...draft.files, 'broken.js': 'export default () => { throw new Error("no"); };' };
  const { result, entries } = await run({ ...draft, agents, files });
  expect(result.status).toBe('COMPLETED');
  const bound = entries.filter(({ eventType }) => eventType === 'Bind');
  expect(bound.map(({ payload }) => payload)).toMatchObject([
    { role: 'writer', agent: 'letter' },
    { role: 'writer', agent: 'letter.2', replaced: 'letter' },
  ]);
});

test('a draft that did not pass is refused with its first finding, unless that is asked for', async () => {
  const draft = refundWithAgents();
  const finding = {
    code: 'undo_missing',
    severity: 'error',
    part: 'undo/refund',
    path: '$',
    message: 'refund has no undo',
    hint: 'give one',
  } as const;
  const failed = { ...draft, passed: false, findings: [finding] };
  const options = { tools: systemOf(draft), models: { agents: letterWriter() } };
  await expect(openDraft(failed, options)).rejects.toMatchObject({
    code: 'not_passed',
    hint: 'give one',
  });
  const opened = await openDraft(failed, { ...options, unchecked: true });
  await opened.close();
});
