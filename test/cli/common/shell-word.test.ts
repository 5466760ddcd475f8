import { expect, it } from 'vitest';
import { shellWord } from '../../../src/cli/common/shell-word.js';

it.each([
  ['manager', 'manager'],
  ['send the mail', "'send the mail'"],
  ["kim's order", "'kim'\\''s order'"],
])('a word of a command is quoted where a shell needs it: %s', (word, quoted) => {
  expect(shellWord(word)).toBe(quoted);
});
