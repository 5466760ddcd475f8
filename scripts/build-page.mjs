// Bundles the code for browsers: the page of results into dist/report/page/, that of shops into dist/service/page/.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { licensesOf } from './licenses.mjs';

for (const [page, others] of [
  ['report/page', ['still']],
  ['service/page', []],
]) {
  const { metafile } = await build({
    entryPoints: [
      { in: `src/${page}/browser/main.tsx`, out: 'page' },
      { in: `src/${page}/browser/style.css`, out: 'page' },
      ...others.map((out) => ({ in: `src/${page}/browser/${out}.ts`, out })),
    ],
    outdir: `dist/${page}`,
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
  const script = `dist/${page}/page.js`;
  writeFileSync(script, `${readFileSync(script, 'utf8')}/*\n${licensesOf(metafile)}\n*/\n`);
}
