import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readRecords } from '../../../src/harness/records/record-file.js';
import { temporaryDirectory } from '../../../test/temporary-directory.js';
import { openLog } from '../../workflow/src/log/open-log.js';
import { readBytes } from '../src/bytes.js';

it('refuses an empty name', () => {
  expect(() => readBytes('')).toThrow('the name of the file is empty; name one');
});

it('refuses gzip that unpacks to more than 256 MiB', () => {
  const file = join(temporaryDirectory(), 'blanks.txt.gz');
  // Two members, one behind the other: gzip reads them as one content.
  const half = gzipSync(Buffer.alloc(2 ** 27, ' '));
  writeFileSync(file, Buffer.concat([half, half, gzipSync(' ')]));
  expect(() => readBytes(file)).toThrow(
    `${file}: the gzip file unpacks to more than 256 MiB; unpack it before, or give a smaller file`,
  );
});

it.runIf(process.platform !== 'win32')('refuses a pipe that may never have a writer', () => {
  const pipe = join(temporaryDirectory(), 'pipe');
  execFileSync('bash', ['-c', 'mkfifo "$0"', pipe]);
  for (const read of [readBytes, readRecords, openLog]) {
    expect(() => read(pipe)).toThrow(`${pipe}: this is a pipe, not a file; name a file;`);
  }
});

it.runIf(process.platform === 'linux')('reads a pipe that the shell hands over', () => {
  const script = `
    echo two | node -e '
      import("./packages/core/dist/bytes.js").then(({ readBytes }) => {
        for (const file of process.argv.slice(1)) console.log(String(readBytes(file)));
      });
    ' <(echo one) /dev/stdin`;
  const said = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(said).toBe('one\n\ntwo\n\n');
});
