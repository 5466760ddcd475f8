import { readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

/** The folders of dist and the packages that an entry loads before any of its functions is called. */
function loadedBy(entry: string): { folders: string[]; packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const load = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const specifier of staticImports(readFileSync(file, 'utf8'))) {
      if (specifier.startsWith('.')) load(resolve(dirname(file), specifier));
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  };
  load(resolve(dist, entry));
  const folders = new Set(Array.from(files, (file) => relative(dist, file).split(sep)[0]));
  return { folders: [...folders].sort(), packages: [...packages].sort() };
}

/** Specifiers of `import … from '…'`, `import '…'` and `export … from '…'` in what tsc writes. */
function staticImports(text: string): string[] {
  const statements = text.matchAll(
    /^(?:import|export)\b(?:[^'"();]*?\bfrom)?\s*['"]([^'"]+)['"]/gm,
  );
  return Array.from(statements, ([, specifier]) => specifier);
}

test('the façade loads neither harness nor pipeline, models, workflow or repair', () => {
  const { folders, packages } = loadedBy('index.js');
  expect(folders).toEqual(['core', 'index.js', 'jssp', 'search', 'validator']);
  expect(packages).toEqual(loadedBy('jssp/index.js').packages);
});

test('the repair engine loads what it is made of', () => {
  const { folders, packages } = loadedBy('lcrp/index.js');
  expect(folders).toEqual(['core', 'disruption', 'jssp', 'lcrp', 'search', 'validator']);
  expect(packages).toEqual(['seedrandom/lib/xor128.js', 'zod']);
});

test('workflows load OpenTelemetry when a run is traced, and no sooner', () => {
  const { folders, packages } = loadedBy('workflow/index.js');
  expect(folders).toEqual(['core', 'workflow']);
  expect(packages).not.toContain('@opentelemetry/api');
});

test('runs load the checker and its schemas when a workflow is checked, and no sooner', () => {
  expect(loadedBy('workflow/hosts/run.js').packages).not.toContain('ajv/dist/2020.js');
  expect(loadedBy('workflow/ir/check/sound.js').packages).toContain('ajv/dist/2020.js');
});

test('changesets load nothing of workflows', () => {
  const { folders, packages } = loadedBy('changeset/index.js');
  expect(folders).toEqual(['changeset', 'core']);
  expect(packages).toEqual(['diff', 'zod']);
});

test('the imports of the harness are found, so those above would be', () => {
  const { folders, packages } = loadedBy('harness/index.js');
  expect(folders).toEqual(expect.arrayContaining(['harness', 'llm', 'pipeline', 'workflow']));
  expect(packages).toContain('piscina');
});
