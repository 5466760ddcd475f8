import { afterAll, expect, it } from 'vitest';
import { type AskPart, openFactory } from '../../src/index.js';
import { goodDraft, goodParts, readTask, taskNames, tasksDirectory } from '../tasks/read-task.js';

const factory = openFactory({ directory: tasksDirectory, seeds: [0] });
afterAll(() => factory.close());

it.each(taskNames)('the good draft of %s is equipped, and its undos are proven', async (name) => {
  const task = readTask(name);
  const parts = goodParts(task);
  const ask: AskPart = async ({ part }) => ({ ok: true, value: parts[part] as never });
  const { specification, template } = goodDraft(task);
  const { catalogue } = task;
  const models = { planner: 'cassette', agents: 'cassette', reviewer: null };
  const equipment = await factory.equip({ specification, template, catalogue, models, ask });
  expect(equipment.findings).toEqual([]);
  const working = template.nodes.filter(({ work }) => work !== 'choice');
  expect(equipment.agents.map((agent) => agent.name)).toEqual(working.map(({ id }) => id));
  const verdicts = equipment.undo.map(({ node, strategy, verdict }) => [node, strategy, verdict]);
  const wanted = template.undo.map(({ node, strategy }) => {
    const isTried = strategy === 'undo' || strategy === 'mitigate';
    return [node, strategy, isTried ? 'proven' : 'escalated'];
  });
  expect(verdicts).toEqual(wanted);
});
