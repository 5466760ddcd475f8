import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

/** A directory with a proof of ft06. */
async function proven(): Promise<string> {
  const cwd = temporaryDirectory();
  expect((await cli(['prove', 'ft06', '--out', 'ft06.proof.gz'], { cwd })).code).toBe(0);
  return cwd;
}

describe('alas-jssp prove and verify', () => {
  it('write a proof and check it', async () => {
    const cwd = temporaryDirectory();
    const proved = await cli(['prove', 'ft06', '--out', 'ft06.proof.gz', '--json'], { cwd });
    expect(proved.code).toBe(0);
    expect(JSON.parse(proved.stdout)).toMatchObject({
      schema: 'alas-jssp/bound-proof@1',
      instance: 'ft06',
      bound: 55,
      verdict: 'proven',
      makespan: null,
    });
    const { code, stdout } = await cli(['verify', 'ft06.proof.gz', '--format', 'table'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^ft06: proven, no schedule ends before 55, which is the best known makespan \(\d+ clauses?, \d+ steps?\)\n$/,
    );
    const asJson = await cli(['verify', 'ft06.proof.gz', '--json'], { cwd });
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      schema: 'alas-jssp/proof-verification@1',
      valid: true,
      bound: 55,
    });
  });

  it('say that a schedule is optimal with a proof of its makespan', async () => {
    const cwd = await proven();
    const plan = ['optimize', 'ft06', '--out', 'plan.json'];
    expect((await cli(plan, { cwd })).code).toBe(0);
    await cli(['validate', 'ft06', 'plan.json', '--certificate', 'c.json'], { cwd });
    const verify = ['verify', 'c.json', '--proof', 'ft06.proof.gz'];
    const { code, stdout } = await cli([...verify, '--format', 'table'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe('ft06: true, a feasible schedule of makespan 55, optimal, proven\n');
    const { optimality, proof } = JSON.parse((await cli([...verify, '--json'], { cwd })).stdout);
    expect([optimality, proof.valid, proof.bound]).toEqual(['proof', true, 55]);
  });

  it('refuse a proof that is wrong', async () => {
    const cwd = await proven();
    const lines = gunzipSync(readFileSync(join(cwd, 'ft06.proof.gz')))
      .toString()
      .split('\n');
    writeFileSync(join(cwd, 'cut.proof'), lines.slice(0, 4).join('\n').slice(0, -20));
    const { code, stdout } = await cli(['verify', 'cut.proof', '--format', 'table'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ft06: not proven, (line 4: |it ends after line 4, without a)/);
    await cli(['optimize', 'ft06', '--out', 'plan.json'], { cwd });
    await cli(['validate', 'ft06', 'plan.json', '--certificate', 'c.json'], { cwd });
    const both = await cli(['verify', 'c.json', '--proof', 'cut.proof', '--json'], { cwd });
    expect(both.code).toBe(1);
    expect(JSON.parse(both.stdout)).toMatchObject({ valid: false, optimality: 'none' });
  });

  it('refuse what they cannot use in one line', async () => {
    const cwd = await proven();
    writeFileSync(join(cwd, 'c.json'), '{"instance": {"name": "ft06"}, "makespan": 55}');
    for (const [args, problem] of [
      [['verify', 'c.json', '--proof', 'no.gz'], 'no.gz: there is no such file; check the path'],
      [['verify', 'c.json', '--proof', '.'], '.: this is a directory; name a file inside it'],
      [['verify', 'ft06.proof.gz', '--proof', 'ft06.proof.gz'], 'this is a proof itself'],
      [['prove', 'ft06', '--budget', '10s,target:3'], 'a proof has no target'],
    ] as const) {
      const { code, stderr } = await cli([...args], { cwd });
      expect(code).toBe(2);
      expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(problem)]);
    }
    const name = 'x'.repeat(1000);
    writeFileSync(
      join(cwd, 'far.proof'),
      `alas-jssp proof 1\ninstance ${'0'.repeat(64)} ${name}\nbound 3\n`,
    );
    expect((await cli(['verify', 'far.proof'], { cwd })).stderr.length).toBeLessThan(300);
  });

  it('end without a proof of what is false or takes too long', async () => {
    const wrong = await cli(['prove', 'ft06', '--bound', '56']);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('56 is no bound: there is a schedule that ends at 55');
    const short = await cli(['prove', 'la38', '--budget', '20-iterations']);
    expect(short.code).toBe(1);
    expect(short.stderr).toMatch(/not proven after \d+ contradictions/);
  });

  it('name what is missing', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'tiny.txt'), '1 1\n0 3\n');
    const unknown = await cli(['prove', 'tiny.txt'], { cwd });
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('name the bound to prove with --bound');
    await cli(['prove', 'tiny.txt', '--bound', '3', '--out', 'tiny.proof'], { cwd });
    const unnamed = await cli(['verify', 'tiny.proof'], { cwd });
    expect(unnamed.code).toBe(2);
    expect(unnamed.stderr).toContain('name the file of its instance with --instance');
    const named = await cli(['verify', 'tiny.proof', '--instance', 'tiny.txt'], { cwd });
    expect(named.code).toBe(0);
  });
});
