import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const folder = 'src/report/page/browser';

/** The imports of a file: whether of types only, and of what. */
function importsOf(file: string): { isType: boolean; from: string }[] {
  const text = readFileSync(join(folder, file), 'utf8');
  return Array.from(
    text.matchAll(/^(?:import|export)( type)?\b[^'";]*?\bfrom\s*'([^']+)'/gm),
    ([, type, from]) => ({ isType: type !== undefined, from }),
  );
}

test('the code for browsers imports its libraries, and types of what other folders hand it', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const foreign = files.flatMap((file) =>
    importsOf(file)
      .filter(({ isType, from }) => {
        if (!from.startsWith('.')) return !/^(preact(\/hooks)?|@observablehq\/plot)$/.test(from);
        const path = normalize(join(folder, dirname(file), from));
        if (path.startsWith(folder)) return false;
        // Numbers and charts as drawings look the same everywhere.
        if (
          /^src\/report\/(format|chart\/(job-colours|resource-chart|schedule-chart|time-axis))\.js$/.test(
            path,
          )
        )
          return false;
        // Clocks of shops need nothing but Intl.
        if (path === 'src/jssp/shop-clock.js') return false;
        return !isType || !/^src\/(core|jssp|harness|report\/(chart|page\/views))\//.test(path);
      })
      .map(({ from }) => `${file}: ${from}`),
  );
  expect(files.length).toBeGreaterThan(5);
  expect(foreign).toEqual([]);
});
