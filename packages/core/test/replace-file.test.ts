import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.js';
import { InputError } from '../src/errors.js';
import { replaceFile, requireWritable } from '../src/replace-file.js';

describe('replaceFile', () => {
  it('puts a whole new file in the place of the old one, and leaves no draft', () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'plan.json');
    writeFileSync(file, 'old');
    const before = statSync(file).ino;
    replaceFile(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file).ino).not.toBe(before);
    expect(readdirSync(directory)).toEqual(['plan.json']);
  });

  it.runIf(process.platform !== 'win32')(
    'keeps the permissions of a file, and a link as a link',
    () => {
      const directory = temporaryDirectory();
      const file = join(directory, 'a');
      const link = join(directory, 'b');
      writeFileSync(file, 'old');
      chmodSync(file, 0o640);
      symlinkSync('a', link);
      replaceFile(link, 'new');
      expect(readlinkSync(link)).toBe('a');
      expect(readFileSync(file, 'utf8')).toBe('new');
      expect(statSync(file).mode & 0o777).toBe(0o640);
    },
  );

  it.runIf(process.platform !== 'win32')(
    'writes through a link to a file that is not there yet',
    () => {
      const directory = temporaryDirectory();
      symlinkSync('later', join(directory, 'link'));
      replaceFile(join(directory, 'link'), 'new');
      expect(readFileSync(join(directory, 'later'), 'utf8')).toBe('new');
    },
  );

  it('writes a name that leaves no room for a longer one', () => {
    const file = join(temporaryDirectory(), 'x'.repeat(250));
    replaceFile(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  it.runIf(process.platform === 'linux')('names the file where the disk is full', () => {
    const file = join(temporaryDirectory(), 'full');
    symlinkSync('/dev/full', file);
    expect(() => replaceFile(file, 'new')).toThrow(
      `${file}: the disk is full; make room, or name a file on another disk`,
    );
  });

  it.runIf(process.platform === 'linux')('keeps the old file where the new one has no room', () => {
    const directory = temporaryDirectory();
    const script = `
      ulimit -f 8
      node -e '
        process.on("SIGXFSZ", () => {});
        import("./packages/core/dist/replace-file.js").then(({ replaceFile }) => {
          try {
            replaceFile(process.argv[1], "x".repeat(1e6));
          } catch (error) {
            console.log(error.message);
          }
        });
      ' "$1"`;
    const file = join(directory, 'plan.json');
    writeFileSync(file, 'old');
    const said = execFileSync('bash', ['-c', script, 'bash', file], { encoding: 'utf8' });
    expect(said).toBe(`${file}: it cannot be written (EFBIG); name another file\n`);
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(directory)).toEqual(['plan.json']);
  });
});

describe('requireWritable', () => {
  it.each([
    ['', 'the name of the file to write is empty; name one'],
    ['sub', 'sub: this is a directory; name a file inside it'],
    ['no/file', 'its directory does not exist; make the directory first, or name another file'],
    ['file/file', 'its directory is a file; name another file'],
  ])('refuses %j before it is written', (name, message) => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'sub'));
    writeFileSync(join(directory, 'file'), '');
    const file = name === '' ? '' : join(directory, name);
    expect(() => requireWritable(file)).toThrow(InputError);
    expect(() => requireWritable(file)).toThrow(message);
    expect(() => replaceFile(file, '')).toThrow(message);
  });

  it('makes nothing', () => {
    const file = join(temporaryDirectory(), 'plan.json');
    requireWritable(file);
    expect(existsSync(file)).toBe(false);
  });
});
