import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const folder = 'src/playground';

/** What the playground may import of other folders: the engine for browsers, and pages' parts and views. */
const ALLOWED = [
  /^src\/browser\/index\.js$/,
  /^src\/report\/page\/browser\/(gantt|parts|shell)\//,
  /^src\/report\/page\/views\/(moves-view|schedule-data|schedule-view)\.js$/,
  /^src\/report\/chart\/gantt-svg\.js$/,
];

const LIBRARIES = /^(preact(\/hooks)?|playground-benchmarks|@alas-jssp\/core\/clock)$/;

test('the playground imports the engine for browsers, and parts of the other pages', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.d)\.tsx?$/.test(file),
  );
  const foreign = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const imports = text.matchAll(/^(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'/gm);
    return Array.from(imports, ([, from]) => from)
      .filter((from) => {
        if (!from.startsWith('.')) return !LIBRARIES.test(from);
        const path = normalize(join(folder, dirname(file), from));
        return !path.startsWith(`${folder}/`) && !ALLOWED.some((one) => one.test(path));
      })
      .map((from) => `${file}: ${from}`);
  });
  expect(files.length).toBeGreaterThan(20);
  expect(foreign).toEqual([]);
});
