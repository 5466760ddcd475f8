// Bundles the browser's part of the page of results into dist/report/page/: page.js and page.css.
import { build } from 'esbuild';

await build({
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
  logLevel: 'warning',
});
