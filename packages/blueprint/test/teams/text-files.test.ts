import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTools } from '../../tools/text-files.mjs';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'text-files-'));
  vi.stubEnv('TEAM_FILES', directory);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const write = (name: string, text: string, idempotencyKey: string) =>
  createTools().write_str_to_txt({ string_data: text, txt_filename: name }, { idempotencyKey });
const remove = (file: string) => createTools().remove_txt({ file });
const read = (name: string) => readFileSync(join(directory, name), 'utf8');

describe('the tools that write files', () => {
  it('write a file once for each key, and remove it', () => {
    expect(write('./poem.txt', 'a rose', 'k1')).toEqual({ file: 'poem.txt' });
    expect(write('./poem.txt', 'a rose', 'k1')).toEqual({ file: 'poem.txt' });
    expect(read('poem.txt')).toBe('a rose');
    remove('poem.txt');
    remove('poem.txt');
    expect(existsSync(join(directory, 'poem.txt'))).toBe(false);
  });

  it('do not write a file again after it was removed: a late attempt comes to nothing', () => {
    write('poem.txt', 'a rose', 'k1');
    remove('poem.txt');
    write('poem.txt', 'a rose', 'k1');
    expect(existsSync(join(directory, 'poem.txt'))).toBe(false);
  });

  it('write a file that a crash has prevented', () => {
    write('poem.txt', 'a rose', 'k1');
    rmSync(join(directory, 'poem.txt'));
    write('poem.txt', 'a rose', 'k1');
    expect(read('poem.txt')).toBe('a rose');
  });

  it('never touch a file of somebody else', () => {
    writeFileSync(join(directory, 'mine.txt'), 'mine');
    expect(() => write('mine.txt', 'theirs', 'k1')).toThrow('already');
    remove('mine.txt');
    expect(read('mine.txt')).toBe('mine');
  });

  it.each(['../out.txt', '/etc/passwd', 'a/../../out.txt', '', '.', '.team-files.json', 'a/.b'])(
    'refuse the name %s',
    (name) => {
      expect(() => write(name, 'x', 'k1')).toThrow('no file in the directory');
    },
  );
});
