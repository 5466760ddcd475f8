import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const home = 'packages/service/src';
const folder = `${home}/page/browser`;

/** Everything that a file imports: whether types only, and from where. */
function importsOf(file: string): { isType: boolean; from: string }[] {
  const text = readFileSync(join(folder, file), 'utf8');
  return Array.from(
    text.matchAll(/^(?:import|export)( type)?\b[^'";]*?\bfrom\s*'([^']+)'/gm),
    ([, type, from]) => ({ isType: type !== undefined, from }),
  );
}

test("the foreman's page runs its own code, its texts, and the parts for pages of alas-jssp: no code of the service", () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const foreign = files.flatMap((file) =>
    importsOf(file)
      .filter(({ isType, from }) => {
        if (!from.startsWith('.'))
          return !/^(preact(\/hooks)?|eventsource-parser\/\w+|@alas-jssp\/core\/(clock|languages)|alas-jssp\/page(\/parts)?)$/.test(
            from,
          );
        const path = normalize(join(folder, dirname(file), from));
        if (path.startsWith(folder) || path.startsWith(`${home}/page/texts/`)) return false;
        return !isType || !path.startsWith(`${home}/api/`);
      })
      .map(({ from }) => `${file}: ${from}`),
  );
  expect(files.length).toBeGreaterThan(15);
  expect(foreign).toEqual([]);
});
