import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** The files and packages that importing a file loads; what is imported later does not count. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const code = readFileSync(file, 'utf8');
  for (const [, clause, name] of code.matchAll(
    /^(?:import|export) ([^;']*?)from ['"]([^'"]+)['"]/gm,
  )) {
    const isType = clause.startsWith('type ') || /^\{(\s*type \w+,?)+\s*\}/.test(clause);
    if (isType) continue;
    if (name.startsWith('.')) {
      const path = join(dirname(file), name);
      loadedBy(file.endsWith('.ts') ? path.replace(/\.js$/, '.ts') : path, seen);
    } else seen.add(name);
  }
  return seen;
}

const heavy = ['zod', 'ajv', 'csv-parse/sync', 'tinyglobby', 'libsql'];

it.each(['main.ts', 'common/command-line.ts', 'instances/list.ts'])(
  'src/cli/%s loads none of the packages that take long',
  (file) => {
    const loaded = loadedBy(join('src/cli', file));
    expect([...loaded]).toContain('commander');
    expect([...loaded].filter((name) => heavy.includes(name))).toEqual([]);
  },
);

it('loads no tables for the help', () => {
  const loaded = [...loadedBy('src/cli/main.ts')];
  expect(loaded.filter((name) => name === 'string-width')).toEqual([]);
});

it('sees what is loaded', () => {
  const loaded = loadedBy('src/cli/instances/show.ts');
  expect(loaded).toContain('zod');
  expect(loaded.size).toBeGreaterThan(50);
});

it('loads nothing of the service with the help and the list of commands', () => {
  const loaded = [...loadedBy('src/cli/main.ts'), ...loadedBy('src/cli/instances/show.ts')];
  expect(loaded.filter((name) => /\bservice\b|fastify|modelcontext/.test(name))).toEqual([]);
  expect([...loadedBy('packages/service/src/serve.ts')]).toContain('fastify');
});

it('the built service is a bundle of few files', () => {
  const folder = 'packages/service/dist/thread';
  const files = readdirSync(folder).filter((file) => /^(commands|serve).*\.js$/.test(file));
  const loaded = new Set<string>();
  for (const file of files) loadedBy(join(folder, file), loaded);
  expect(loaded).toContain('@alas-jssp/core/errors');
  // The database is loaded when the first log is opened.
  expect(loaded).not.toContain('libsql');
  expect([...loaded].filter((name) => name.startsWith(folder)).length).toBeLessThan(100);
});
