import { expect, test } from 'vitest';
import { formFaults } from '../../../engines/asl/form.mjs';

const machine = (states: object) => {
  return JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'a', States: states });
};

test('the form of machines is checked by others', () => {
  const choices = [{ Condition: '{% $states.input.ok %}', Next: 'b' }];
  const good = { a: { Type: 'Choice', Choices: choices }, b: { Type: 'Succeed' } };
  expect(formFaults(machine(good))).toEqual([]);
});

test.each([
  ['a state that is not there', { a: { Type: 'Pass', Next: 'b' } }, /'Next'.* target: b/],
  [
    'an expression that does not parse',
    { a: { Type: 'Pass', Output: '{% ( %}', End: true } },
    /Output is invalid/,
  ],
  [
    'keys of the other query language',
    { a: { Type: 'Pass', Parameters: {}, End: true } },
    /invalid/,
  ],
  [
    'a name that is used twice',
    {
      a: {
        Type: 'Map',
        ItemProcessor: { StartAt: 'a', States: { a: { Type: 'Pass', End: true } } },
        End: true,
      },
    },
    /DUPLICATE_STATE_NAMES/,
  ],
])('the form of machines is refused for %s', (_, states, message) => {
  expect(formFaults(machine(states)).join('\n')).toMatch(message);
});
