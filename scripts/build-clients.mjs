// Puts the libraries of OpenAI and Anthropic into the clients that use them: 2 MB instead of the 50 MB that both take
// when they are installed, most of which are types and source maps.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundledLicences } from './bundled-licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = 'dist/llm/clients';
const HEAD = '// With its library: see licenses.txt.\n';
const files = ['openai', 'anthropic'].map((name) => join(root, folder, `${name}.js`));

/** Everything else that the clients import stays where it is. */
const librariesOnly = {
  name: 'libraries only',
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ path, importer }) => {
      const isLibrary = /^(openai|@anthropic-ai\/sdk)(\/|$)/.test(path);
      return files.includes(importer) && !isLibrary ? { path, external: true } : null;
    }),
};

const isDone = files.every((file) => readFileSync(file, 'utf8').startsWith(HEAD));
if (!isDone) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    outdir: folder,
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    keepNames: true,
    legalComments: 'none',
    metafile: true,
    plugins: [librariesOnly],
  });
  for (const file of files) writeFileSync(file, HEAD + readFileSync(file, 'utf8'));
  writeFileSync(join(root, folder, 'licenses.txt'), bundledLicences(metafile));
}
