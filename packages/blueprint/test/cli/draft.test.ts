import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cli, temporaryDirectory } from '../../../../test/cli/cli.js';
import { readDraft } from '../../src/index.js';

const TASK = 'examples/tasks/refund.md';
const CASSETTE = 'examples/tasks/refund.cassette.json';

const draft = (...args: string[]) => cli(['workflow', 'draft', ...args]);

/** The cassette of refunds with other answers to some parts. */
function cassetteWith(dir: string, answers: Record<string, unknown[]>, name = 'changed'): string {
  const cassette = JSON.parse(readFileSync(CASSETTE, 'utf8'));
  Object.assign(cassette.answers, answers);
  const file = join(dir, `${name}.cassette.json`);
  writeFileSync(file, JSON.stringify(cassette));
  return `cassette:${file}`;
}

const answersOf = (part: string) => JSON.parse(readFileSync(CASSETTE, 'utf8')).answers[part].at(-1);

describe('workflow draft', () => {
  test('drafts a workflow from words, and reports rounds, assumptions, undos and agents', async () => {
    const out = join(temporaryDirectory(), 'refund');
    const { code, stdout } = await draft(TASK, '--planner', `cassette:${CASSETTE}`, '--out', out);
    expect(code).toBe(0);
    for (const text of [
      /^round +part +outcome/m,
      /^0 +node\/pay-small +answered/m,
      'Does a rejected customer get a message?',
      'trial-values: Trials run with example values',
      /^pay-small +undo +proven +trial system +\d+ trials/m,
      /^confirm +irreversible/m,
      /^post +tool +ledger\.post \(exact, from tools\) +1\.00 +0$/m,
      /refund: passed, 0 warnings, after 1 round of refinement; \d+ requests/,
    ]) {
      expect(stdout).toMatch(text);
    }
    const saved = readDraft(out);
    expect(saved).toMatchObject({ passed: true, name: 'refund' });
    expect(existsSync(join(out, 'draft.db'))).toBe(true);
    const log = await cli(['log', 'show', join(out, 'draft.db'), '--json']);
    expect(log.code).toBe(0);
    expect(log.stdout).toContain('inputTokens');
    // The same command again is the same draft.
    const again = await draft(TASK, '--planner', `cassette:${CASSETTE}`, '--out', out);
    expect(again).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('gives findings back to the planner until the draft passes', async () => {
    const dir = temporaryDirectory();
    const wrong = { ...answersOf('node/pay-large'), approval: undefined, approvers: undefined };
    const planner = cassetteWith(dir, { 'node/pay-large': [wrong, answersOf('node/pay-large')] });
    const { code, stdout } = await draft(TASK, '--planner', planner, '--out', `${dir}/o`, '--json');
    expect(code).toBe(0);
    const { history, passed } = JSON.parse(stdout);
    expect(passed).toBe(true);
    const rounds = history.filter(({ part }: { part: string }) => part === 'node/pay-large');
    expect(rounds.map(({ round }: { round: number }) => round)).toEqual([0, 1]);
  });

  test('reads no tools through a link out of the folder of the task', async () => {
    const dir = temporaryDirectory();
    writeFileSync(join(dir, 'secret.txt'), 'a secret');
    mkdirSync(join(dir, 'task'));
    symlinkSync(join(dir, 'secret.txt'), join(dir, 'task', 'tools.json'));
    const task = join(dir, 'task', 'task.md');
    writeFileSync(task, '---\ntools: tools.json\n---\nRefund an order.\n');
    const { code, stderr } = await draft(task, '--planner', `cassette:${CASSETTE}`, '--out', dir);
    expect(code).toBe(2);
    expect(stderr).toMatch(/task\.md:2: .* link out of the folder of the task; copy the file/);
    expect(stderr).not.toContain('a secret');
  });

  test('two processes that draft into one folder end with the same draft', async () => {
    const out = join(temporaryDirectory(), 'o');
    const one = () => draft(TASK, '--planner', `cassette:${CASSETTE}`, '--out', out);
    const ended = await Promise.all([one(), one()]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(readDraft(out)).toMatchObject({ passed: true, edited: [] });
    expect(ended[0].stdout).toBe(ended[1].stdout);
  });

  test('writes a draft that does not pass with its findings, and exits with 1', async () => {
    const dir = temporaryDirectory();
    const undo = { ...answersOf('undo/post'), sequence: [] };
    const planner = cassetteWith(dir, { 'undo/post': [undo] });
    const out = join(dir, 'o');
    const { code, stdout } = await draft(TASK, '--planner', planner, '--out', out, '--rounds', '1');
    expect(code).toBe(1);
    expect(stdout).toMatch(/error \w+ in undo\/post at/);
    expect(stdout).toContain('did not pass');
    expect(readDraft(out)).toMatchObject({ passed: false });
    expect(readDraft(out).findings.length).toBeGreaterThan(0);
  });

  test('writes the parts of a draft that does not assemble', async () => {
    const dir = temporaryDirectory();
    const planner = cassetteWith(dir, { edges: ['I cannot do that.'] });
    const out = join(dir, 'o');
    const { code, stdout } = await draft(TASK, '--planner', planner, '--out', out, '--rounds', '0');
    expect(code).toBe(1);
    expect(stdout).toContain('bad_part in edges');
    expect(readDraft(out).template).toBeNull();
  });

  test('is interrupted by Ctrl-C, and the same command resumes it', async () => {
    const out = join(temporaryDirectory(), 'o');
    const args = [TASK, '--planner', `cassette:${CASSETTE}`, '--out', out];
    const flawed = join(out, '..', 'flawed');
    const planner = cassetteWith(join(out, '..'), { edges: ['no', 'no', answersOf('edges')] });
    const interrupted = await cli(
      ['workflow', 'draft', TASK, '--planner', planner, '--out', flawed],
      { interrupt: (stderr) => stderr.includes('round 0: ') },
    );
    expect(interrupted.code).toBe(130);
    expect(interrupted.stderr).toContain('the same command resumes the draft');
    expect(existsSync(join(flawed, 'draft.json'))).toBe(false);
    const resumed = await draft(TASK, '--planner', planner, '--out', flawed, '--json');
    expect(resumed.code).toBe(0);
    expect((await draft(...args)).code).toBe(0);
    const { history } = JSON.parse(resumed.stdout);
    const parts = history.map(({ part, round }: { part: string; round: number }) => part + round);
    expect(new Set(parts).size).toBe(parts.length);
  });
});

describe('workflow draft --ask', () => {
  test('asks open questions, and empty answers are assumed', async () => {
    const dir = temporaryDirectory();
    const args = ['workflow', 'draft', TASK, '--planner', `cassette:${CASSETTE}`, '--ask', '--out'];
    const answered = await cli([...args, `${dir}/a`], { input: 'Yes, a letter.\n' });
    expect(answered.stderr).toContain('Does a rejected customer get a message?');
    expect(readDraft(`${dir}/a`).text).toContain(
      'Does a rejected customer get a message? Yes, a letter.',
    );
    const silent = await cli([...args, `${dir}/b`], { input: '' });
    expect(silent.code).toBe(0);
    expect(silent.stdout).toContain('Does a rejected customer get a message? No:');
  });
});

describe('workflow draft --from', () => {
  test('drafts a change, shows the difference, and leaves the draft before as it was', async () => {
    const dir = temporaryDirectory();
    const base = join(dir, 'base');
    expect((await draft(TASK, '--planner', `cassette:${CASSETTE}`, '--out', base)).code).toBe(0);
    const before = readFileSync(join(base, 'template.json'), 'utf8');
    const cassette = { schema: 'alas-jssp/cassette@1', origin: 'handwritten', model: null };
    const file = join(dir, 'change.json');
    const answers = { 'node/pay-small': [{ ...answersOf('node/pay-small'), timeout: 10 }] };
    writeFileSync(file, JSON.stringify({ ...cassette, answers }));
    const words = 'Small refunds have failed if there is no answer after 10 seconds.';
    const args = ['--from', base, '--change', words, '--planner', `cassette:${file}`];
    const { code, stdout } = await draft(...args, '--out', `${dir}/after`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Differences\n {2}~ node pay-small: timeout\n\n/m);
    expect(readFileSync(join(base, 'template.json'), 'utf8')).toBe(before);
    expect(readDraft(`${dir}/after`).text).toContain(words);
    // Over its own folder.
    expect((await draft(...args, '--out', base)).code).toBe(0);
    expect(readDraft(base).text).toContain(words);
  });
});

describe('workflow draft refuses', () => {
  const planner = ['--planner', `cassette:${CASSETTE}`];

  test.each([
    [[...planner, '--out', 'o'], /neither a task nor --from/],
    [[TASK, '--out', 'o'], /--planner is missing/],
    [[TASK, ...planner], /required option '--out <dir>'/],
    [[TASK, '--planner', 'gpt', '--out', 'o'], /names no model; write openai:MODEL/],
    [[TASK, '--planner', 'cassette:none.json', '--out', 'o'], /none\.json/],
    [['none.md', ...planner, '--out', 'o'], /none\.md/],
    [[TASK, ...planner, '--out', 'o', '--change', 'x'], /--change without --from/],
    [[TASK, ...planner, '--out', 'o', '--from', 'd', '--change', 'x'], /a task and --from/],
    [['--from', 'd', ...planner, '--out', 'o'], /--from without --change/],
    [['--from', 'none', '--change', 'x', ...planner, '--out', 'o'], /there is no draft/],
    [[TASK, ...planner, '--out', 'o', '--ask', '--assume'], /cannot be used with/],
    [[TASK, ...planner, '--out', 'o', '--record', 'r.json'], /the planner is a cassette already/],
    [[TASK, ...planner, '--out', 'o', '--rounds', '-1'], /a whole number/],
    [[TASK, ...planner, '--out', 'o', '--tools', 'none.json'], /none\.json/],
    [[TASK, ...planner, '--out', 'o', '--reviewer', 'me'], /names no model/],
    [[TASK, ...planner, '--out', 'README.md'], /this is a file/],
    [[TASK, ...planner, '--out', 'docs'], /it holds other files/],
  ])('%j in one line', async (args, message) => {
    const { code, stdout, stderr } = await draft(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n').length).toBe(1);
    expect(existsSync('o')).toBe(false);
  });

  test('a folder with the draft of another task', async () => {
    const dir = temporaryDirectory();
    const out = join(dir, 'o');
    expect((await draft(TASK, ...planner, '--out', out)).code).toBe(0);
    const other = join(dir, 'other.md');
    writeFileSync(other, 'We water the plants.\n');
    const { code, stderr } = await draft(other, ...planner, '--out', out);
    expect(code).toBe(2);
    expect(stderr).toMatch(/it has the draft of another task/);
    expect(readDraft(out).name).toBe('refund');
  });

  test.each([
    ['---\ntools: ../secret.json\n---\nText.', /task\.md:2: the tools .* are not in the folder/],
    ['---\ntools: /etc/passwd\n---\nText.', /task\.md:2: /],
    ['---\ntools: mcp:evil\n---\nText.', /task\.md:2: /],
    ['---\ntool: x.json\n---\nText.', /task\.md:2: the setting tool is unknown/],
    ['---\ntools: x.json\nText.', /task\.md:1: its front matter does not end/],
    ['---\n---\n\n', /it has no text/],
    ['', /it has no text|empty/],
    ['x'.repeat(60_000), /it has 60000 characters/],
  ])('the task %j', async (text, message) => {
    const dir = temporaryDirectory();
    mkdirSync(dir, { recursive: true });
    const task = join(dir, 'task.md');
    writeFileSync(task, text);
    const { code, stderr } = await draft(task, ...planner, '--out', join(dir, 'o'));
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(existsSync(join(dir, 'o'))).toBe(false);
    rmSync(task);
  });
});
