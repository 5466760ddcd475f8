import { spawnSync } from 'node:child_process';
import fs, { mkdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.js';
import { type Changeset, openChangeset } from '../src/changeset.js';
import { plant, treeOf } from './tree.js';

const CHANGING = [
  'appendFileSync',
  'chmodSync',
  'mkdirSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'writeFileSync',
] as const;
const originals = CHANGING.map((name) => fs[name]);

/** From the given one on, no call changes the file system any more: as if the process were gone. */
function breakAt(count: number) {
  let calls = 0;
  CHANGING.forEach((name, index) => {
    const original = originals[index] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        if (++calls > count) throw new Error('killed');
        return original(...args);
      },
    });
  });
  syncBuiltinESMExports();
}

function mend() {
  CHANGING.forEach((name, index) => {
    Object.assign(fs, { [name]: originals[index] });
  });
  syncBuiltinESMExports();
}

afterEach(mend);

/** A root and a changeset with every kind of change, files that become directories included. */
function prepare() {
  const directory = temporaryDirectory();
  const root = join(directory, 'root');
  plant(root, { a: 'a', 'b/c': 'c', 'b/d/e': 'e', f: 'f', 'g/h': 'h' });
  mkdirSync(join(root, 'empty'));
  const before = treeOf(root);
  const open = () => openChangeset({ root, directory: join(directory, 'changes') });
  const changeset = open();
  changeset.write('a', 'A');
  changeset.remove('b');
  changeset.write('b', 'a file now');
  changeset.remove('f');
  changeset.write('f/in', 'a directory now');
  changeset.rename('g/h', 'new/deep/h');
  changeset.remove('empty');
  return { root, before, open, changeset };
}

const attempt = (action: () => unknown): boolean => {
  try {
    action();
    return true;
  } catch (error) {
    if ((error as Error).message !== 'killed') throw error;
    return false;
  }
};

/** What the root is like when everything went well. */
function undisturbed() {
  const { root, changeset } = prepare();
  changeset.apply();
  return treeOf(root);
}

describe('a changeset whose process is killed', () => {
  it('while it is applied, is finished or has not begun at the next opening', () => {
    const after = undisturbed();
    const outcomes = new Set<string>();
    for (let calls = 0, done = false; !done; calls++) {
      const { root, before, open, changeset } = prepare();
      breakAt(calls);
      done = attempt(() => changeset.apply());
      mend();
      const { applied } = open();
      expect(treeOf(root), `after ${calls} calls`).toEqual(applied ? after : before);
      outcomes.add(`${done} ${applied}`);
      open().apply();
      expect(treeOf(root)).toEqual(after);
    }
    expect([...outcomes]).toEqual(['false false', 'false true', 'true true']);
  });

  it('while it is reverted, is finished or has not begun at the next opening', () => {
    const after = undisturbed();
    for (let calls = 0, done = false; !done; calls++) {
      const { root, before, open, changeset } = prepare();
      changeset.apply();
      breakAt(calls);
      done = attempt(() => changeset.revert());
      mend();
      const { applied } = open();
      expect(treeOf(root), `after ${calls} calls`).toEqual(applied ? after : before);
      open().revert();
      expect(treeOf(root)).toEqual(before);
    }
  });

  it('and killed again while that is finished, comes through all the same', () => {
    const after = undisturbed();
    for (const first of [4, 8, 12]) {
      for (let second = 0, done = false; !done; second++) {
        const { root, open, changeset } = prepare();
        breakAt(first);
        expect(attempt(() => changeset.apply())).toBe(false);
        breakAt(second);
        done = attempt(open);
        mend();
        open().apply();
        expect(treeOf(root), `${first}, ${second}`).toEqual(after);
      }
    }
  });

  it('is undone if others have meanwhile changed what was still to come', () => {
    const { root, before, open, changeset } = prepare();
    breakAt(15);
    expect(attempt(() => changeset.apply())).toBe(false);
    mend();
    expect(treeOf(root)).not.toEqual(before);
    writeFileSync(join(root, 'a'), 'theirs');
    expect(open().applied).toBe(false);
    expect(treeOf(root)).toEqual({ ...before, a: `644 ${Buffer.from('theirs').toString('hex')}` });
  });
});

const entry = new URL('../../../packages/changeset/dist/index.js', import.meta.url).href;
const program = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const [root, directory, calls] = process.argv.slice(1);
let left = Number(calls);
for (const name of ${JSON.stringify(CHANGING)}) {
  const original = fs[name];
  fs[name] = (...args) => {
    if (left-- === 0) process.kill(process.pid, 'SIGKILL');
    return original(...args);
  };
}
syncBuiltinESMExports();
const { openChangeset } = await import(${JSON.stringify(entry)});
openChangeset({ root, directory }).apply();
`;

it('survives real kills while it is applied', () => {
  const after = undisturbed();
  for (const calls of [3, 9, 15, 21]) {
    const { root, open, changeset } = prepare();
    expect(changeset.applied).toBe(false);
    const args = ['--input-type=module', '-e', program, root, join(root, '../changes'), `${calls}`];
    const { signal } = spawnSync(process.execPath, args, {
      cwd: fileURLToPath(new URL('.', entry)),
    });
    expect(signal).toBe('SIGKILL');
    (open() as Changeset).apply();
    expect(treeOf(root), `after ${calls} calls`).toEqual(after);
  }
});
