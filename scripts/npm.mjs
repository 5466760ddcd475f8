import { spawnSync } from 'node:child_process';

/** Runs npm, and throws if it fails. Returns what it prints. */
export function npm(args, options = {}) {
  const own = process.env.npm_execpath ?? '';
  // On Windows npm is a batch file, which only a shell starts. The npm that runs a script is a program of Node.
  const isProgram = /npm-cli\.js$/.test(own);
  const [file, all] = isProgram ? [process.execPath, [own, ...args]] : ['npm', args];
  const { status, stdout, stderr, error } = spawnSync(file, all, {
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
    shell: !isProgram && process.platform === 'win32',
    ...options,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}
