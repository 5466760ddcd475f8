import { expect, it } from 'vitest';
import { AlasError, InputError } from '../src/errors.js';

it('makes every message one printable line, whatever the input holds', () => {
  const name = 'a\nb\tc\u001b[31md\u0000e\u2028f\u202eg\u0085h é “ü” 🙂 \\n';
  const { message, problem } = new InputError('x', `no ${name}`, 'give one', { file: 'f\r\n' });
  expect(message).toBe(
    'f\\r\\n: no a\\nb\\tc\\u001b[31md\\u0000e\\u2028f\\u202eg\\u0085h é “ü” 🙂 \\n; give one',
  );
  expect(problem).toContain('\n');
});

it('cuts the middle of a message that no line can hold, and keeps its place and its hint', () => {
  const name = '𝟙'.repeat(5000);
  const { message, problem } = new InputError('bad', `there is no ${name}`, 'name another', {
    line: 7,
  });
  expect(message.length).toBeLessThanOrEqual(2003);
  expect(message).toMatch(/^7: there is no 𝟙+ … 𝟙+; name another$/u);
  expect(message).not.toMatch(/\p{Surrogate}/u);
  expect(problem.length).toBeLessThanOrEqual(2003);
  expect(new AlasError('bad', 'x'.repeat(2000)).message).toBe('x'.repeat(2000));
});
