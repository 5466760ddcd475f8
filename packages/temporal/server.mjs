// Temporal's development server as install.sh built it, for tests, trials and benchmarks.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const VERSION = 'v1.5.1';

const LOCAL = '127.0.0.1';

/** The installed server and the built package; undefined where one of them is missing. */
export function find() {
  const home = env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache', 'alas-jssp', 'engines');
  const place = join(home, `temporal-${VERSION}`);
  const isBuilt = existsSync(new URL('dist/workflow-bundle.js', import.meta.url));
  return existsSync(join(place, 'installed')) && isBuilt ? place : undefined;
}

/**
 * Starts a server on free ports of this machine.
 *
 * @param {{ host?: string, file?: string, port?: number, uiPort?: number, headless?: boolean,
 *   config?: Record<string, string | number> }} settings `host`: where others reach it; it listens
 *   everywhere then. `file`: its database, which
 *   outlives the process; without it all is in memory. `port`, `uiPort`: of a server that is started again.
 *   `headless: false` for its page, `config`: dynamic settings of the server by their names
 */
export async function startServer(settings = {}) {
  // Somebody else may take a port that was free just now.
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(settings);
    } catch (error) {
      if (settings.port !== undefined || attempt === 3) throw error;
    }
  }
}

async function startOnce({ host = LOCAL, file, port, uiPort, headless = true, config = {} }) {
  const place = find();
  if (place === undefined)
    throw new Error('temporal is not installed: run engines/temporal/install.sh');
  const on = port ?? (await freePort(host));
  const page = uiPort ?? (headless ? undefined : await freePort(host));
  const words = [
    'server',
    'start-dev',
    '--ip',
    host === LOCAL ? LOCAL : '0.0.0.0',
    '--port',
    String(on),
    '--log-level',
    'never',
  ];
  words.push(...(page === undefined ? ['--headless'] : ['--ui-port', String(page)]));
  if (file !== undefined) words.push('--db-filename', file);
  for (const [key, value] of Object.entries(config))
    words.push('--dynamic-config-value', `${key}=${value}`);
  const child = spawn(join(place, 'temporal'), words, { stdio: 'ignore' });
  // A test that fails may leave it behind: its process ends all the same, and takes it along.
  child.unref();
  const killAtEnd = () => child.kill('SIGKILL');
  process.once('exit', killAtEnd);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  gone.then(() => process.off('exit', killAtEnd));
  await serving(`${host}:${on}`, child);
  const end = (signal) => {
    child.ref();
    child.kill(signal);
    return gone;
  };
  return {
    server: `${host}:${on}`,
    address: (queue = 'alas-jssp') => `temporal://${host}:${on}/default?queue=${queue}`,
    port: on,
    uiPort: page,
    pid: child.pid,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

function freePort(host) {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, host, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Waits until the server takes requests: its port is open before its services are healthy. */
async function serving(address, child) {
  // The package may be not installed yet when this file is read.
  const { Connection } = await import('@temporalio/client');
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const connection = Connection.lazy({ address });
    try {
      const { status } = await connection.healthService.check({ service: WORKFLOW_SERVICE });
      // The frontend has a health of its own, which refuses every request until it is there.
      if (status === SERVING && (await connection.workflowService.getSystemInfo({}))) return;
    } catch {
      // Not yet.
    } finally {
      await connection.close();
    }
    await sleep(50);
  }
}

const WORKFLOW_SERVICE = 'temporal.api.workflowservice.v1.WorkflowService';

/** The status of a service that takes requests, as the health protocol of gRPC has it. */
const SERVING = 1;
