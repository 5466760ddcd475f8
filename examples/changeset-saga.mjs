// An agent edits files. Its edits are kept apart from the project until they are verified, and are
// reverted as a whole if the verification fails, if the file changed meanwhile, or if a later step fails.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeAt, contentsOf, project } from './changeset-workflow.mjs';
import { printTable } from './table.mjs';

/** Has an agent's edits carried out; `meanwhile` happens between their verification and use. */
async function attempt(title, edits, { meanwhile = () => {}, works = true } = {}) {
  const place = mkdtempSync(join(tmpdir(), 'changeset-'));
  const root = join(place, 'project');
  mkdirSync(root);
  for (const [name, text] of Object.entries(project)) writeFileSync(join(root, name), text);
  const change = changeAt({ root, directory: join(place, 'changesets') }, meanwhile);
  const { status, error } = await change.run({ edits, works });
  const left = contentsOf(root);
  rmSync(place, { recursive: true });
  const changed = Object.keys({ ...project, ...left }).filter(
    (name) => project[name] !== left[name],
  );
  return [title, status, error?.code ?? '-', changed.join(', ') || 'unchanged'];
}

const edits = [
  { op: 'write', path: 'limits.json', text: '{ "jobs": 20 }\n' },
  { op: 'rename', path: 'notes.txt', to: 'NOTES.md' },
];
const rows = [
  await attempt('nothing', edits),
  await attempt('the new file is not JSON', [{ op: 'write', path: 'limits.json', text: '{' }]),
  await attempt('an edit leaves the project', [
    ...edits,
    { op: 'write', path: '../elsewhere.txt', text: '' },
  ]),
  await attempt('another writer edits a file', edits, {
    meanwhile: (root) => writeFileSync(join(root, 'limits.json'), '{ "jobs": 11 }\n'),
  }),
  await attempt('publishing fails', edits, { works: false }),
];
printTable(['failure', 'status', 'error', 'changed in the project'], rows);
