import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '@alas-jssp/workflow';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gitCompensation } from '../../../src/guard/compensations/git/git-compensation.js';
import { shippedRules } from '../../../src/guard/policies/shipped.js';
import { hasServers, type RealServer, serverCommands, startServer } from '../real-servers.js';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'git-')));
const template = join(scratch, 'template');
const repository = join(scratch, 'repository');
const at = (...names: string[]) => join(repository, ...names);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function run(directory: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
  return execFileSync('git', [...identity, ...args], { cwd: directory, encoding: 'utf8' });
}

/** Two branches and a tag, a staged change, an unstaged one and an untracked file. */
function makeTemplate() {
  mkdirSync(template);
  run(template, 'init', '--quiet', '--initial-branch=main');
  run(template, 'config', 'user.name', 'Test');
  run(template, 'config', 'user.email', 'test@localhost');
  writeFileSync(join(template, 'a.txt'), 'alpha\n');
  writeFileSync(join(template, 'b.txt'), 'beta\n');
  run(template, 'add', '.');
  run(template, 'commit', '--quiet', '-m', 'first');
  run(template, 'tag', 'start');
  run(template, 'checkout', '--quiet', '-b', 'side');
  mkdirSync(join(template, 'deep'));
  writeFileSync(join(template, 'deep/c.txt'), 'gamma\n');
  writeFileSync(join(template, 'b.txt'), 'beta on the side\n');
  run(template, 'add', '.');
  run(template, 'commit', '--quiet', '-m', 'second');
  run(template, 'checkout', '--quiet', 'main');
  writeFileSync(join(template, 'staged.txt'), 'staged\n');
  run(template, 'add', 'staged.txt');
  writeFileSync(join(template, 'a.txt'), 'alpha, changed\n');
  writeFileSync(join(template, 'new.txt'), 'untracked\n');
}

function reset() {
  rmSync(repository, { recursive: true, force: true });
  execFileSync('cp', ['-a', template, repository]);
}

/** Head, references, index and files, by Git's own commands. Written without the code that it judges. */
function stateOf(): unknown {
  const files = readdirSync(repository, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^\.git(\/|$)/.test(name))
    .sort();
  return {
    head: readFileSync(at('.git/HEAD'), 'utf8'),
    references: run(repository, 'show-ref'),
    index: run(repository, 'ls-files', '--stage'),
    files: files.map((name) => [
      name,
      /\.txt$/.test(name) ? readFileSync(at(name), 'utf8') : 'directory',
    ]),
    locks: readdirSync(at('.git')).filter((name) => name.endsWith('.lock')),
  };
}

const compensation = (hooks: 'refuse' | 'allow' = 'refuse') =>
  gitCompensation({ repositories: [repository], hooks });

