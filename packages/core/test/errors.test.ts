import { expect, it } from 'vitest';
import { InputError } from '../src/errors.js';

it('makes every message one printable line, whatever the input holds', () => {
  const name = 'a\nb\tc\u001b[31md\u0000e\u2028f\u202eg\u0085h é “ü” 🙂 \\n';
  const { message, problem } = new InputError('x', `no ${name}`, 'give one', { file: 'f\r\n' });
  expect(message).toBe(
    'f\\r\\n: no a\\nb\\tc\\u001b[31md\\u0000e\\u2028f\\u202eg\\u0085h é “ü” 🙂 \\n; give one',
  );
  expect(problem).toContain('\n');
});
