import { createRandom } from '@alas-jssp/core/random';
import { afterAll, describe, expect, it } from 'vitest';
import {
  checkDraft,
  draftWithPlantedFault,
  type EquipDraft,
  makeAgents,
  mutations,
} from '../../src/index.js';
import { createSandbox } from '../../src/sandbox/sandbox.js';
import { goodDraft, readTask } from './read-task.js';

/** Faults of each class: coverage, disruptions, effects, inputs, reviews, contexts, permissions and orders. */
const FAULTS = [
  'the coverage of a constraint is missing',
  'the handler of a disruption is missing',
  'a neighbourhood is the whole workflow',
  'an undo is missing',
  'an undo does nothing',
  'a step that can be undone is declared irreversible',
  'an approval is missing',
  'an input is missing',
  'an input comes from a later node',
  'an order is the other way round',
  'a node has a role without its permissions',
  'a reviewer has the role of what it reviews',
  'an earlier result is not seen any more',
];

const sandbox = createSandbox();
afterAll(() => sandbox.close());

// Undos are tried by other tests; here their trials would only take time.
const equip: EquipDraft = async (task) => {
  const { agents, files, findings } = await makeAgents({ ...task, sandbox });
  return { agents, files, undo: [], findings };
};

describe.each(['refund', 'data-leak', 'contractor-access'])('a draft of %s', (name) => {
  const files = readTask(name);
  const task = { ...files, draft: goodDraft(files) };

  it.each(FAULTS)('is fixed where %s', async (fault) => {
    const mutation = mutations.find((one) => one.name === fault);
    if (mutation === undefined) throw new Error(`there is no mutation ${fault}`);
    const outcome = await draftWithPlantedFault(task, mutation, createRandom(name), {
      check: (draft) => checkDraft({ ...draft, undo: undefined }),
      equip,
    });
    // Not every draft has a review, or an agent that sees earlier results.
    if (outcome === null) return;
    expect(outcome.findings.map(({ hint }) => hint)).not.toContain('');
    expect(outcome).toMatchObject({ found: true, fixed: true });
  });
});

it('every fault has a place in one of the tasks', () => {
  const places = ['refund', 'data-leak', 'contractor-access'].map((name) => {
    const files = readTask(name);
    return { ...goodDraft(files), catalogue: files.catalogue };
  });
  const without = FAULTS.filter((fault) => {
    const mutation = mutations.find(({ name }) => name === fault);
    return places.every((draft) => mutation?.apply(draft, createRandom('place')) == null);
  });
  expect(without).toEqual([]);
});
