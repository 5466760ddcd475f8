import { execFileSync } from 'node:child_process';
import { BASE } from './site.js';

/** Builds the site below a path, as it is published. Where it was built already, `ALAS_JSSP_SITE=built` saves the time. */
export function setup(): void {
  if (process.env.ALAS_JSSP_SITE === 'built') return;
  execFileSync(process.execPath, ['site/scripts/build.mjs', '--base', BASE], { stdio: 'inherit' });
}
