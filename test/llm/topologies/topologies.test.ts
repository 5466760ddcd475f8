import { describe, expect, it } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import type { Ask } from '../../../src/llm/client.js';
import type { Topology } from '../../../src/llm/planner-spec.js';
import { propose } from '../../../src/llm/topologies/propose.js';
import { answer, questionOf } from '../scripted-models.js';

const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [
    [1, 4],
    [0, 1],
  ],
]);

/** A plan of the shop whose first start tells it from others. */
const plan = (start: number) => `1,1,0,${start},${start + 3}\nplan ${start}`;

/** What agents were asked in a row, and what they were shown, when they give these answers. */
async function talk(topology: Topology, answers: readonly string[]) {
  const prompts: string[] = [];
  const ask: Ask = async (request) => {
    prompts.push(questionOf(request));
    return answer(answers[prompts.length - 1] ?? 'nothing', request);
  };
  const { plan: final, turns } = await propose(
    {
      instance: shop,
      settings: {
        model: 'scripted',
        topology,
        format: 'csv',
        structured: false,
        contextTokens: 32_000,
        maxOutputTokens: 4000,
      },
      replicate: 0,
    },
    ask,
  );
  const shown = prompts.map((prompt) => prompt.match(/plan \d|remark \d/g)?.join(', ') ?? '');
  // The plan that the final one was.
  const text = final.entries.map(({ start }) => plan(start)).join('\n');
  return { text, turns: turns.map(({ agent, purpose }) => `${agent}: ${purpose}`), shown };
}

describe('group-chat', () => {
  it('ends when the supervisor accepts, with the plan that was accepted', async () => {
    expect(await talk('group-chat', [plan(1), 'remark 1', 'OK.'])).toEqual({
      text: plan(1),
      turns: ['job scheduler: propose', 'machine coordinator: remark', 'supervisor: decide'],
      shown: ['', 'plan 1', 'plan 1, remark 1'],
    });
  });

  it('ends with a plan of the supervisor if it accepts none; all read all', async () => {
    const said = [plan(1), 'remark 1', 'No: remark 2', plan(2), 'remark 3', 'remark 4', plan(3)];
    const { text, turns, shown } = await talk('group-chat', said);
    expect(text).toBe(plan(3));
    expect(turns.slice(5)).toEqual(['supervisor: decide', 'supervisor: close']);
    expect(shown[6]).toBe('plan 1, remark 1, remark 2, plan 2, remark 3, remark 4');
  });
});

describe('crew', () => {
  it('hands each the outcome of the task before, and nothing else', async () => {
    expect(await talk('crew', [plan(1), plan(2), plan(3)])).toEqual({
      text: plan(3),
      turns: [
        'job scheduler: schedule',
        'machine coordinator: coordinate',
        'supervisor: supervise',
      ],
      shown: ['', 'plan 1', 'plan 2'],
    });
  });
});

describe('graph', () => {
  it('ends with the first plan that the check has nothing against', async () => {
    const { text, turns, shown } = await talk('graph', [plan(1), 'remark 1', plan(2), 'okay']);
    expect(text).toBe(plan(2));
    expect(turns.map((turn) => turn.split(': ')[1])).toEqual([
      ...['schedule', 'check', 'schedule', 'check'],
    ]);
    expect(shown).toEqual(['', 'plan 1', 'plan 1, remark 1', 'plan 2']);
  });

  it('lets the supervisor finish after two revisions', async () => {
    const remark = 'OK, but job 3 overlaps';
    const said = [plan(1), remark, plan(2), 'remark 2', plan(3), 'remark 3', plan(4)];
    const { text, turns, shown } = await talk('graph', said);
    expect(text).toBe(plan(4));
    expect(turns.at(-1)).toBe('supervisor: close');
    expect(shown[6]).toBe('plan 3, remark 3');
  });

  it('does not end with OK if there is no plan', async () => {
    expect((await talk('graph', ['none', 'OK', plan(1), 'OK'])).text).toBe(plan(1));
  });
});

describe('swarm', () => {
  it('goes on with whom an agent names, until one names nobody', async () => {
    const { text, turns } = await talk('swarm', [
      `${plan(1)}\nnext: supervisor`,
      `${plan(2)}\n**Next:** job scheduler`,
      `${plan(3)}\nnext: nobody`,
    ]);
    expect(text).toContain('plan 3');
    expect(turns).toEqual(['job scheduler: act', 'supervisor: act', 'job scheduler: act']);
  });

  it('goes round if nobody is named, and ends after six turns', async () => {
    const { turns } = await talk('swarm', Array(9).fill(plan(1)));
    expect(turns.map((turn) => turn.split(':')[0])).toEqual([
      ...['job scheduler', 'machine coordinator', 'supervisor'],
      ...['job scheduler', 'machine coordinator', 'supervisor'],
    ]);
  });
});

describe('alas', () => {
  it('asks an agent for each job about that job alone, then those who put it together', async () => {
    const { text, turns, shown } = await talk('alas', [plan(1), plan(2), plan(3), plan(4)]);
    expect(text).toBe(plan(4));
    expect(turns).toEqual([
      ...['job agent 1: propose', 'job agent 2: propose'],
      ...['machine coordinator: coordinate', 'supervisor: supervise'],
    ]);
    expect(shown).toEqual(['', '', 'plan 1, plan 2', 'plan 3']);
  });
});
