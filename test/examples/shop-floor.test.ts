import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../examples/shop-floor.mjs', import.meta.url));

it('the shop floor lives through 1,000 events with public entries only, feasible all along', async () => {
  const imports = [...readFileSync(program, 'utf8').matchAll(/ from '(.*)'/g)].map(
    ([, from]) => from,
  );
  expect(imports.every((from) => /^(node:util|alas-jssp\/\w+)$/.test(from))).toBe(true);
  // Any other exit code than 0 is an error here.
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const [events, feasible, makespan, degradation] = stdout.split('\n');
  expect(events).toMatch(/^1000 events: /);
  for (const kind of ['arrival', 'breakdown', 'restored', 'duration', 'delay', 'cancellation']) {
    expect(events).toMatch(new RegExp(`\\b[1-9]\\d* ${kind}\\b`));
  }
  expect(feasible).toBe('feasible all along: yes');
  expect(makespan).toMatch(/^makespan: planned \d+, in the end \d+, /);
  const [repaired, shifted] = [...degradation.matchAll(/[+-]\d+\.\d+/g)].map(Number);
  expect(repaired).toBeLessThan(shifted);
});
