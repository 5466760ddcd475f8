import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { auditVerdict } from '../scripts/audit-verdict.mjs';
import { LOCKS, productionPackages } from '../scripts/production-packages.mjs';

const run = (...args: string[]) =>
  execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });

describe('the audit', () => {
  const answer = (vulnerabilities: object, total: number) =>
    JSON.stringify({ vulnerabilities, metadata: { vulnerabilities: { total } } });

  it('fails for what is high or critical, and names it', () => {
    const one = { name: 'a', severity: 'high', range: '<2' };
    const { isSound, lines } = auditVerdict(answer({ a: one }, 2));
    expect(isSound).toBe(false);
    expect(lines[0]).toBe('a <2 has a vulnerability: high');
  });

  it('passes without findings, and with lesser ones', () => {
    expect(auditVerdict(answer({}, 0)).isSound).toBe(true);
    expect(auditVerdict(answer({ a: { name: 'a', severity: 'low' } }, 1)).isSound).toBe(true);
  });

  it('says that a registry without an audit, or no network, answered nothing', () => {
    const without = auditVerdict('{"message":"405 Method Not Allowed","statusCode":405}');
    expect(without.isSound).toBe(true);
    expect(without.lines[0]).toMatch(/^not audited/);
    const error = { code: 'ENOTFOUND', summary: 'request failed' };
    expect(auditVerdict(JSON.stringify({ error })).isSound).toBe(true);
  });

  it('fails if it broke off for another reason', () => {
    const error = { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' };
    expect(auditVerdict(JSON.stringify({ error })).isSound).toBe(false);
    expect(auditVerdict('').isSound).toBe(false);
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

  it('comes from lock files without addresses, so that no registry is named', () => {
    for (const lock of LOCKS) {
      const text = readFileSync(lock, 'utf8');
      expect(text).not.toMatch(/"resolved": "https?:/);
      expect(productionPackages(lock).every(({ integrity }) => integrity !== '')).toBe(true);
    }
  });
});
