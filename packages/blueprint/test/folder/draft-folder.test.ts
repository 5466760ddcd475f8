import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toCatalogue } from '@alas-jssp/agents';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import { assembleDraft, type Draft, readDraft, writeDraft } from '../../src/index.js';
import { REFUND_CATALOGUE, REFUND_PARTS, REFUND_TEXT } from '../drafting/refund-parts.js';

function refundDraft(): Draft {
  const assembled = assembleDraft(REFUND_PARTS, 'refund');
  if ('findings' in assembled) throw new Error('no draft');
  return {
    ...assembled,
    name: 'refund',
    text: REFUND_TEXT,
    passed: true,
    catalogue: toCatalogue({ ...REFUND_CATALOGUE, implementation: { module: 'refund.mjs' } }),
    models: { planner: 'cassette:x', agents: 'cassette:x', reviewer: null },
    parts: REFUND_PARTS,
    agents: [
      {
        schema: 'alas-jssp/agent@1',
        name: 'adder',
        specification: 'x',
        does: 'adds',
        access: 'compute',
        capabilities: [],
        input: {},
        output: {},
        implementation: { kind: 'code', file: 'adder.js' },
        made: { by: 'generation', model: 'x', prompt: 'x' },
        tests: [],
      },
    ],
    files: { 'adder.js': 'export default () => 1\n' },
    undo: [],
    findings: [],
    rounds: [{ round: 0, parts: [], findings: [], kept: true }],
    usage: {
      requests: 1,
      inputTokens: 2,
      outputTokens: 3,
      estimated: false,
      usd: null,
      seconds: 0.5,
    },
  };
}

let dir: string;
beforeEach(() => {
  dir = join(temporaryDirectory(), 'out', 'refund');
  mkdirSync(dir, { recursive: true });
  const toolsDirectory = join(dir, '..', '..');
  writeDraft(dir, refundDraft(), { tools: 'tools.json', toolsDirectory });
});

describe('the folder of a draft', () => {
  test('is read as it was written', () => {
    const draft = refundDraft();
    const saved = readDraft(dir);
    expect(saved).toMatchObject({
      name: 'refund',
      passed: true,
      models: draft.models,
      specification: draft.specification,
      template: draft.template,
      agents: draft.agents,
      files: draft.files,
      edited: [],
    });
    expect(saved.text).toBe(`${REFUND_TEXT}\n`);
    expect(saved.workflow?.nodes.map(({ id }) => id)).toContain('refund');
  });

  test('has paths of tools that are relative to it', () => {
    expect(readDraft(dir).catalogue.implementation).toEqual({ module: '../../refund.mjs' });
  });

  test('is written over an earlier draft, whose agents go', () => {
    writeDraft(
      dir,
      { ...refundDraft(), agents: [], files: {} },
      { tools: null, toolsDirectory: dir },
    );
    expect(readDraft(dir)).toMatchObject({ agents: [], files: {} });
  });

  test('has the parts of a draft that does not assemble', () => {
    const broken = { ...refundDraft(), specification: null, template: null, passed: false };
    writeDraft(dir, broken, { tools: null, toolsDirectory: dir });
    expect(readDraft(dir)).toMatchObject({ template: null, workflow: null, passed: false });
    expect(JSON.parse(readFileSync(join(dir, 'parts.json'), 'utf8'))).toEqual(REFUND_PARTS);
  });
});

describe('the folder of a draft is refused', () => {
  const edit = (name: string, change: (text: string) => string) =>
    writeFileSync(join(dir, name), change(readFileSync(join(dir, name), 'utf8')));

  test.each(['task.md', 'tools.json', 'specification.json', 'template.json', 'workflow.json'])(
    'if %s was edited',
    (name) => {
      edit(name, (text) => `${text} `);
      expect(() => readDraft(dir)).toThrow(`${name}: it was changed after the draft was checked`);
      expect(readDraft(dir, { edited: 'allow' }).edited).toEqual([name]);
    },
  );

  test('if the code of an agent was edited, or an agent was added', () => {
    writeFileSync(join(dir, 'agents', 'other.js'), 'export default () => 2');
    expect(() => readDraft(dir)).toThrow('other.js');
    rmSync(join(dir, 'agents', 'other.js'));
    edit('agents/adder.js', () => 'export default () => 3');
    expect(() => readDraft(dir)).toThrow('adder.js');
  });

  test('if it has no draft', () => {
    rmSync(join(dir, 'draft.json'));
    expect(() => readDraft(dir)).toThrow(/draft\.json: there is no draft/);
  });

  test.each(['draft.json', 'template.json', 'specification.json', 'tools.json'])(
    'if %s is damaged, with the place',
    (name) => {
      edit(name, () => '{"schema": "alas');
      expect(() => readDraft(dir, { edited: 'allow' })).toThrow(new RegExp(`${name}.*1`));
      edit(name, () => '{"schema": 7}');
      expect(() => readDraft(dir, { edited: 'allow' })).toThrow(new RegExp(`${name}:\\$`));
    },
  );
});
