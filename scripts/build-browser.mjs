// Bundles the engine for browsers: `alas-jssp/browser`, one file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { browserModules } from './browser-modules.mjs';
import { bundledLicences } from './bundled-licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = 'dist/browser/engine.js';

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/browser/index.ts'],
  outfile: target,
  bundle: true,
  minify: true,
  keepNames: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  charset: 'utf8',
  legalComments: 'none',
  conditions: ['alas-source'],
  plugins: [browserModules],
  metafile: true,
  logLevel: 'warning',
});
const script = join(root, target);
writeFileSync(script, `${readFileSync(script, 'utf8')}/*\n${bundledLicences(metafile)}\n*/\n`);
