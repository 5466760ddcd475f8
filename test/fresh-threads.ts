import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { globSync } from 'tinyglobby';

/** The bundle that worker threads load. */
const BUNDLE = 'dist/thread/worker.js';

/** Makes the bundle of the worker threads anew where the compiler alone was run since. */
export function setup(): void {
  if (!existsSync('dist')) return;
  const built = existsSync(BUNDLE) ? statSync(BUNDLE).mtimeMs : 0;
  const files = globSync('dist/**/*.js', { ignore: 'dist/thread/**' });
  if (files.some((file) => statSync(file).mtimeMs > built)) {
    execFileSync(process.execPath, ['scripts/build-thread.mjs'], { stdio: 'inherit' });
  }
}
