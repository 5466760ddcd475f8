import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { proveBound } from '../../../src/search/bounds/prove-bound.js';
import { checkProof } from '../../../src/validator/proof/check-proof.js';
import { createProofArchive } from '../../../src/validator/proof/proof-archive.js';
import { proofLines } from '../../../src/validator/proof/proof-text.js';
import { arbitraryTiny } from '../../search/bounds/arbitrary-tiny.js';
import { arbitrarySmall } from '../../search/bounds/learning/arbitrary-small.js';
import { optimum } from '../../search/bounds/optimum.js';
import { leastOf, proofOf, tamper } from './proofs.js';

/** A campaign: `ALAS_JSSP_PROOF_CASES=20000`. */
const numRuns = Number(process.env.ALAS_JSSP_PROOF_CASES ?? 150);
const timeout = 60_000 + 200 * numRuns;

describe('a proof of a bound', () => {
  it(
    'of the optimum is right, by enumeration of tiny shops, with releases, downtimes and frozen starts',
    async () => {
      const shops = fc.oneof(
        arbitraryTiny({ downtimes: false }),
        arbitraryTiny({ downtimes: true }),
      );
      await fc.assert(
        fc.asyncProperty(shops, async (instance) => {
          fc.pre(instance.operations > 0);
          const least = optimum({ ...instance, calendar: null, frozen: null });
          expect(await checkProof(instance, await proofOf(instance, least))).toMatchObject({
            valid: true,
            bound: least,
            problem: null,
          });
          const { verdict, makespan } = await proveBound(instance, {
            bound: least + 1,
            write: () => {},
          });
          expect([verdict, makespan]).toEqual(['false', least]);
        }),
        { numRuns },
      );
    },
    timeout,
  );

  it(
    'is right before and after it is packed, of shops of up to 7×6',
    async () => {
      await fc.assert(
        fc.asyncProperty(arbitrarySmall(), async (instance) => {
          const lines = await proofOf(instance, leastOf(instance));
          const whole = await checkProof(instance, lines);
          expect(whole.valid).toBe(true);
          const archive = createProofArchive();
          for (const line of lines) archive.write(`${line}\n`);
          const packed = await checkProof(instance, proofLines([archive.pack()]));
          expect(packed.problem).toBe(null);
          expect(packed.clauses).toBeLessThanOrEqual(whole.clauses);
        }),
        { numRuns },
      );
    },
    timeout,
  );

  it(
    'that was tampered with never proves more than the optimum',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          arbitrarySmall(),
          fc.array(
            fc.record({ place: fc.nat(), kind: fc.nat(3), word: fc.nat(), to: fc.nat(45) }),
            {
              minLength: 0,
              maxLength: 6,
            },
          ),
          async (instance, changes) => {
            const least = leastOf(instance);
            const lines = await proofOf(instance, least);
            for (const change of changes) tamper(lines, change);
            lines[2] = `bound ${least + 1}`;
            expect((await checkProof(instance, lines)).valid).toBe(false);
          },
        ),
        { numRuns: 4 * numRuns },
      );
    },
    timeout,
  );

  it('is for one instance', async () => {
    const lines = await proofOf(resolveSource('ft06').load(), 55);
    const other = instanceFromJobs('ft06', [[[0, 3]], [[0, 4]]]);
    const { valid, problem } = await checkProof(other, lines);
    expect(valid).toBe(false);
    expect(problem).toMatch(/line 3: it is for another instance/);
  });

  it('of ft10 needs each clause of its packed form', async () => {
    const instance = resolveSource('ft10').load();
    const archive = createProofArchive();
    await proveBound(instance, { bound: 930, write: archive.write });
    const lines = gunzipSync(archive.pack()).toString().split('\n').slice(0, -1);
    const clauses = lines.flatMap((line, x) => (line.startsWith('c ') ? [x] : []));
    expect(clauses.length).toBeGreaterThan(500);
    for (let x = 0; x < clauses.length; x += clauses.length >> 4) {
      const without = lines.toSpliced(clauses[x], 1);
      // A clause of one order may be implied by the rest.
      if (/^c \d+ \d+ \d+ :/.test(lines[clauses[x]])) continue;
      expect((await checkProof(instance, without)).valid).toBe(false);
    }
    expect((await checkProof(instance, lines)).valid).toBe(true);
  });
});

