import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTemporal } from '../../../src/cli/common/temporal.js';
import type { RunCommandOptions } from '../../../src/cli/run/run-options.js';
import { addressOf, specOf } from '../../../src/cli/run/run-spec.js';
import { readManifest } from '../../../src/harness/run/stored-run.js';
import { cli, temporaryDirectory } from '../cli.js';

const ADDRESS = 'temporal://127.0.0.1:1/default';

describe('alas-jssp run --on', () => {
  const refused = async (...args: string[]) => {
    const out = join(temporaryDirectory(), 'run');
    const { code, stdout, stderr } = await cli(['run', '--suite', 'ft06', '--out', out, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(existsSync(out)).toBe(false);
    expect(stderr).toMatch(/^alas-jssp: [^\n]+\n$/);
    return stderr;
  };

  it('refuses what is no address of a Temporal server', async () => {
    expect(await refused('--on', 'cluster')).toBe(
      "alas-jssp: 'cluster' is no address of a Temporal server; write temporal://HOST:PORT/NAMESPACE?queue=NAME\n",
    );
  });

  it('refuses to count threads that are not here', async () => {
    expect(await refused('--on', ADDRESS, '--workers', '3')).toMatch(
      `--workers counts threads of this process, but tasks run on ${ADDRESS}; omit it`,
    );
  });

  it('performs tasks in threads of this process where it says so', async () => {
    const line = ['run', '--suite', 'ft06', '--no-out', '--on', 'here', '--workers', '1'];
    const { code, stderr } = await cli(line);
    expect([code, stderr]).toEqual([0, expect.stringMatching('1 record: 1 feasible')]);
  });

  it('resumes at the address of the run, unless another one is given', () => {
    const options: RunCommandOptions = { failOn: [], format: 'csv' };
    const out = join(temporaryDirectory(), 'run');
    mkdirSync(out);
    const manifest = JSON.parse(readFileSync('results/reference/abz/manifest.json', 'utf8'));
    writeFileSync(join(out, 'manifest.json'), JSON.stringify({ ...manifest, on: ADDRESS }));
    const before = readManifest(out);
    expect(addressOf(options, before)).toBe(ADDRESS);
    expect(addressOf({ ...options, on: 'here' }, before)).toBeUndefined();
    expect(addressOf({ ...options, on: 'temporal://other' }, before)).toBe('temporal://other');
    expect(addressOf(options, { ...before, on: undefined })).toBeUndefined();
    expect(() => addressOf({ ...options, workers: 2 }, before)).toThrow('add --on here');
    expect(specOf(options, before.spec)).not.toHaveProperty('on');
  });
});

describe('the package for Temporal', () => {
  it('is installed by its name where it is missing', async () => {
    await expect(loadTemporal(ADDRESS, `${temporaryDirectory()}/`)).rejects.toThrow(
      `${ADDRESS} needs @alas-jssp/temporal, which is not installed; npm install @alas-jssp/temporal`,
    );
  });

  it('is installed by its script in a clone', async () => {
    const clone = `${temporaryDirectory()}/`;
    writeFileSync(`${clone}package.json`, '{"type":"module"}');
    const missing = `which is not installed; run ${join(clone, '../../engines/temporal/install.sh')}`;
    await expect(loadTemporal(ADDRESS, clone)).rejects.toThrow(missing);
    // Built, but without what it depends on.
    mkdirSync(`${clone}dist`);
    writeFileSync(`${clone}dist/index.js`, "import '@temporalio/none';");
    await expect(loadTemporal(ADDRESS, clone)).rejects.toThrow(missing);
  });

  it('is loaded from where it lies in a clone', async () => {
    const clone = `${temporaryDirectory()}/`;
    mkdirSync(`${clone}dist`);
    writeFileSync(`${clone}package.json`, '{"type":"module"}');
    writeFileSync(
      `${clone}dist/index.js`,
      'export const createTemporalExecutor = (on) => ({ on });',
    );
    const { createTemporalExecutor } = await loadTemporal(ADDRESS, clone);
    expect(createTemporalExecutor(ADDRESS)).toEqual({ on: ADDRESS });
    // All of it may come from the settings of Temporal itself.
    await expect(loadTemporal('temporal:', clone)).resolves.toHaveProperty(
      'createTemporalExecutor',
    );
  });
});
