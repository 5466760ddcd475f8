// Asks the registry for known vulnerabilities of what users install. Exits with 1 for those that are high or critical; says
// so, and exits with 0, where there is no network or the registry has no audit.
//   npm run audit
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { auditVerdict } from './audit-verdict.mjs';
import { LOCKS, productionPackages } from './production-packages.mjs';

for (const lock of LOCKS) {
  // Not `--omit=dev`: bundles contain packages that are dependencies for development.
  const command = ['audit', '--json', '--package-lock-only', '--prefix', dirname(lock)];
  const { stdout } = spawnSync('npm', command, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const { isSound, lines } = auditVerdict(
    stdout ?? '',
    new Set(productionPackages(lock).map(({ path }) => path)),
  );
  for (const line of lines) console.log(`${lock}: ${line}`);
  if (!isSound) process.exitCode = 1;
}