describe('a rule whose condition is not met', () => {
  const instance = instanceFromJobs('two', [
    [
      [0, 3],
      [1, 2],
      [0, 1],
    ],
    [
      [0, 4],
      [1, 0],
    ],
    [[0, 2]],
  ]);
  const head = async () => (await proofOf(instance, 5)).slice(0, 2);

  it.each([
    ['p 0 3', '0 is not known to come before 3'],
    ['p 0 1', '0 and 1 do not compete for a machine'],
    ['p 0', 'it has 1 numbers, not 2'],
    ['p 1 4', '1 and 4 do not compete for a machine'],
    ['p 0 9', 'there are only 6 operations'],
    ['s 0 3', '10 is not more than 98'],
    ['t 0 2 3', '2 is not known to come before 3'],
    ['o 0 3 5', '9 is not more than 98'],
    ['o 0 3 0', '0 is named twice'],
    ['o', 'a set is empty'],
    ['o 9', 'there are only 6 operations'],
    ['l 5 0 3', '9 is not more than 98'],
    ['f 5 0 3', '9 is not more than 98'],
    ['l 5', 'a set is empty'],
    ['h 3 0', '0 is not known to come before 3'],
    ['q 3 0', '3 is not known to come before 0'],
    ['c 7', 'there is no clause 7'],
    ['x 1', 'there is no rule "x"'],
    ['3 4', 'a line begins with c, d or r, not "r 3 4"'],
    ['p 0  2', 'there is a space too many'],
    ['p 0 1e3', '"1e3" is no whole number'],
    ['p 0 99999999999', '99999999999 is too large'],
    ['p 0 2 : p 0 2', 'there is one colon, before all steps'],
  ])('is refused: %s', async (step, problem) => {
    const lines = [...(await head()), 'bound 99', `r ${step}`];
    const check = await checkProof(instance, lines);
    expect(check.problem).toBe(`line 4: ${problem}`);
  });

  it.each([
    ['c 1 0 3 : p 0 2', 'the steps end without a contradiction'],
    ['c 1 0 1 : p 0 2', '0 and 1 do not compete for a machine'],
    ['c 1 0 : p 0 2', 'a clause has pairs of operations'],
    ['c 1 : p 0 2', 'a clause has pairs of operations'],
    ['c 1 0 3 p 0 2', 'a clause has a colon before its steps, and no other line has one'],
    ['r : p 0 2', 'a clause has a colon before its steps, and no other line has one'],
    ['d 1 :', 'a clause has a colon before its steps, and no other line has one'],
    ['c 0 0 3 :', 'the numbers of clauses rise'],
    ['d 1', 'there is no clause 1'],
    ['d', 'a deletion has the numbers of clauses'],
    ['', 'a line begins with a letter, not ""'],
    ['q 0 2', 'a line begins with c, d or r, not "q 0 2"'],
  ])('and so is the line %s', async (line, problem) => {
    const check = await checkProof(instance, [...(await head()), 'bound 99', line]);
    expect(check.problem).toBe(`line 4: ${problem}`);
  });
});

describe('the file of a proof', () => {
  it('is refused with a reason if it is damaged', async () => {
    const instance = resolveSource('ft06').load();
    const text = `${(await proofOf(instance, 55)).join('\n')}\n`;
    const check = async (bytes: Uint8Array) => {
      const { problem } = await checkProof(
        instance,
        proofLines([bytes.slice(0, 5), bytes.slice(5)]),
      );
      return problem;
    };
    expect(await check(Buffer.from(text))).toBe(null);
    expect(await check(gzipSync(text))).toBe(null);
    expect(await check(gzipSync(text).subarray(0, 60))).toMatch(/gzip file is damaged or cut off/);
    expect(await check(Buffer.from([200, 200, 200]))).toBe('this is no text');
    expect(await check(Buffer.from(''))).toBe('it ends after line 0, without a contradiction');
    expect(await check(Buffer.from('{}\n\n\n'))).toMatch(
      /^line 1: the first line is not .* but "{}"$/,
    );
    const named = text.replace(/^instance .*$/m, 'no instance');
    expect(await check(Buffer.from(named))).toMatch(/^line 2: the second line is not/);
    expect(await check(Buffer.from('{}'))).toMatch(/^line 1: the first line is not .* but "{}"$/);
    const windows = text.replaceAll('\n', '\r\n');
    expect(await check(Buffer.from(windows))).toMatch(/but "alas-jssp proof 1\\r"$/);
    expect(await check(Buffer.from(`\u{feff}${text}`))).toMatch(/the first line is not/);
  });

  it('has the same lines in chunks of any size, up to a limit', async () => {
    const collect = async (chunks: Iterable<Uint8Array>) => {
      const lines: string[] = [];
      for await (const line of proofLines(chunks)) lines.push(line);
      return lines;
    };
    const text = 'one\n\nthrée\nfour';
    const bytes = Buffer.from(text);
    for (const size of [1, 2, 5, 100]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, x) =>
        bytes.subarray(x * size, (x + 1) * size),
      );
      expect(await collect(chunks)).toEqual(text.split('\n'));
    }
    const blanks = Buffer.alloc(2 ** 20, ' ');
    await expect(collect(Array.from({ length: 65 }, () => blanks))).rejects.toThrow(/64 MiB/);
  });
});
