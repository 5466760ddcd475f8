import { describe, expect, it } from 'vitest';
import { generateTaillard } from '../../../src/jssp/generator.js';
import { type Plan, planFromSchedule } from '../../../src/jssp/plan.js';
import type { Ask, LlmRequest } from '../../../src/llm/client.js';
import type { PromptSettings } from '../../../src/llm/prompts/prompt.js';
import { propose, repairProposal } from '../../../src/llm/topologies/propose.js';
import { dispatch } from '../../../src/search/index.js';
import { validate } from '../../../src/validator/index.js';
import { answer, heuristicModel, questionOf } from '../scripted-models.js';

const shop = generateTaillard({ jobs: 6, machines: 4, timeSeed: 1, machineSeed: 2 });
const good = planFromSchedule(dispatch(shop, { rule: 'mwkr' }));

/** A plan with everything at the same time, and nothing of the last job. */
const bad: Plan = {
  entries: good.entries
    .filter(({ job }) => job < 5)
    .map((entry) => ({ ...entry, start: 0, end: entry.end - entry.start })),
};

const settings: PromptSettings = {
  model: 'scripted',
  topology: 'crew',
  format: 'entries',
  structured: true,
  contextTokens: 32_000,
  maxOutputTokens: 8000,
};

const repair = (plan: Plan, ask: Ask, changes: Partial<PromptSettings> = {}) =>
  repairProposal(
    {
      instance: shop,
      settings: { ...settings, ...changes },
      replicate: 1,
      plan,
      findings: validate(shop, plan),
    },
    ask,
  );

/** Remembers what it is asked, and answers as another does. */
function listening(ask: Ask): { ask: Ask; prompts: string[]; requests: LlmRequest[] } {
  const prompts: string[] = [];
  const requests: LlmRequest[] = [];
  return {
    prompts,
    requests,
    ask: (request, context) => {
      prompts.push(questionOf(request));
      requests.push(request);
      return ask(request, context);
    },
  };
}

describe('repairProposal', () => {
  it('shows the plan and what is wrong with it, most telling first, and decodes the answer', async () => {
    for (const format of ['entries', 'csv', 'sequences'] as const) {
      const { ask, prompts } = listening(heuristicModel(format));
      const { plan, turns } = await repair(bad, ask, { format });
      expect(validate(shop, plan).valid).toBe(true);
      expect(turns).toMatchObject([{ agent: 'supervisor', purpose: 'repair' }]);
      const { total, groups } = validate(shop, bad);
      expect(prompts[0]).toContain(`There are ${total} violations (`);
      expect(prompts[0]).toContain('4 missing operation');
      const most = groups.reduce((a, b) => (b.cascades.length > a.cascades.length ? b : a));
      const [first] = /^- .*$/m.exec(prompts[0]) ?? [];
      expect(first).toBe(`- ${most.explanation}`);
    }
  });

  it('says so if there was no plan', async () => {
    const { ask, prompts } = listening(heuristicModel('entries'));
    await repair({ entries: [] }, ask);
    expect(prompts[0]).toContain('held no plan that could be read');
  });

  it('asks other questions than plans do, under a hash of its own', async () => {
    const task = { instance: shop, settings, replicate: 1 };
    const plan = await propose(task, heuristicModel('entries'));
    expect((await repair(bad, heuristicModel('entries'))).promptHash).not.toBe(plan.promptHash);
  });

  it('bounds the plan and the findings by the context', async () => {
    const large = generateTaillard({ jobs: 20, machines: 15, timeSeed: 1, machineSeed: 2 });
    const entries = planFromSchedule(dispatch(large, { rule: 'mwkr' })).entries.flatMap((entry) =>
      [99, 98].map((machine) => ({ ...entry, machine, end: entry.end + machine })),
    );
    const { ask, requests, prompts } = listening(heuristicModel('csv'));
    const contextTokens = 20_000;
    const { turns } = await repairProposal(
      {
        instance: large,
        settings: { ...settings, contextTokens, format: 'csv' },
        replicate: 0,
        plan: { entries },
        findings: validate(large, { entries }),
      },
      ask,
    );
    for (const [i, { promptTokens }] of turns.entries()) {
      expect(promptTokens + requests[i].maxOutputTokens).toBeLessThanOrEqual(contextTokens);
      expect(requests[i].maxOutputTokens).toBeGreaterThan(2000);
    }
    expect(prompts[0]).toContain('(and so on: the rest is left out)');
    expect(prompts[0]).toMatch(/^- and \d+ more$/m);
  });

  it('repairs window by window, and leaves as they were the jobs that nothing is said about', async () => {
    const small = { contextTokens: 2200, maxOutputTokens: 800 };
    const mended = await repair(bad, heuristicModel('entries'), small);
    expect(mended.windows.length).toBeGreaterThan(1);
    expect(validate(shop, mended.plan).valid).toBe(true);

    const silent: Ask = async (request) => answer('', request);
    const { plan } = await repair(good, silent, small);
    expect(validate(shop, plan).valid).toBe(true);
  });
});
