import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type AgentFile,
  agentFileSchema,
  createSandbox,
  type MadeAgents,
  makeAgents,
  openAgentLibrary,
} from '../../src/index.js';
import { refundDraft } from '../fixtures/refund.js';
import { answering, REFUND_CODE } from './asking.js';

const sandbox = createSandbox();
afterAll(() => sandbox.close());

type Answers = Parameters<typeof answering>[0];

async function make(answers: Answers, library?: ReturnType<typeof openAgentLibrary>) {
  const { specification, template, catalogue } = refundDraft();
  const { ask, asked } = answering(answers);
  const models = { planner: 'cassette:refund' };
  const made = await makeAgents({
    specification,
    template,
    catalogue,
    models,
    ask,
    sandbox,
    library,
  });
  return { made, asked };
}

function agentOf({ agents }: MadeAgents, name: string): AgentFile {
  const found = agents.find((agent) => agent.name === name);
  if (found === undefined) throw new Error(`no agent ${name}`);
  return found;
}

describe('the factory', () => {
  it('finds the tools of nodes, and makes prompts and code for the others', async () => {
    const { made, asked } = await make(REFUND_CODE);
    expect(made.findings).toEqual([]);
    expect(
      made.agents.map(({ name, implementation }) => `${name}: ${implementation.kind}`),
    ).toEqual([
      'order: tool',
      'ticket: tool',
      'refund: tool',
      'checkRefund: code',
      'ledger: tool',
      'letter: prompt',
      'checkLetter: code',
      'mail: tool',
      'decline: code',
    ]);
    for (const agent of made.agents) expect(agentFileSchema.parse(agent)).toEqual(agent);
    expect(asked).toEqual(['code/checkRefund', 'code/checkLetter', 'code/decline']);
    expect(Object.keys(made.files)).toEqual(['checkRefund.js', 'checkLetter.js', 'decline.js']);
    expect(made.files['checkLetter.js']).toMatch(/^export default /);
    const { made: origin } = agentOf(made, 'refund');
    expect(origin).toMatchObject({ by: 'discovery', registry: 'tools', match: 'exact' });
  });

  it('names the terms of a score with their weights, which sum to it', async () => {
    const { made } = await make(REFUND_CODE);
    const { made: origin } = agentOf(made, 'order');
    if (origin.by !== 'discovery') throw new Error('it was found');
    expect(origin.terms.map(({ name }) => name)).toEqual([
      'capability',
      'input',
      'output',
      'access',
      'provenance',
      'efficiency',
    ]);
    const sum = origin.terms.reduce((all, { weight, value }) => all + weight * value, 0);
    expect(origin.score).toBeCloseTo(sum, 3);
    expect(origin.terms.reduce((all, { weight }) => all + weight, 0)).toBeCloseTo(1, 9);
  });

  it('reuses agents of equal specifications from a library, and asks for nothing', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'agents-'));
    const first = await make(REFUND_CODE, openAgentLibrary(directory));
    expect(first.asked).toHaveLength(3);
    const second = await make({}, openAgentLibrary(directory));
    expect(second.asked).toEqual([]);
    expect(second.made.agents).toEqual(first.made.agents);
    expect(second.made.files).toEqual(first.made.files);
    expect(second.made.origins.filter(({ outcome }) => outcome === 'reused')).toHaveLength(4);
  });

  it('refuses code of a library that no longer passes its gates', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'agents-'));
    await make(REFUND_CODE, openAgentLibrary(directory));
    const file = readdirSync(directory).find((name) => /^checkRefund.*\.js$/.test(name)) as string;
    const path = join(directory, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace('asked === refunded', 'true'));
    const { asked } = await make(REFUND_CODE, openAgentLibrary(directory));
    expect(asked).toEqual(['code/checkRefund']);
  });
});

describe('code that does not pass is a finding with its counterexample', () => {
  const answer = (
    code: string,
    cases: unknown[] = [{ input: { order: 'A' }, output: { answer: 'A' } }],
  ) => ({
    ...REFUND_CODE,
    'code/decline': [{ code, cases }],
  });

  it.each([
    [
      'code that throws',
      'export default () => { throw new Error("no"); }',
      'code_fails',
      /Error: no/,
    ],
    ['code that never ends', 'export default () => { for (;;); }', 'code_fails', /exceeds a limit/],
    [
      'code with another output',
      'export default () => ({ answer: "B" })',
      'code_wrong',
      /its case says/,
    ],
    ['code with another form', 'export default () => ({ text: "A" })', 'code_fails', /answer/],
    [
      'code that fails for some inputs',
      'export default ({ order }) => ({ answer: order === "" ? 5 : order })',
      'code_fails',
      /\{"order":""\}/,
    ],
    ['code that is no module', 'const a = 1;', 'code_fails', /default export/],
  ])('%s', async (_, code, finding, message) => {
    const { made } = await make(answer(code));
    expect(made.findings).toHaveLength(1);
    expect(made.findings[0]).toMatchObject({ part: 'code/decline', path: '$.code', code: finding });
    expect(made.findings[0].message).toMatch(message);
    expect(made.findings[0].hint).not.toBe('');
    expect(made.agents.map(({ name }) => name)).not.toContain('decline');
  });

  it('a case of another form', async () => {
    const cases = [{ input: { order: 5 }, output: { answer: 'A' } }];
    const { made } = await make(answer('export default () => ({ answer: "A" })', cases));
    expect(made.findings[0]).toMatchObject({ code: 'case_wrong', path: '$.cases' });
  });

  it('a review that is never shown to refuse', async () => {
    const { made } = await make({
      ...REFUND_CODE,
      'code/checkRefund': [
        {
          code: 'export default () => ({ ok: true })',
          cases: [{ input: { asked: 1, refunded: 1 }, output: { ok: true } }],
        },
      ],
    });
    expect(made.findings).toEqual([
      expect.objectContaining({ code: 'review_untested', part: 'code/checkRefund' }),
    ]);
  });
});
