import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Makes the bundles of threads again where the compiler alone was run since. */
export function setup(): void {
  if (!existsSync('dist')) return;
  const args = ['scripts/build.mjs', 'thread', 'service'];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
}
