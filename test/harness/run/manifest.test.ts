import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRun } from '../../../src/harness/run/stored-run.js';
import { runTest, temporaryDirectory, withoutSeconds } from '../fixtures.js';

describe('a manifest', () => {
  it('of another version is refused, with both versions', () => {
    const directory = temporaryDirectory();
    const manifest = JSON.parse(readFileSync('results/reference/abz/manifest.json', 'utf8'));
    const other = { ...manifest, schema: 'alas-jssp/manifest@2' };
    writeFileSync(join(directory, 'manifest.json'), JSON.stringify(other));
    writeFileSync(join(directory, 'records.jsonl'), '');
    expect(() => readRun(directory)).toThrow(
      /manifest.json:\$.schema: this is "alas-jssp\/manifest@2"; this alas-jssp reads version 1: update it/,
    );
  });

  it('lets a program repeat the run', async () => {
    const first = await runTest({ suite: 'ft06', planners: ['insertion'], seed: 2 });
    const again = await runTest({ ...first.manifest.spec });
    expect(withoutSeconds(again.records)).toEqual(withoutSeconds(first.records));
  });
});
