import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { globSync } from 'tinyglobby';

/** The bundles that threads load, with what makes them from which builds. */
const BUNDLES = [
  { bundle: 'dist/thread/worker.js', made: 'scripts/build-thread.mjs', from: ['dist'] },
  {
    bundle: 'packages/service/dist/thread/shops.js',
    made: 'packages/service/build.mjs',
    from: ['dist', 'packages/service/dist'],
  },
];

/** Makes the bundles of threads again where the compiler alone was run since. */
export function setup(): void {
  if (!existsSync('dist')) return;
  for (const { bundle, made, from } of BUNDLES) {
    const built = existsSync(bundle) ? statSync(bundle).mtimeMs : 0;
    const files = globSync(
      from.map((folder) => `${folder}/**/*.js`),
      { ignore: ['**/thread/**', '**/page/*.js'] },
    );
    if (files.some((file) => statSync(file).mtimeMs > built))
      execFileSync(process.execPath, [made], { stdio: 'inherit' });
  }
}
