import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundledLicences } from './bundled-licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles the code of a page for browsers, from its sources.
 *
 * @param source folder below the root, with `main.tsx` and `style.css`, which become `page.js` and `page.css`
 * @param target folder of the bundles, below the root
 * @param others further scripts in `source`, bundled under their own names
 * @param plugins plugins of esbuild
 * @param wrapper the name of a function around the script, so that the script can read its own text; default: none
 */
export async function bundlePage({ source, target, others = [], plugins = [], wrapper = null }) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: `${source}/main.tsx`, out: 'page' },
      { in: `${source}/style.css`, out: 'page' },
      ...others.map((out) => ({ in: `${source}/${out}.ts`, out })),
    ],
    outdir: target,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    conditions: ['alas-source'],
    plugins,
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'warning',
  });

  // Pages are passed on, and the licenses of what is in them with them.
  const script = join(root, target, 'page.js');
  const code = readFileSync(script, 'utf8');
  const wrapped = wrapper === null ? code : `function ${wrapper}(){${code}}${wrapper}();\n`;
  writeFileSync(script, `${wrapped}/*\n${bundledLicences(metafile)}\n*/\n`);
}
