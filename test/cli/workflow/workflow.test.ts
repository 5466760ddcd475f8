import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

const base = {
  schema: 'alas-jssp/workflow@1',
  name: 'shop',
  policies: { plain: {} },
  defaultPolicy: 'plain',
  nodes: [
    { id: 'plan', type: 'task' },
    { id: 'check', type: 'task' },
  ],
  edges: [{ from: 'plan', to: 'check', repairable: 'time' }],
};

function written(changes: object): string {
  const file = join(temporaryDirectory(), 'w.json');
  writeFileSync(file, JSON.stringify({ ...base, ...changes }));
  return file;
}

test('workflow check accepts sound workflows, refuses others and names unreadable files', async () => {
  const sound = await cli(['workflow', 'check', written({}), '--json']);
  expect(sound).toMatchObject({ code: 0, stderr: '1 workflow: 0 errors, 0 warnings\n' });
  const wrong = written({ defaultPolicy: undefined });
  const judged = await cli(['workflow', 'check', wrong, '--json']);
  expect(judged.code).toBe(1);
  expect(JSON.parse(judged.stdout)).toMatchObject({
    valid: false,
    findings: [{ file: wrong, code: 'no_policy', path: '$.nodes[0]' }, { path: '$.nodes[1]' }],
  });
  const broken = await cli(['workflow', 'check', written({ nodes: 3 })]);
  expect(broken.code).toBe(2);
  expect(broken.stderr).toContain('w.json:$.nodes: this is 3; give a list of nodes');
});

test('workflow check finds missing handlers in the given module', async () => {
  const file = written({});
  const module = file.replace('w.json', 'h.mjs');
  writeFileSync(module, 'export const handlers = { plan: { kind: "pure", run: () => 1 } };');
  const { code, stdout } = await cli(['workflow', 'check', file, '--handlers', module, '--json']);
  expect(code).toBe(1);
  const { findings } = JSON.parse(stdout);
  expect(findings.map((found: { code: string }) => found.code)).toEqual(['missing_handler']);
});

test('workflow show draws nodes and edges', async () => {
  const { code, stdout } = await cli(['workflow', 'show', written({})]);
  expect(code).toBe(0);
  expect(stdout).toBe('shop\n  plan (task)\n    → check (repairable: time)\n  check (task)\n');
});

test('workflow schema prints the JSON Schema', async () => {
  const { stdout } = await cli(['workflow', 'schema']);
  expect(JSON.parse(stdout)).toMatchObject({ title: 'Workflow of alas-jssp' });
});
