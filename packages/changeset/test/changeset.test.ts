import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.js';
import { type Changeset, openChangeset } from '../src/changeset.js';
import { plant, treeOf } from './tree.js';

/** A root with some files, and a place for changesets. */
function prepare() {
  const directory = temporaryDirectory();
  const root = join(directory, 'root');
  plant(root, { 'a.txt': 'one\ntwo\n', 'src/b.txt': 'b\n', 'src/deep/c.bin': Buffer.of(0, 255) });
  plant(root, { 'run.sh': '#!/bin/sh\n' }, 0o755);
  mkdirSync(join(root, 'empty'));
  const open = (by?: string, name = 'changes'): Changeset =>
    openChangeset({ root, directory: join(directory, name), ...(by === undefined ? {} : { by }) });
  return { root, open, directory };
}

const codeOf = (action: () => unknown) => {
  try {
    return { value: action() };
  } catch (error) {
    return { code: (error as { code?: string }).code };
  }
};

describe('a changeset', () => {
  it('leaves the root alone until it is applied, and puts everything back when reverted', () => {
    const { root, open } = prepare();
    const before = treeOf(root);
    const changeset = open();
    changeset.write('a.txt', 'one\n2\n');
    changeset.write('new/sub/n.txt', Buffer.of(1, 2, 0));
    changeset.rename('src', 'lib');
    changeset.remove('empty');
    changeset.write('run.sh', '#!/bin/sh\nexit 1\n');
    changeset.makeDirectory('hollow');
    expect(Buffer.from(changeset.read('a.txt')).toString()).toBe('one\n2\n');
    expect(changeset.list()).toEqual(['a.txt', 'hollow', 'lib', 'new', 'run.sh']);
    expect(changeset.list('lib')).toEqual(['b.txt', 'deep']);
    expect(treeOf(root)).toEqual(before);

    const changes = changeset.apply();
    expect(changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'changed a.txt',
      'deleted empty',
      'added hollow',
      'added lib',
      'added lib/b.txt',
      'added lib/deep',
      'added lib/deep/c.bin',
      'added new',
      'added new/sub',
      'added new/sub/n.txt',
      'changed run.sh',
      'deleted src',
      'deleted src/b.txt',
      'deleted src/deep',
      'deleted src/deep/c.bin',
    ]);
    const after = treeOf(root);
    expect(after['run.sh']).toMatch(/^755 /);
    expect(after['lib/deep/c.bin']).toBe(before['src/deep/c.bin']);
    expect(Object.keys(after)).toEqual(expect.arrayContaining(['hollow', 'new/sub/n.txt']));
    expect(Object.keys(after)).toHaveLength(10);

    open().revert();
    expect(treeOf(root)).toEqual(before);
  });

  it('says twice what was done once: applying, reverting and discarding again do nothing', () => {
    const { root, open } = prepare();
    const changeset = open();
    changeset.write('a.txt', 'x');
    const first = changeset.apply();
    const applied = treeOf(root);
    expect(open().apply()).toEqual(first);
    expect(treeOf(root)).toEqual(applied);
    changeset.revert();
    changeset.revert();
    changeset.discard();
    changeset.discard();
    expect(open().changes()).toEqual([]);
    expect(open().apply()).toEqual([]);
  });

  it('refuses paths that leave the root, symbolic links and a journal inside the root', () => {
    const { root, open, directory } = prepare();
    symlinkSync('/etc', join(root, 'link'));
    symlinkSync('a.txt', join(root, 'alias'));
    const changeset = open();
    for (const path of ['/etc/passwd', '../x', 'src/../../x', '', '.', 'a\0b']) {
      expect(
        codeOf(() => changeset.write(path, 'x')),
        path,
      ).toEqual({ code: 'path_outside' });
    }
    for (const path of ['link/passwd', 'alias']) {
      expect(codeOf(() => changeset.read(path))).toEqual({ code: 'unsupported_file' });
      expect(codeOf(() => changeset.write(path, 'x'))).toEqual({ code: 'unsupported_file' });
    }
    const inside = { root, directory: join(directory, 'root', 'changes') };
    expect(codeOf(() => openChangeset(inside))).toEqual({ code: 'changeset_in_root' });
    expect(codeOf(() => changeset.write('a.txt/b', 'x'))).toEqual({ code: 'path_taken' });
    expect(codeOf(() => changeset.write('src', 'x'))).toEqual({ code: 'path_taken' });
    expect(codeOf(() => changeset.rename('src', 'src/in'))).toEqual({ code: 'path_taken' });
    expect(codeOf(() => changeset.read('gone'))).toEqual({ code: 'no_such_file' });
    expect(changeset.changes()).toEqual([]);
  });

  it('lists what others changed and then changes nothing', () => {
    const { root, open } = prepare();
    const changeset = open();
    changeset.write('run.sh', changeset.read('a.txt'));
    changeset.remove('src');
    writeFileSync(join(root, 'a.txt'), 'another');
    writeFileSync(join(root, 'src', 'deep', 'stranger'), '');
    const before = treeOf(root);
    expect(() => changeset.apply()).toThrow(
      expect.objectContaining({
        code: 'changeset_conflict',
        value: [
          expect.objectContaining({ path: 'a.txt' }),
          expect.objectContaining({ path: 'src/deep/stranger' }),
        ],
      }),
    );
    expect(treeOf(root)).toEqual(before);
    expect(changeset.applied).toBe(false);
  });

  it('does not overwrite what others made of an applied file when it is reverted', () => {
    const { root, open } = prepare();
    const changeset = open();
    changeset.write('a.txt', 'mine');
    changeset.apply();
    expect(codeOf(() => changeset.write('a.txt', 'more'))).toEqual({ code: 'changeset_applied' });
    writeFileSync(join(root, 'a.txt'), 'theirs');
    expect(codeOf(() => changeset.revert())).toEqual({ code: 'changeset_conflict' });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('theirs');
  });

  it('refuses to read a file twice in two states', () => {
    const { root, open } = prepare();
    const changeset = open();
    changeset.read('a.txt');
    writeFileSync(join(root, 'a.txt'), 'another');
    expect(codeOf(() => changeset.read('a.txt'))).toEqual({ code: 'changeset_conflict' });
    expect(codeOf(() => changeset.write('a.txt', ''))).toEqual({ code: 'changeset_conflict' });
  });

  it('undoes the edits of one step and keeps those of others', () => {
    const { open } = prepare();
    open('first').write('a.txt', 'first');
    open('second').write('a.txt', 'second');
    open('second').write('new.txt', 'n');
    const changeset = open();
    changeset.undo('second');
    expect(Buffer.from(open().read('a.txt')).toString()).toBe('first');
    expect(open().changes()).toHaveLength(1);
  });

  it('passes over a line that a killed process left unfinished', () => {
    const { open, directory } = prepare();
    open().write('a.txt', 'x');
    appendFileSync(join(directory, 'changes', 'journal.jsonl'), '{"op":"edit","pa');
    open().write('b.txt', 'y');
    expect(open().changes()).toHaveLength(2);
  });

  it('refuses the journal of another root and what is no journal', () => {
    const { open, directory } = prepare();
    open();
    const other = temporaryDirectory();
    const changes = join(directory, 'changes');
    const again = () => openChangeset({ root: other, directory: changes });
    expect(again).toThrow(/journal.jsonl:1: this is for .*root; give the directory/);
    writeFileSync(join(changes, 'journal.jsonl'), '{"op":"format"}\n');
    expect(codeOf(() => open())).toEqual({ code: 'bad_changeset' });
  });
});

