import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);

/**
 * The commit of this package where it runs from a git checkout, with `-changed` behind it if files
 * differ from that commit; null elsewhere.
 */
export function packageCommit(): string | null {
  if (!existsSync(new URL('.git', root))) return null;
  try {
    const changes = git('status', '--porcelain', '--untracked-files=no');
    return git('rev-parse', 'HEAD') + (changes === '' ? '' : '-changed');
  } catch {
    return null;
  }
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', fileURLToPath(root), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
