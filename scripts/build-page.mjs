// Bundles the browser's part of the page of results into dist/report/page/: page.js and page.css.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { licensesOf } from './licenses.mjs';

const { metafile } = await build({
  entryPoints: [
    { in: 'src/report/page/browser/main.tsx', out: 'page' },
    { in: 'src/report/page/browser/style.css', out: 'page' },
  ],
  outdir: 'dist/report/page',
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
  metafile: true,
  logLevel: 'warning',
});

// Pages are passed on, and the licenses of what is in them with them.
const script = 'dist/report/page/page.js';
writeFileSync(script, `${readFileSync(script, 'utf8')}/*\n${licensesOf(metafile)}\n*/\n`);
