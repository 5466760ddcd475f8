import { AlasError } from '@alas-jssp/core';
import type { Json } from '@alas-jssp/workflow';
import { afterAll, describe, expect, it, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.js';
import { HOSTILE_SNIPPETS, type HostileSnippet, SLOW_SNIPPETS } from './hostile-snippets.js';

const sandbox = createSandbox({
  steps: 1_000_000,
  memoryBytes: 4 * 2 ** 20,
  jsonCharacters: 20_000,
});
const impatient = createSandbox({ milliseconds: 1000 });
afterAll(() => Promise.all([sandbox.close(), impatient.close()]));

const GOOD = 'export default ({ items }) => ({ total: items.reduce((a, b) => a + b, 0) });';

/** What code could have changed in the host, if it had got out. */
function hostNames(): string {
  const ofAll = [Object, Array, Function, String, Number, Promise, JSON, Math, Reflect, globalThis];
  return ofAll
    .flatMap((one) => [one, (one as { prototype?: object }).prototype ?? {}])
    .map((one) => Reflect.ownKeys(one).map(String).sort().join())
    .join('\n');
}

async function outcomeOf(one: Sandbox, source: string): Promise<{ output: Json } | AlasError> {
  try {
    return { output: await one.evaluate(source, { n: 1 }) };
  } catch (error) {
    if (error instanceof AlasError) return error;
    throw error;
  }
}

async function expectContained(one: Sandbox, { source, ends }: HostileSnippet): Promise<void> {
  const before = hostNames();
  const outcome = await outcomeOf(one, source);
  if (typeof ends === 'object') expect(outcome).toEqual(ends);
  else {
    expect(outcome).toBeInstanceOf(AlasError);
    const { code, message } = outcome as AlasError;
    expect({ code, message }).toEqual({ code: ends, message });
    expect(message).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+$/u);
    expect(message.length).toBeLessThan(400);
    expect(message).not.toMatch(/file:|node_modules|\bat \w+ \(|\.wasm/);
  }
  expect(hostNames()).toBe(before);
  expect(await one.evaluate(GOOD, { items: [1, 2, 3] })).toEqual({ total: 6 });
}

describe('contained with one line, and the host unharmed', () => {
  test('there are at least a hundred snippets', () => {
    expect(HOSTILE_SNIPPETS.length).toBeGreaterThanOrEqual(100);
    expect(new Set(HOSTILE_SNIPPETS.map(({ title }) => title)).size).toBe(HOSTILE_SNIPPETS.length);
  });

  test.each(HOSTILE_SNIPPETS)('$title', (snippet) => expectContained(sandbox, snippet));

  test.each(SLOW_SNIPPETS)('$title', (snippet) => expectContained(impatient, snippet));
});

describe('an evaluation', () => {
  it('knows nothing of the one before', async () => {
    const source =
      'export default () => { globalThis.n = (globalThis.n ?? 0) + 1; return globalThis.n; };';
    expect(await sandbox.evaluate(source, null)).toBe(1);
    expect(await sandbox.evaluate(source, null)).toBe(1);
  });

  it('has chance by its seed only', async () => {
    const source = 'export default () => [Math.random(), Math.random()];';
    const [first, again, other] = await Promise.all(
      [7, 7, 8].map((seed) => sandbox.evaluate(source, null, { seed })),
    );
    expect(first).toEqual(again);
    expect(first).not.toEqual(other);
    for (const one of first as number[]) {
      expect(one).toBeGreaterThanOrEqual(0);
      expect(one).toBeLessThan(1);
    }
  });

  it('names the line of an error', async () => {
    const source = 'const f = (a) => a.b.c;\nexport default (input) => {\n  return f(input);\n};';
    await expect(sandbox.evaluate(source, {})).rejects.toThrow(
      /^the code failed: TypeError: .* \(line 1\)$/,
    );
  });

  it('stops after the same number of steps each time', async () => {
    const source = (turns: number) =>
      `export default () => { let n = 0; for (let i = 0; i < ${turns}; i++) n += i; return n; };`;
    let longest = 0;
    for (let turns = 400_000; turns < 600_000; turns += 50_000) {
      const outcomes = [
        await outcomeOf(sandbox, source(turns)),
        await outcomeOf(sandbox, source(turns)),
      ];
      expect(outcomes[0]).toEqual(outcomes[1]);
      if (!(outcomes[0] instanceof AlasError)) longest = turns;
    }
    expect(longest).toBeGreaterThanOrEqual(450_000);
    expect(longest).toBeLessThanOrEqual(550_000);
  });

  it('keeps to the memory that it is given', async () => {
    const small = createSandbox({ memoryBytes: 2 * 2 ** 20 });
    const source = 'export default (n) => new Array(n).fill(0).map((_, i) => ({ i })).length;';
    expect(await small.evaluate(source, 1000)).toBe(1000);
    await expect(small.evaluate(source, 100_000)).rejects.toThrow(/2097152 bytes of memory/);
    expect(await sandbox.evaluate(source, 20_000)).toBe(20_000);
    await small.close();
  });

  it('refuses an input that is no JSON, and one that is too long', async () => {
    const undefinedInput = { a: Number.NaN };
    await expect(sandbox.evaluate(GOOD, undefinedInput)).rejects.toThrow(/which JSON cannot hold/);
    await expect(sandbox.evaluate(GOOD, 'a'.repeat(20_001))).rejects.toThrow(
      /^the input has 20003 /,
    );
  });

  it('works after the sandbox was closed', async () => {
    await sandbox.close();
    expect(await sandbox.evaluate(GOOD, { items: [] })).toEqual({ total: 0 });
  });
});
