import { readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The module of a specifier that is of this project: of the same package, or of the core or the workflows. */
function moduleOf(specifier: string, file: string): string | undefined {
  if (specifier.startsWith('.')) return resolve(dirname(file), specifier);
  const [, name, inner] = /^@alas-jssp\/(core|workflow)(?:\/(.*))?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const entry = name === 'core' ? inner : inner === undefined ? 'index' : `${inner}/index`;
  return resolve(root, `packages/${name}/dist/${entry}.js`);
}

/** The folders of dist and the packages that an entry loads before any of its functions is called. */
function loadedBy(entry: string): { folders: string[]; packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const load = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const specifier of staticImports(readFileSync(file, 'utf8'))) {
      const module = moduleOf(specifier, file);
      if (module !== undefined) load(module);
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  };
  load(resolve(root, entry));
  const folders = new Set(
    Array.from(
      files,
      (file) =>
        relative(root, file)
          .replace(/^(packages\/|dist\/)/, '')
          .split(sep)[0],
    ),
  );
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
  const { folders, packages } = loadedBy('dist/index.js');
  expect(folders).toEqual(['core', 'index.js', 'jssp', 'search', 'validator']);
  expect(packages).toEqual(loadedBy('dist/jssp/index.js').packages);
});

test('the repair engine loads what it is made of', () => {
  const { folders, packages } = loadedBy('dist/lcrp/index.js');
  expect(folders).toEqual(['core', 'disruption', 'jssp', 'lcrp', 'search', 'validator']);
  expect(packages).toEqual(['zod']);
});

test('workflows load OpenTelemetry when a run is traced, and no sooner', () => {
  const { folders, packages } = loadedBy('packages/workflow/dist/index.js');
  expect(folders).toEqual(['core', 'workflow']);
  expect(packages).not.toContain('@opentelemetry/api');
});

test('workflows load the native code of SQLite when a file is opened, and no sooner', () => {
  const { packages } = loadedBy('packages/workflow/dist/index.js');
  expect(packages).toContain('jsonata');
  expect(packages).not.toContain('libsql');
});

test('runs load the checker and its schemas when a workflow is checked, and no sooner', () => {
  expect(loadedBy('packages/workflow/dist/hosts/run.js').packages).not.toContain(
    'ajv/dist/2020.js',
  );
  expect(loadedBy('packages/workflow/dist/ir/check/sound.js').packages).toContain(
    'ajv/dist/2020.js',
  );
});

test('changesets load nothing of workflows', () => {
  const { folders, packages } = loadedBy('packages/changeset/dist/index.js');
  expect(folders).toEqual(['changeset', 'core']);
  expect(packages).toEqual(['diff', 'zod']);
});

test('clients of models have the libraries of their providers in them', () => {
  for (const name of ['openai', 'anthropic']) {
    const { packages } = loadedBy(`dist/llm/clients/${name}.js`);
    expect(packages).toEqual(['undici', 'zod']);
  }
});

test('the imports of the harness are found, so those above would be', () => {
  const { folders, packages } = loadedBy('dist/harness/index.js');
  expect(folders).toEqual(expect.arrayContaining(['harness', 'llm', 'pipeline', 'workflow']));
  expect(packages).toContain('jsonata');
});
