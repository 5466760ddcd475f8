import type { Model, Toolset } from '@alas-jssp/agents';
import { createMemoryStore, type Json } from '@alas-jssp/workflow';
import { describe, expect, it } from 'vitest';
import { agentFileSchema, calibrateReviewers } from '../../src/index.js';
import { goodDraft, readTask } from '../tasks/read-task.js';
import { estimatedAnswer } from './estimated-answer.js';

const task = readTask('data-leak');
const output = {
  type: 'object',
  properties: {
    ok: { type: 'boolean' },
    reasons: { type: 'array', items: { type: 'string' } },
  },
  required: ['ok', 'reasons'],
};

const agent = agentFileSchema.parse({
  schema: 'alas-jssp/agent@1',
  name: 'check',
  specification: 'x',
  does: 'Checks the letter.',
  access: 'decide',
  capabilities: [],
  input: { type: 'object' },
  output,
  implementation: { kind: 'prompt', system: 'You review letters.', instruction: 'Is it right?' },
  made: { by: 'generation', model: 'm', prompt: 'p' },
  tests: [],
});

const draft = {
  ...goodDraft(task),
  catalogue: task.catalogue,
  agents: [agent],
  files: {},
  models: { planner: 'openai:gpt-4o', agents: 'openai:gpt-4o', reviewer: 'test:reviewer' },
};
const toolset: Toolset = {
  tools: [],
  call: async () => null,
  close: async () => {},
};
const input = { text: 'Dear customer, 12 persons are concerned.', persons: 12 };

/** A log of runs in which the reviewer gave these verdicts. */
function logOf(verdicts: readonly boolean[]) {
  const store = createMemoryStore();
  for (const [index, ok] of verdicts.entries()) {
    const entry = (eventType: 'StartRun' | 'Request' | 'EndNode', payload: Json) => ({
      runId: `r${index}`,
      ts: '2026-01-01T00:00:00Z',
      nodeId: eventType === 'StartRun' ? '' : 'check',
      eventType,
      payload,
      correlationId: 'c',
    });
    store.append([
      entry('StartRun', {}),
      entry('Request', { request: 1, input }),
      entry('EndNode', { output: { ok, reasons: [] } }),
    ]);
  }
  return store;
}

/** A reviewer that accepts inputs by a rule. */
const reviewer = (accepts: (prompt: string) => boolean, name = 'test:reviewer'): Model => ({
  name,
  ask: async ({ messages }) => {
    const ok = accepts(messages.map(({ content }) => content).join('\n'));
    return estimatedAnswer(JSON.stringify({ ok, reasons: ok ? [] : ['wrong'] }));
  },
});

describe('the calibration of a reviewer', () => {
  it('asks about inputs that it accepted, and about faults in what it reviews', async () => {
    const attentive = reviewer((prompt) => prompt.includes(input.text));
    const options = { log: logOf([true, false, true]), reviewer: attentive, toolset };
    const [{ node, reviews, calibration }] = await calibrateReviewers(draft, options);
    expect({ node, reviews }).toEqual({ node: 'check', reviews: 'draft' });
    expect(calibration.falseRejections).toMatchObject({ count: 0, of: 2 });
    // The text is another one, says 24, and is missing; the number of persons is not what it reviews.
    expect(calibration.falsePasses).toMatchObject({ count: 0, of: 3 });
    expect(calibration.accuracy.share).toBe(1);
  });

  it('finds a reviewer that accepts everything, and one that accepts nothing', async () => {
    const log = logOf([true]);
    const blind = await calibrateReviewers(draft, { log, toolset, reviewer: reviewer(() => true) });
    expect(blind[0].calibration.falsePasses.share).toBe(1);
    expect(blind[0].calibration.mistakes[0]).toMatchObject({ kind: 'false pass' });
    const strict = await calibrateReviewers(draft, {
      log,
      toolset,
      reviewer: reviewer(() => false),
    });
    expect(strict[0].calibration.falseRejections.share).toBe(1);
  });

  it('is refused for the model that planned, and without runs', async () => {
    const planner = reviewer(() => true, 'openai:gpt-4o#temperature=0');
    const own = calibrateReviewers(draft, { log: logOf([true]), toolset, reviewer: planner });
    await expect(own).rejects.toMatchObject({ code: 'same_model' });
    const idle = { log: logOf([false]), toolset, reviewer: reviewer(() => true) };
    await expect(calibrateReviewers(draft, idle)).rejects.toThrow(
      'check has accepted nothing in this log; run the draft with --log first',
    );
  });
});
