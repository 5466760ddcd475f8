import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ORIGIN, PLAYGROUND, ROOT, SITE } from './places.mjs';

const USAGE = `Usage: npm run site -- [options]

Builds the web site into site/dist. It needs the build of the packages, which
npm ci makes, and installs its own tools if they are missing.

  --base PATH    path of the site on its host, such as /alas-jssp/ (default: /)
  --origin URL   address of its host, for the sitemap
                 (default: ${ORIGIN})
  --check        build it as CI does, below a path, and test it
  --serve        show the site as it was built last
  -h, --help     show this text`;

const OPTIONS = {
  base: { type: 'string', default: '/' },
  origin: { type: 'string', default: ORIGIN },
  check: { type: 'boolean', default: false },
  serve: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
};

const run = (command, ...args) => execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' });

/** Runs npm where it is installed: on Windows its command is a script, which only a shell can start. */
function npm(...args) {
  const { npm_execpath: script } = process.env;
  if (script) run(process.execPath, script, ...args);
  else run('npm', ...args);
}

/** Installs the tools of the site if there are none, or others than those of the lock. */
function install() {
  const lock = statSync(join(SITE, 'package-lock.json'));
  const installed = join(SITE, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= lock.mtimeMs) return;
  npm('ci', '--prefix', SITE, '--no-audit', '--no-fund');
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) return console.log(USAGE);
  if (values.serve) {
    const { builtBase, serve } = await import('./serve.mjs');
    const { address } = await serve({ base: builtBase(), port: 4173 });
    return console.log(`${address} (Ctrl+C ends it)`);
  }
  if (!existsSync(join(ROOT, 'dist', 'index.js'))) {
    throw new Error('the packages are not built: run npm run build first');
  }
  install();
  if (values.check)
    return run(
      process.execPath,
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      'vitest.site.config.ts',
    );
  const { makeSite } = await import('./make.mjs');
  await makeSite({ ...values, hasPlayground: existsSync(PLAYGROUND) });
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