describe.skipIf(!hasServers)('a repository of the real Git server', () => {
  let server: RealServer;
  beforeAll(async () => {
    makeTemplate();
    reset();
    server = await startServer(serverCommands.git(repository));
  });
  afterAll(() => server.close());
  beforeEach(reset);

  async function perform(tool: string, rest: Record<string, Json>, lost = false) {
    const input = { repo_path: repository, ...rest };
    const call = server.guarded(tool, input);
    const prepared = await compensation().prepare(call);
    const output = await server.call(tool, input);
    const seen = await compensation().observe(call, prepared, lost ? undefined : output);
    return { output, seen, undo: () => compensation().undo(call, prepared, seen.after) };
  }

  const name = fc.constantFrom('main', 'side', 'start', 'topic', 'other');
  const calls = fc.oneof(
    fc.tuple(
      fc.constant('git_add'),
      fc.record({ files: fc.constantFrom(['.'], ['new.txt'], ['a.txt', 'none.txt'], ['*.txt']) }),
    ),
    fc.tuple(
      fc.constant('git_commit'),
      fc.record({ message: fc.constantFrom('one', 'two\n\nlines') }),
    ),
    fc.tuple(fc.constant('git_reset'), fc.constant({})),
    fc.tuple(
      fc.constant('git_create_branch'),
      fc.oneof(
        fc.record({ branch_name: name }),
        fc.record({ branch_name: name, base_branch: name }),
      ),
    ),
    fc.tuple(fc.constant('git_checkout'), fc.record({ branch_name: name })),
  );

  it('is as before after any calls are taken back, last first, with or without their answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(calls, fc.boolean()), { minLength: 1, maxLength: 6 }),
        async (list) => {
          reset();
          const before = stateOf();
          const undos: (() => Promise<{ state: string; message: string }>)[] = [];
          for (const [[tool, input], lost] of list) {
            const earlier = stateOf();
            const made = await perform(tool, input as never, lost).catch((error: Error) => error);
            if (made instanceof Error) {
              expect(made).toMatchObject({ code: 'cannot_undo' });
              continue;
            }
            const isChanged = JSON.stringify(stateOf()) !== JSON.stringify(earlier);
            expect([tool, made.seen.state]).toEqual([
              tool,
              isChanged ? 'done' : expect.stringMatching(/^(not-)?done$/),
            ]);
            undos.push(made.undo);
          }
          for (const undo of undos.reverse()) {
            expect(await undo()).toMatchObject({
              state: expect.stringMatching(/^(undone|nothing-to-undo)$/),
            });
            expect((await undo()).state).toBe('nothing-to-undo');
          }
          expect(stateOf()).toEqual(before);
        },
      ),
      { numRuns: 10 },
    );
  });

  it('keeps commits that others made since', async () => {
    const { undo } = await perform('git_commit', { message: 'ours' });
    run(repository, 'commit', '--quiet', '--allow-empty', '-m', 'of somebody else');
    const kept = stateOf();
    expect(await undo()).toMatchObject({ state: 'conflict' });
    expect(stateOf()).toEqual(kept);
  });

  it('keeps an index and files that others changed since', async () => {
    const add = await perform('git_add', { files: ['new.txt'] });
    run(repository, 'add', 'a.txt');
    expect(await add.undo()).toMatchObject({ state: 'conflict' });
    reset();
    const checkout = await perform('git_checkout', { branch_name: 'side' });
    writeFileSync(at('b.txt'), 'of somebody else');
    expect(await checkout.undo()).toMatchObject({ state: 'conflict' });
    expect(readFileSync(at('b.txt'), 'utf8')).toBe('of somebody else');
    expect(readFileSync(at('.git/HEAD'), 'utf8')).toContain('side');
  });

  it('refuses what could not be taken back', async () => {
    const refused = (tool: string, input: Record<string, Json>) =>
      expect(perform(tool, input)).rejects;
    await refused('git_add', { repo_path: template, files: ['.'] }).toThrow('outside');
    await refused('git_push', {}).toThrow('does not know the tool git_push');
    mkdirSync(at('.git/hooks'), { recursive: true });
    writeFileSync(at('.git/hooks/post-commit'), '#!/bin/sh\nexit 0\n');
    chmodSync(at('.git/hooks/post-commit'), 0o755);
    await refused('git_commit', { message: 'x' }).toThrow('the hook post-commit would run');
    writeFileSync(at('.git/MERGE_HEAD'), '');
    await refused('git_reset', {}).toThrow('MERGE_HEAD');
    reset();
    // Git overwrites files that it ignores without a word.
    writeFileSync(at('.git/info/exclude'), 'deep/\n');
    mkdirSync(at('deep'));
    writeFileSync(at('deep/c.txt'), 'ignored, and precious');
    await refused('git_checkout', { branch_name: 'side' }).toThrow('deep/c.txt exists');
  });

  it('is restored after a checkout that ended in the middle', async () => {
    const before = stateOf();
    const call = server.guarded('git_checkout', { repo_path: repository, branch_name: 'side' });
    const prepared = await compensation().prepare(call);
    mkdirSync(at('deep'));
    writeFileSync(at('deep/c.txt'), 'gam');
    writeFileSync(at('b.txt'), 'beta on the side\n');
    writeFileSync(at('.git/index.lock'), '');
    const seen = await compensation().observe(call, prepared, undefined);
    expect(seen.state).toBe('partly');
    expect(await compensation().undo(call, prepared, seen.after)).toMatchObject({
      state: 'undone',
    });
    expect(existsSync(at('deep'))).toBe(false);
    expect(stateOf()).toEqual(before);
  });

  it('is the subject of shipped rules if the command names it', () => {
    const rules = shippedRules.get(server.identity);
    const facts = { identity: server.identity, directory: scratch };
    const made = rules?.({ ...facts, command: ['mcp-server-git', '--repository=repository'] });
    expect(made?.git_commit?.compensation).toMatchObject({
      settings: { repositories: [repository] },
    });
    expect(() => rules?.({ ...facts, command: ['mcp-server-git'] })).toThrow('--repository');
  });
});
