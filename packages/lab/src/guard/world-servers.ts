// The real servers of the worlds, and the policy of the guard in front of them.
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '@alas-jssp/core/random';
import type { GuardFiles } from './guard-process.js';
import type { WorldPlaces } from './real-world.js';
import type { ServerName } from './world.js';

const engines = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
const SERVERS = join(engines, 'mcp-servers-2026.10');
const SHIM = join(import.meta.dirname, 'shim.js');

/** Whether `engines/mcp-servers/install.sh` has been run. */
export const hasServers = existsSync(join(SERVERS, 'installed.txt'));

/** The servers of a world. Not always all four: each start of a guard starts them, which costs most of a session's time. */
const CHOICES: readonly (readonly ServerName[])[] = [
  ['files', 'memory', 'git'],
  ['files', 'memory', 'database'],
  ['files', 'memory', 'git', 'database'],
];

export function chooseServers(random: Random): readonly ServerName[] {
  return CHOICES[random.integer(0, CHOICES.length - 1)];
}

/** Writes the policy of a guard in front of some of the servers, each behind a shim. */
export function writePolicy(
  { directory, root, repository, graph, database }: WorldPlaces,
  seed: string,
  names: readonly ServerName[],
): GuardFiles {
  const script = (name: string) =>
    join(SERVERS, 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js');
  const shim = (name: string, ...command: string[]) => ({
    command: [process.execPath, SHIM, `${seed}-${name}`, '0.06', '3000', ...command],
    directory,
  });
  const git = [join(SERVERS, 'git/bin/mcp-server-git'), '--repository', repository];
  const sqlite = [join(SERVERS, 'sqlite/bin/mcp-server-sqlite'), '--db-path', database];
  const all = {
    files: shim('files', process.execPath, script('filesystem'), root),
    memory: {
      ...shim('memory', process.execPath, script('memory')),
      environment: ['MEMORY_FILE_PATH'],
    },
    git: shim('git', ...git),
    database: shim('database', ...sqlite),
  };
  const policy = {
    schema: 'alas-jssp/guard@1',
    servers: Object.fromEntries(names.map((name) => [name, all[name]])),
    timeoutSeconds: 2,
    lateAnswerSeconds: 1,
  };
  const file = join(directory, 'policy.json');
  writeFileSync(file, JSON.stringify(policy, null, 2));
  return {
    policy: file,
    log: join(directory, 'guard.db'),
    report: join(directory, 'report.json'),
    environment: { MEMORY_FILE_PATH: graph },
  };
}