const names = fc.constantFrom(
  'a.txt',
  'run.sh',
  'src',
  'src/b.txt',
  'src/deep',
  'empty',
  'new',
  'new/x',
);
const operations = fc.array(
  fc.oneof(
    fc.record({ op: fc.constant('write' as const), path: names, content: fc.string() }),
    fc.record({ op: fc.constant('makeDirectory' as const), path: names }),
    fc.record({ op: fc.constant('remove' as const), path: names }),
    fc.record({ op: fc.constant('rename' as const), path: names, to: names }),
  ),
  { maxLength: 12 },
);

/** Does to a changeset what it can of some operations. */
function operate(
  changeset: Changeset,
  steps: typeof operations extends fc.Arbitrary<infer T> ? T : never,
) {
  for (const step of steps) {
    codeOf(() => {
      if (step.op === 'write') changeset.write(step.path, step.content);
      else if (step.op === 'rename') changeset.rename(step.path, step.to);
      else changeset[step.op](step.path);
    });
  }
}

/** The files of a changeset as it shows them itself. */
function shown(changeset: Changeset, path?: string): Record<string, string> {
  const inside = changeset.list(path).map((name) => {
    const child = path === undefined ? name : `${path}/${name}`;
    const file = codeOf(() => Buffer.from(changeset.read(child)).toString('hex'));
    return file.value === undefined
      ? { [child]: 'directory', ...shown(changeset, child) }
      : { [child]: file.value as string };
  });
  return Object.assign({}, ...inside);
}

describe('any sequence of edits', () => {
  it('makes of the root what the changeset showed, and reverting makes it what it was', () => {
    fc.assert(
      fc.property(operations, (steps) => {
        const { root, open } = prepare();
        const before = treeOf(root);
        const changeset = open();
        operate(changeset, steps);
        const expected = shown(changeset);
        expect(treeOf(root)).toEqual(before);
        open().apply();
        const after = treeOf(root);
        const bytes = Object.entries(after).map(([path, text]) => [
          path,
          text.replace(/^\d+ /, ''),
        ]);
        expect(Object.fromEntries(bytes)).toEqual(expected);
        open().revert();
        expect(treeOf(root)).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });
});
