import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benchmarks, paperNames } from '../../src/jssp/benchmark-index.js';
import { canonicalName } from '../../src/jssp/names.js';

const names = [...benchmarks().keys()];

describe('canonicalName', () => {
  it('returns a canonical name unchanged', () => {
    for (const name of names) expect(canonicalName(name)).toBe(name);
  });

  it.each([
    ['abz07', 'abz7'],
    ['yn01', 'yn1'],
    ['ta01js', 'ta01'],
    ['ta1', 'ta01'],
    ['TA1', 'ta01'],
    ['TA01', 'ta01'],
    ['TA_01.TXT', 'ta01'],
    ['la1', 'la01'],
    ['LA-1', 'la01'],
    ['ft6', 'ft06'],
    ['mt06', 'ft06'],
    ['MT10', 'ft10'],
    ['tai01', 'ta01'],
    ['dmu001', 'dmu01'],
    ['swv 7', 'swv07'],
    ['orb10.jsp.gz', 'orb10'],
    ['rcmax_20_15_5', 'dmu03'],
    ['rcmax_20_15_5.txt', 'dmu03'],
    ['rcmax_20_15_05', 'dmu03'],
    ['RCMAX_40_15_10', 'dmu23'],
    [' ft06 ', 'ft06'],
  ])('reads %s as %s', (spelling, name) => {
    expect(canonicalName(spelling)).toBe(name);
  });

  it('knows every name that the paper uses', () => {
    for (const [paperName, name] of paperNames()) expect(canonicalName(paperName)).toBe(name);
  });

  it('does not depend on case, leading zeros or a file ending', () => {
    const spelling = fc.record({
      name: fc.constantFrom(...names),
      zeros: fc.nat(3),
      upper: fc.boolean(),
      separator: fc.constantFrom('', '-', '_', ' '),
      ending: fc.constantFrom('', '.txt', '.std', '.json', '.txt.gz'),
    });
    fc.assert(
      fc.property(spelling, ({ name, zeros, upper, separator, ending }) => {
        const spelled = name.replace(/0*(\d+)$/, `${separator}${'0'.repeat(zeros)}$1`) + ending;
        expect(canonicalName(upper ? spelled.toUpperCase() : spelled)).toBe(name);
      }),
    );
  });

  it.each(['', 'ta', 'ta00', 'ta81', 'la41', 'abz4', 'yn5', 'ft07', 'xft06', 'ta01x', 'dir/ta01'])(
    'knows no benchmark called "%s"',
    (name) => {
      expect(canonicalName(name)).toBeUndefined();
    },
  );
});
