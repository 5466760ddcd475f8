// The workflow of changeset-saga.mjs, and its handlers and compensators.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesetOfRun, changesetRegistry } from '@alas-jssp/changeset';
import { workflowSchema } from '@alas-jssp/workflow';

const timed = { timeout: { seconds: 60 } };
const undoneBy = (handler) => ({
  idempotencyKey: {},
  compensation: { handler, safeReinvoke: true },
});

/** The workflow. */
export const change = workflowSchema.parse({
  schema: 'alas-jssp/workflow@1',
  name: 'change',
  nodes: [
    {
      id: 'edit',
      type: 'task',
      handler: 'changeset.write',
      effect: 'compensable',
      policyRef: 'edit',
      input: { edits: 'input.edits' },
    },
    { id: 'verify', type: 'task' },
    {
      id: 'apply',
      type: 'task',
      handler: 'changeset.apply',
      effect: 'compensable',
      policyRef: 'apply',
      input: { changeset: 'outputs.edit.changeset' },
    },
    { id: 'publish', type: 'task', input: { works: 'input.works' } },
  ],
  edges: [
    { from: 'edit', to: 'verify' },
    { from: 'verify', to: 'apply' },
    { from: 'apply', to: 'publish' },
  ],
  defaultPolicy: 'timed',
  policies: {
    timed,
    edit: { ...timed, ...undoneBy('changeset.discard') },
    apply: { ...timed, ...undoneBy('changeset.revert') },
  },
});

/** What stands in the project before. */
export const project = { 'limits.json': '{ "jobs": 10 }\n', 'notes.txt': 'first\nsecond\n' };

/** What stands in a directory, by name. */
export function contentsOf(root) {
  return Object.fromEntries(
    readdirSync(root)
      .sort()
      .map((name) => [name, readFileSync(join(root, name), 'utf8')]),
  );
}

/**
 * The handlers and compensators.
 *
 * @param {{ root: string, directory: string }} place
 * @param {(root: string) => void} meanwhile happens between the verification of edits and their use
 */
export function registryOf(place, meanwhile = () => {}) {
  const stock = changesetRegistry(place);
  const handlers = {
    ...stock.handlers,
    verify: {
      run(_, context) {
        const changeset = changesetOfRun(place, context);
        for (const name of changeset.list()) {
          if (name.endsWith('.json')) JSON.parse(new TextDecoder().decode(changeset.read(name)));
        }
        assert.deepEqual(contentsOf(place.root), project);
        meanwhile(place.root);
        return {};
      },
    },
    publish: {
      run({ works }) {
        if (!works) throw Object.assign(new Error('nobody answers'), { code: 'Unreachable' });
        return {};
      },
    },
  };
  return { handlers, compensators: stock.compensators };
}
