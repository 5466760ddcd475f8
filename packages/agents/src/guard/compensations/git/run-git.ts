import { execFile } from 'node:child_process';
import { AlasError } from '@alas-jssp/core/errors';

/** The outcome of a command of Git. */
interface GitOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The environment of our own calls: no hooks, no prompts, no locks for reads, messages in English. */
const SETTINGS = {
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'core.hooksPath',
  GIT_CONFIG_VALUE_0: '/dev/null',
  GIT_CONFIG_KEY_1: 'core.fsmonitor',
  GIT_CONFIG_VALUE_1: 'false',
  GIT_CONFIG_KEY_2: 'advice.detachedHead',
  GIT_CONFIG_VALUE_2: 'false',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

const MOST_OUTPUT = 256 * 1024 * 1024;

/** Runs Git in a directory. Settings of the environment that point to another repository are dropped. */
export async function tryGit(
  directory: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  encoding: BufferEncoding = 'utf8',
): Promise<GitOutcome> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = { ...Object.fromEntries(inherited), ...SETTINGS, ...environment };
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      args,
      { cwd: directory, env, maxBuffer: MOST_OUTPUT, encoding },
      (error, out, err) => {
        const code = error === null ? 0 : error.code;
        if (typeof code === 'number') resolve({ code, out, err });
        else reject(new AlasError('no_git', `git cannot be run: ${error?.message}`, args));
      },
    );
  });
}

/**
 * The output of a command of Git.
 *
 * @throws AlasError `git_failed` with its last line
 */
export async function git(
  directory: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  encoding: BufferEncoding = 'utf8',
): Promise<string> {
  const { code, out, err } = await tryGit(directory, args, environment, encoding);
  if (code === 0) return out;
  throw new AlasError('git_failed', `git ${args[0]} failed: ${lastLine(err)}`, args);
}

/** The last line of a text that is not empty. */
export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
