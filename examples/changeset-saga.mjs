// An agent edits files. Its edits stay beside the project until they have been verified, and are
// taken back as a whole if that fails, if somebody else was faster, or if a later step fails.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  changesetOfRun,
  changesetRegistry,
  createMemoryStore,
  runWorkflow,
  workflowSchema,
} from 'alas-jssp/workflow';
import { printTable } from './table.mjs';

const change = workflowSchema.parse({
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
  policies: {
    edit: { compensation: { handler: 'changeset.discard', safeReinvoke: true } },
    apply: { compensation: { handler: 'changeset.revert', safeReinvoke: true } },
  },
});

const project = { 'limits.json': '{ "jobs": 10 }\n', 'notes.txt': 'first\nsecond\n' };

function contentsOf(root) {
  return Object.fromEntries(
    readdirSync(root)
      .sort()
      .map((name) => [name, readFileSync(join(root, name), 'utf8')]),
  );
}

/** Has an agent's edits carried out; `meanwhile` happens between their verification and use. */
async function attempt(title, edits, { meanwhile = () => {}, works = true } = {}) {
  const place = mkdtempSync(join(tmpdir(), 'changeset-'));
  const root = join(place, 'project');
  mkdirSync(root);
  for (const [name, text] of Object.entries(project)) writeFileSync(join(root, name), text);
  const stock = changesetRegistry({ root, directory: join(place, 'changesets') });
  const handlers = {
    ...stock.handlers,
    verify: {
      run(_, context) {
        const changeset = changesetOfRun({ root, directory: join(place, 'changesets') }, context);
        for (const name of changeset.list()) {
          if (name.endsWith('.json')) JSON.parse(changeset.read(name).toString());
        }
        assert.deepEqual(contentsOf(root), project);
        meanwhile(root);
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
  const registry = { handlers, compensators: stock.compensators };
  const { status, error } = await runWorkflow(
    change,
    { edits, works },
    {
      registry,
      store: createMemoryStore(),
    },
  );
  const left = contentsOf(root);
  rmSync(place, { recursive: true });
  const changed = Object.keys({ ...project, ...left }).filter(
    (name) => project[name] !== left[name],
  );
  return [title, status, error?.code ?? '-', changed.join(', ') || 'as it was'];
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
  await attempt('somebody else edits the file', edits, {
    meanwhile: (root) => writeFileSync(join(root, 'limits.json'), '{ "jobs": 11 }\n'),
  }),
  await attempt('publishing fails', edits, { works: false }),
];
printTable(['what goes wrong', 'status', 'error', 'changed in the project'], rows);
