// The workflow of changeset-saga.mjs: edits, their verification, and their use, each with what reverts it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesetOfRun, changesetRegistry } from '@alas-jssp/changeset';
import { defineWorkflow, step } from '@alas-jssp/workflow';
import * as z from 'zod';

const Request = z.object({ edits: z.array(z.unknown()), works: z.boolean() });

/** The files of the project at first. */
export const project = { 'limits.json': '{ "jobs": 10 }\n', 'notes.txt': 'first\nsecond\n' };

/** The texts of the files in a directory, by name. */
export function contentsOf(root) {
  return Object.fromEntries(
    readdirSync(root)
      .sort()
      .map((name) => [name, readFileSync(join(root, name), 'utf8')]),
  );
}

/** Checks that the edited JSON files can be read, and that the project itself is as it was. */
function verifyEdits(place, context) {
  const changeset = changesetOfRun(place, context);
  for (const name of changeset.list()) {
    if (name.endsWith('.json')) JSON.parse(new TextDecoder().decode(changeset.read(name)));
  }
  assert.deepEqual(contentsOf(place.root), project);
  return {};
}

function publish({ works }) {
  if (!works) throw Object.assign(new Error('no answer'), { code: 'Unreachable' });
  return {};
}

/**
 * The workflow of a change to the files of a place.
 *
 * @param {{ root: string, directory: string }} place
 * @param {(root: string) => void} meanwhile is called between the verification of the edits and their use
 */
export function changeAt(place, meanwhile = () => {}) {
  const { handlers, compensators } = changesetRegistry(place);
  const edit = step('edit', {
    run: handlers['changeset.write'].run,
    undo: compensators['changeset.discard'].run,
  });
  const verify = step('verify', {
    run(_, context) {
      const verified = verifyEdits(place, context);
      meanwhile(place.root);
      return verified;
    },
  });
  const apply = step('apply', {
    run: handlers['changeset.apply'].run,
    undo: compensators['changeset.revert'].run,
  });
  const publishing = step('publish', { run: publish });
  return defineWorkflow('change', { input: Request }, (flow, { edits, works }) => {
    const edited = flow.step(edit, { edits });
    flow.step(verify, edited);
    flow.step(apply, { changeset: edited.changeset });
    return flow.step(publishing, { works });
  });
}
