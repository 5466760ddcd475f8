import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../bin/alas-jssp-temporal.js', import.meta.url));

/** A worker in a process of its own, which can be killed. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  /** Sends a signal, and waits for the end of the process. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the command `worker`, in a directory, and waits until it polls. */
export async function spawnWorker(
  address: string,
  options: readonly string[] = [],
  { cwd, command = COMMAND }: { readonly cwd?: string; readonly command?: string } = {},
): Promise<WorkerProcess> {
  const words = [command, 'worker', '--address', address, ...options];
  const child = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'inherit', 'pipe'] });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const isReady = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (/ polls /.test(line)) resolve();
      else console.error(`worker ${child.pid}: ${line}`);
    });
    ended.then((code) => reject(new Error(`the worker ended with ${code}`)));
  });
  await isReady;
  return {
    child,
    end(signal = 'SIGTERM') {
      child.kill(signal);
      process.off('exit', kill);
      return ended;
    },
  };
}
