import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AlasError } from '@alas-jssp/core/errors';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { chooseKept } from '../src/fuzz/choose-kept.js';
import { readCorpus, seedsOf, toLine } from '../src/fuzz/corpus.js';
import { fuzz } from '../src/fuzz/loop.js';
import { runTarget } from '../src/fuzz/run-target.js';
import { type FuzzFinding, type FuzzTarget, tryInput } from '../src/fuzz/target.js';
import { targets } from '../src/fuzz/targets/index.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const target = (run: FuzzTarget['run']): FuzzTarget => ({ name: 'test', seeds: [], run });
const kindOf = async (run: FuzzTarget['run']) => (await tryInput(target(run), bytes('')))?.kind;

describe('parsers of foreign input', () => {
  it.each(targets)(
    '$name holds for its seeds and for all inputs that the fuzzer kept',
    async (one) => {
      const inputs = [...seedsOf(one.seeds), ...readCorpus(one.name)];
      expect(inputs.length).toBeGreaterThan(0);
      for (const input of inputs) {
        const finding = await tryInput(one, input);
        // Time and memory are those of all tests of this process.
        const isMeasured = finding?.kind === 'slow' || finding?.kind === 'memory';
        if (!isMeasured) expect(finding, toLine(input).slice(0, 300)).toBeNull();
      }
    },
  );
});

describe('the property', () => {
  it('holds for a result, and for a refusal in one line', async () => {
    expect(await kindOf(() => {})).toBeUndefined();
    const refuse = () => {
      throw new AlasError('bad', 'this is wrong');
    };
    expect(await kindOf(refuse)).toBeUndefined();
    expect(await kindOf(async () => refuse())).toBeUndefined();
  });

  it('fails for other errors, for messages without an end, and for changed prototypes', async () => {
    expect(await kindOf(() => void (undefined as unknown as string).length)).toBe('exception');
    expect(await kindOf(async () => Promise.reject(new RangeError('x')))).toBe('exception');
    const empty = () => {
      throw new AlasError('bad', '');
    };
    expect(await kindOf(empty)).toBe('message');
    const pollute = () => {
      Object.assign(Object.prototype, { admin: true });
    };
    expect(await kindOf(pollute)).toBe('prototype');
    expect('admin' in {}).toBe(false);
  });
});

describe('the fuzzer', () => {
  it('finds a fault behind branches that only changed inputs reach, and shortens it', async () => {
    const counters = new Uint8Array(64);
    const wanted = '{"a":[';
    const parse = (input: Uint8Array) => {
      let same = 0;
      while (same < wanted.length && input[same] === wanted.charCodeAt(same)) counters[++same]++;
      if (same === wanted.length) throw new TypeError('planted');
    };
    const findings: { finding: FuzzFinding; input: Uint8Array }[] = [];
    const result = await fuzz(target(parse), {
      seeds: [bytes('x = 12; y = [3]')],
      words: ['{"', 'a"', ':['],
      counters,
      tryInput,
      seed: 1,
      until: Number.POSITIVE_INFINITY,
      mostExecutions: 60_000,
      before: () => {},
      after: () => {},
      onFinding: (finding, input) => findings.push({ finding, input }),
    });
    expect(findings.map(({ finding }) => finding.kind)).toEqual(['exception']);
    expect(new TextDecoder().decode(findings[0].input)).toBe(wanted);
    expect(result.corpus.length).toBeGreaterThan(1);
  });

  it('counts what threads did that had to be ended', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
    try {
      const entryPoints = [join(import.meta.dirname, '../src/fuzz/thread.ts')];
      const thread = join(folder, 'thread.mjs');
      await build({ entryPoints, outfile: thread, bundle: true, platform: 'node', format: 'esm' });
      // Every thread dies of its hundredth input: nothing but the totals of ended threads is left.
      const bundle = join(folder, 'targets.mjs');
      writeFileSync(
        bundle,
        `let inputs = 0;
        export const tryInput = (target, input) => target.run(input);
        const run = (input) => {
          globalThis.__branches[Math.min(inputs, 50)] = 1;
          if (++inputs < 100) return null;
          setTimeout(() => { throw new Error('planted'); });
          return new Promise(() => {});
        };
        export const targets = [{ name: 'dies', seeds: [], run }];`,
      );
      const findings: string[] = [];
      const run = await runTarget(
        {
          bundle: pathToFileURL(bundle).href,
          target: 'dies',
          seeds: [bytes('seed')],
          words: [],
          seed: 1,
          milliseconds: 1000,
        },
        ({ kind }) => findings.push(kind),
        pathToFileURL(thread),
      );
      expect(findings.length).toBeGreaterThan(0);
      expect(new Set(findings)).toEqual(new Set(['exception']));
      expect(run.executions).toBe(100 * findings.length);
      expect(run.features).toBe(51);
      expect(run.seconds).toBeGreaterThan(0);
      expect(run.corpus.length).toBeGreaterThan(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('keeps what it kept, and short inputs within its limit', () => {
    const long = bytes('x'.repeat(2000));
    const kept = chooseKept([bytes('a')], [long, bytes('b'), bytes('a')]);
    expect(kept.map((input) => new TextDecoder().decode(input))).toEqual(['a', 'b']);
  });

  it('writes any bytes as one line', () => {
    expect(toLine(bytes('a\nb'))).toBe('"a\\nb"');
    expect(toLine(Uint8Array.of(0xff, 0x00))).toBe('{"base64":"/wA="}');
  });
});
