import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '@alas-jssp/core/sha256';
import { describe, expect, it } from 'vitest';
import { readRun } from '../../src/harness/run/stored-run.js';

const folder = 'results/reference/leaderboard';
const sums = join(folder, 'SHA256SUMS');

describe.skipIf(!existsSync(sums))('the reference leaderboard', () => {
  const files = (existsSync(sums) ? readFileSync(sums, 'utf8') : '')
    .trim()
    .split('\n')
    .map((line) => line.split('  '));

  it('is as it was made', () => {
    for (const [sum, file] of files) {
      expect(sha256(readFileSync(join(folder, file))), file).toBe(sum);
    }
  });

  it('has finished runs that can be read, and no path of the machine', () => {
    for (const name of new Set(files.map(([, file]) => dirname(file)))) {
      const { manifest, records } = readRun(join(folder, name));
      expect(manifest.outcome.interrupted, name).toBe(false);
      expect(records.length, name).toBeGreaterThan(0);
      expect(JSON.stringify([manifest, records]), name).not.toMatch(/\/(home|tmp|root|work)\//);
    }
  });
});
