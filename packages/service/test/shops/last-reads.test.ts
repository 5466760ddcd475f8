import { expect, it } from 'vitest';
import { createLastReads } from '../../src/shops/last-reads.js';

const never = () => new Promise<string>(() => {});

it('a read of a shop whose thread computes has the last answer, unless a change came after it', async () => {
  let busy = 0;
  const reads = createLastReads(() => busy);
  expect(await reads.read('a', ['state'], async () => 'version 1')).toBe('version 1');
  busy = 5;
  expect(await reads.read('a', ['state'], never)).toBe('version 1');
  reads.noteChange('b');
  expect(await reads.read('a', ['state'], never)).toBe('version 1');
  reads.noteChange('a');
  expect(await reads.read('a', ['state'], async () => 'version 2')).toBe('version 2');
  expect(await reads.read('a', ['state'], never)).toBe('version 2');
});

it('an answer that a change overtakes is not given again', async () => {
  let busy = 0;
  const reads = createLastReads(() => busy);
  let answer = (_: string): void => {};
  const late = reads.read(
    'a',
    ['state'],
    () => new Promise<string>((resolve) => (answer = resolve)),
  );
  answer('version 1');
  reads.noteChange('a');
  expect(await late).toBe('version 1');
  busy = 5;
  expect(await reads.read('a', ['state'], async () => 'version 2')).toBe('version 2');
});
