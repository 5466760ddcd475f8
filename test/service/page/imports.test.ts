import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const folder = 'src/service/page/browser';

/** Everything that a file imports: whether types only, and from where. */
function importsOf(file: string): { isType: boolean; from: string }[] {
  const text = readFileSync(join(folder, file), 'utf8');
  return Array.from(
    text.matchAll(/^(?:import|export)( type)?\b[^'";]*?\bfrom\s*'([^']+)'/gm),
    ([, type, from]) => ({ isType: type !== undefined, from }),
  );
}

test("the foreman's page runs its own code, its texts, the chart of the page of results and the validator: no code of the service", () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const foreign = files.flatMap((file) =>
    importsOf(file)
      .filter(({ isType, from }) => {
        if (!from.startsWith('.'))
          return !/^(preact(\/hooks)?|eventsource-parser\/\w+|@alas-jssp\/core\/(clock|languages))$/.test(
            from,
          );
        const path = normalize(join(folder, dirname(file), from));
        if (path.startsWith(folder) || path.startsWith('src/service/page/texts/')) return false;
        if (/^src\/report\/page\/browser\//.test(path)) return false;
        // Moves by hand are judged where they are made, by the judge itself.
        if (/^src\/(validator\/|jssp\/(calendar|instance|schedule)\.js)/.test(path)) return false;
        return !isType || !/^src\/(report\/page\/views|service\/api)\//.test(path);
      })
      .map(({ from }) => `${file}: ${from}`),
  );
  expect(files.length).toBeGreaterThan(15);
  expect(foreign).toEqual([]);
});
