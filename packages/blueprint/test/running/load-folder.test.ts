import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import { loadRegistry } from '../../../temporal/src/load-registry.js';
import { type Draft, openDraftFolder, writeDraft } from '../../src/index.js';
import { refundDraft } from '../fixtures/refund.js';
import { refundWithAgents } from './refund-agents.js';

/** Writes the refund without its prompt, so that no model is needed. */
function writeRefund(passed = true): string {
  const { text, parts } = refundDraft();
  const draft = refundWithAgents();
  const directory = join(temporaryDirectory(), 'refund');
  const agents = draft.agents.map((one) =>
    one.name === 'letter'
      ? { ...one, implementation: { kind: 'code', file: 'decline.js' } as const }
      : one,
  );
  const catalogue = { ...draft.catalogue, implementation: { module: 'tools.mjs' } };
  const usage = {
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    estimated: false,
    usd: 0,
    seconds: 0,
  };
  const whole = { ...draft, passed, agents, catalogue, text, parts, undo: [], rounds: [], usage };
  const tools = fileURLToPath(new URL('.', import.meta.url));
  writeDraft(directory, whole as Draft, { tools: null, toolsDirectory: tools });
  return directory;
}

test('the worker of Temporal takes handlers from the folder of a draft', async () => {
  const registry = await loadRegistry(writeRefund());
  expect(Object.keys(registry.handlers)).toContain('refund');
  expect(Object.keys(registry.compensators ?? {})).toContain('undo/refund');
});

test('tools of trials need no implementation', async () => {
  const opened = await openDraftFolder(writeRefund(), { tools: 'trial' });
  expect(opened.exampleInput).toMatchObject({ order: 'A-100' });
  expect(opened.workflow.name).toBe('refund');
  await opened.close();
});

test('the folder of a draft that did not pass is refused', async () => {
  const directory = writeRefund(false);
  await expect(openDraftFolder(directory)).rejects.toMatchObject({ code: 'not_passed' });
});
