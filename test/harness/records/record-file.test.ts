import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRecord, readRecords } from '../../../src/harness/records/record-file.js';
import { makeRecord, temporaryDirectory } from '../fixtures.js';

const records = [0, 1, 2].map((replicate) =>
  makeRecord({ makespan: 100 + replicate, replicate, error: 'ünïcode\n“line”' }),
);
const text = records.map(formatRecord).join('');

function fileOf(content: string | Uint8Array): string {
  const file = join(temporaryDirectory(), 'records.jsonl');
  writeFileSync(file, content);
  return file;
}

describe('readRecords', () => {
  it('reads back what was written', () => {
    expect(readRecords(fileOf(text))).toEqual(records);
    expect(readRecords(fileOf(''))).toEqual([]);
  });

  it('refuses records of another version, with both versions', () => {
    const other = { ...records[0], schema: 'alas-jssp/record@2' };
    expect(() => readRecords(fileOf(`${JSON.stringify(other)}\n`))).toThrow(
      /records.jsonl:1: ?\$.schema: this is "alas-jssp\/record@2"; this alas-jssp reads version 1: update it/,
    );
  });

  it('of a file that was cut at any byte reads the records whose lines are complete', () => {
    const bytes = Buffer.from(text);
    const file = fileOf('');
    fc.assert(
      fc.property(fc.nat(bytes.length), (cut) => {
        const part = bytes.subarray(0, cut);
        writeFileSync(file, part);
        const whole = records.filter((_, i) => {
          const line = Buffer.from(
            records
              .slice(0, i + 1)
              .map(formatRecord)
              .join(''),
          );
          return cut >= line.length - 1;
        });
        expect(readRecords(file)).toEqual(whole);
      }),
    );
  });

  it('names file and line of a damaged line that is not the last', () => {
    const [first, second, third] = text.split('\n');
    const file = fileOf(`${first}\n${second.slice(0, 50)}\n${third}\n`);
    expect(() => readRecords(file)).toThrow(`${file}:2:$: this is not JSON; restore the line`);
  });

  it('names the key that is wrong in a record', () => {
    const wrong = { ...records[1], seconds: { ...records[1].seconds, total: '1' } };
    const file = fileOf(formatRecord(records[0]) + JSON.stringify(wrong));
    expect(() => readRecords(file)).toThrow(`${file}:2:$.seconds.total: invalid input`);
  });

  it('refuses a record that is there twice', () => {
    const file = fileOf(text + formatRecord(records[1]));
    expect(() => readRecords(file)).toThrow(`${file}:4: this is the same instance`);
  });

  it('says so when there is no such file', () => {
    expect(() => readRecords('no/such/records.jsonl')).toThrow(
      'no/such/records.jsonl: the records cannot be read (ENOENT)',
    );
  });
});
