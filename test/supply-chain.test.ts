import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { auditVerdict } from '../scripts/audit-verdict.mjs';
import { LOCKS, productionPackages } from '../scripts/production-packages.mjs';

/** Files with the licences of the packages that a bundle contains. */
const BUNDLES = [
  'dist/browser/engine.js',
  'dist/llm/clients/licenses.txt',
  'dist/report/page/page.js',
  'dist/thread/licenses.txt',
  'packages/engine/dist/code/licenses.txt',
  'packages/service/dist/page/page.js',
  'packages/service/dist/thread/licenses.txt',
];
/** The line of a bundled package, such as `preact 11.2.0 (MIT)`. */
const BUNDLED = /^((?:@[\w.-]+\/)?[a-z][\w.-]*) (\d[\w.-]*) \([^)]+\)$/gm;

const run = (...args: string[]) =>
  execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });

describe('the audit', () => {
  const shipped = new Set(['node_modules/a']);
  const verdict = (text: string) => auditVerdict(text, shipped);
  const answer = (...found: readonly { name: string; severity: string; range?: string }[]) =>
    JSON.stringify({
      vulnerabilities: Object.fromEntries(
        found.map((one) => [one.name, { ...one, nodes: [`node_modules/${one.name}`] }]),
      ),
      metadata: { vulnerabilities: { total: found.length } },
    });

  it('fails for what is high or critical, and names it', () => {
    const { isSound, lines } = verdict(answer({ name: 'a', severity: 'high', range: '<2' }));
    expect(isSound).toBe(false);
    expect(lines[0]).toBe('a <2 has a vulnerability: high');
  });

  it('passes without findings, with lesser ones, and with those of tools for development', () => {
    expect(verdict(answer()).isSound).toBe(true);
    const { isSound, lines } = verdict(
      answer({ name: 'a', severity: 'low' }, { name: 'tool', severity: 'critical' }),
    );
    expect(isSound).toBe(true);
    expect(lines).toEqual(['0 vulnerabilities that are high or critical, 1 others']);
  });

  it('says that a registry without an audit, or no network, answered nothing', () => {
    const without = verdict('{"message":"405 Method Not Allowed","statusCode":405}');
    expect(without.isSound).toBe(true);
    expect(without.lines[0]).toMatch(/^not audited/);
    const error = { code: 'ENOTFOUND', summary: 'request failed' };
    expect(verdict(JSON.stringify({ error })).isSound).toBe(true);
  });

  it('fails if it broke off for another reason', () => {
    const error = { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' };
    expect(verdict(JSON.stringify({ error })).isSound).toBe(false);
    expect(verdict('').isSound).toBe(false);
  });
});

describe('what users install', () => {
  it('has allowed licences, no install script that was not reviewed, and a current page', () => {
    expect(() => run('scripts/licences.mjs', '--check')).not.toThrow();
  });

  it.each(LOCKS)('is in the bill of materials of %s, the same each time', (lock) => {
    const bill = run('scripts/sbom.mjs', '--lock', lock);
    expect(run('scripts/sbom.mjs', '--lock', lock)).toBe(bill);
    const { components } = JSON.parse(bill);
    const names = components.map(({ name }: { name: string }) => name);
    const { dependencies } = JSON.parse(
      readFileSync(lock.replace('package-lock.json', 'package.json'), 'utf8'),
    );
    const foreign = Object.keys(dependencies).filter((name) => !name.startsWith('@alas-jssp/'));
    expect(names).toEqual(expect.arrayContaining(foreign));
    expect(names).not.toContain('vitest');
    for (const { hashes } of components) expect(hashes).toHaveLength(1);
  });

  it('includes every package of which a bundle has the licence', () => {
    const listed = productionPackages().map(({ name, version }) => `${name} ${version}`);
    for (const bundle of BUNDLES) {
      const text = readFileSync(bundle, 'utf8');
      const bundled = [...text.matchAll(BUNDLED)].map(([, name, version]) => `${name} ${version}`);
      expect(bundled, bundle).not.toEqual([]);
      expect(listed, bundle).toEqual(expect.arrayContaining(bundled));
    }
  });

  it('has a reason in the threat model for each package, and for no other', () => {
    const page = readFileSync('docs/design/threats.md', 'utf8');
    const [, section = ''] = page.split('\nDependencies of `alas-jssp` itself');
    const [table] = section.split('\nThe other packages');
    const explained = Array.from(table.matchAll(/^\| `([^`]+)` \|/gm), ([, name]) => name);
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const foreign = Object.keys(dependencies).filter((name) => !name.startsWith('@alas-jssp/'));
    expect(explained.sort()).toEqual(foreign.sort());
  });

  it('comes from lock files without addresses, so that no registry is named', () => {
    for (const lock of LOCKS) {
      const text = readFileSync(lock, 'utf8');
      expect(text).not.toMatch(/"resolved": "https?:/);
      expect(productionPackages(lock).every(({ integrity }) => integrity !== '')).toBe(true);
    }
  });
});
