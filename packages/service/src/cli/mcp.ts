import { Readable, type Writable } from 'node:stream';
import { inspect } from 'node:util';
import {
  Command,
  onInterruption,
  printError,
  remark,
  type Session,
  seconds,
  wholeNumber,
  withQuiet,
} from 'alas-jssp/command-line';
import { limitsSchema } from '../http/limits.js';

const usual = limitsSchema.parse({});

interface Options {
  folder?: string;
  operations: number;
  seconds: number;
  searches: number;
}

/** `alas-jssp mcp`: serves tools to agents over stdin and stdout. */
export function mcpCommand(session: Session): Command {
  return withQuiet(session, new Command('mcp'))
    .option('--folder <dir>', 'folder of instances and plans that agents may read (default: none)')
    .option(
      '--operations <count>',
      'most operations of an instance',
      wholeNumber('a count', 1),
      usual.operations,
    )
    .option('--seconds <seconds>', 'longest search', seconds, usual.seconds)
    .option(
      '--searches <count>',
      'number of computing threads; further calls wait',
      wholeNumber('a count', 1),
      usual.searches,
    )
    .addHelpText(
      'after',
      `
An agent's client starts this command and uses the Model Context Protocol (MCP)
over stdin and stdout; the command ends with the client. Tools list and show
instances, judge, repair and optimize plans, explain repairs, and try events
out. docs/how-to/mcp.md explains how to connect clients. For tools of living
shops, and for HTTP, see serve.

Examples:
  $ alas-jssp mcp
  $ alas-jssp mcp --folder ./shop --seconds 20`,
    )
    .action(async ({ folder, operations, seconds: most, searches }: Options) => {
      const limits = { operations, seconds: most, searches };
      const { serveAgent } = await import('../mcp/stdio.js');
      const { stdin, stdout } = session.host;
      if (stdout.isTTY) remark(session, 'waiting for the first message of an MCP client on stdin');
      const interrupt = new AbortController();
      const deafen = onInterruption(session, () => interrupt.abort());
      const streams = {
        stdin: Readable.from(stdin, { objectMode: false }),
        stdout: stdout as Writable,
      };
      const onBug = (error: unknown) => printError(session, inspect(error));
      await serveAgent({ ...streams, folder, limits, onBug }, interrupt.signal).finally(deafen);
    });
}
