import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import type { CommandProcess, OutputStream } from 'alas-jssp/command-line';
import { main } from '../../src/cli/main.js';

/** What a command line left behind. */
interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command line in this process, with streams of its own.
 *
 * @param hear told of what is written to stderr; it may interrupt the process
 */
export async function cli(
  args: readonly string[],
  input = '',
  hear: (text: string, interrupt: () => void) => void = () => {},
): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const into = (key: keyof typeof written): OutputStream =>
    new Writable({
      decodeStrings: false,
      write: (chunk, _, done) => {
        written[key] += String(chunk);
        if (key === 'stderr') hear(String(chunk), () => void host.emit('SIGINT'));
        done();
      },
    });
  const host: CommandProcess & EventEmitter = Object.assign(new EventEmitter(), {
    stdin: (async function* () {
      yield input;
    })(),
    stdout: into('stdout'),
    stderr: into('stderr'),
    exit: (code: number): never => {
      throw new Error(`exit with ${code}`);
    },
  });
  return { code: await main(args, host), ...written };
}
