import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { ROOT } from './places.mjs';

/**
 * Packages without pages of their own: the lab is not published, the engine has the same entries as alas-jssp, and
 * Temporal's types are not installed with the checkout.
 */
const LEFT_OUT = ['packages/lab', 'packages/engine', 'packages/temporal'];

/** The public entries of the published packages with their source files: all but internal ones and styles. */
export function publicEntries() {
  const homes = [
    '.',
    ...globSync('packages/*', { cwd: ROOT, onlyDirectories: true, expandDirectories: false }),
  ];
  return homes
    .map((home) => home.replace(/\/$/, ''))
    .filter((home) => !LEFT_OUT.includes(home))
    .flatMap((home) => {
      const { name, exports } = JSON.parse(readFileSync(join(ROOT, home, 'package.json'), 'utf8'));
      return Object.entries(exports).flatMap(([entry, target]) => {
        const source = sourceOf(target);
        if (source === null || /^\.\/(?:internal\/|page\/parts)/.test(entry) || entry.includes('*'))
          return [];
        return [{ name: name + entry.slice(1), file: join(ROOT, home, source) }];
      });
    });
}

function sourceOf(target) {
  const source =
    target['alas-source'] ?? target.types?.replace('/dist/', '/src/').replace(/\.d\.ts$/, '.ts');
  return source?.endsWith('.ts') ? source : null;
}
