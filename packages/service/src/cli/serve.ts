import { statSync } from 'node:fs';
import { printableLine } from '@alas-jssp/core/errors';
import {
  Command,
  exitCode,
  gather,
  InvalidArgumentError,
  Option,
  onInterruption,
  print,
  printError,
  remark,
  type Session,
  wholeNumber,
  withQuiet,
} from 'alas-jssp/command-line';
import { limitsSchema, type ServiceLimits } from '../http/limits.js';
import { type AccessToken, parseTokens, readTokens } from '../http/tokens.js';

interface Options {
  port: number;
  host: string;
  data?: string;
  temporary: boolean;
  tokens?: string;
  allowHost?: string[];
  threads?: number;
  limit?: Partial<ServiceLimits>;
  logRequests: boolean;
  demo: boolean;
}

/** The environment variable with tokens, if no file is given. */
const TOKENS = 'ALAS_JSSP_TOKENS';

/** The folder of shops, unless another is named. */
const USUAL_DATA = 'alas-shops';

/** `alas-jssp serve`: starts the HTTP service. */
export function serveCommand(session: Session): Command {
  return withQuiet(session, new Command('serve'))
    .option('--port <port>', 'port to listen at; 0 for any', wholeNumber('a port', 0, 65535), 8017)
    .option(
      '--host <address>',
      'address to listen at; addresses other than 127.0.0.1 need tokens',
      '127.0.0.1',
    )
    .option('--data <dir>', `folder that keeps the shops (default: ${USUAL_DATA})`)
    .addOption(
      new Option('--temporary', 'keep the shops in a temporary folder, removed at the end')
        .default(false)
        .conflicts('data'),
    )
    .option('--tokens <file>', `JSON file of tokens (default: what ${TOKENS} holds)`)
    .option('--allow-host <name>', 'further host name of this service; may be repeated', gather)
    .option(
      '--threads <count>',
      'threads for shops (default: number of processors)',
      wholeNumber('a count', 1, 64),
    )
    .option('--limit <name=value>', 'limit, see below; may be repeated', readLimit)
    .option('--log-requests', 'write a line of JSON to stderr for each request', false)
    .option('--demo', 'simulate a shop with random events', false)
    .addHelpText(
      'after',
      `
The foreman's page is at /, the interface for programs at /openapi.json, the one
for agents (MCP) at /mcp. Shops are kept in a log, from which a killed service
resumes them. --demo keeps its shop in a temporary folder, unless --data is
given.

Tokens: [{ "name": "kim", "role": "decide", "token": "at least 16 signs" }];
roles are view, report and decide; each includes the rights of those before it.
Without tokens, the service only accepts connections from this machine.

Limits: ${limitLines()}.

Ctrl-C ends it: searches end with their best, running requests are answered.

Examples:
  $ alas-jssp serve --demo
  $ alas-jssp serve --data shops --tokens tokens.json --host 0.0.0.0
  $ alas-jssp serve --limit seconds=20 --limit searches=1`,
    )
    .action(async (options: Options) => {
      session.exitCode = await serve(session, options);
    });
}

/** Names and default values of limits, as lines of a help text. */
function limitLines(): string {
  const names = Object.entries(limitsSchema.parse({})).map(([name, value]) => `${name}=${value}`);
  return names.reduce((text, name) => {
    const width = text.length - text.lastIndexOf('\n') + name.length;
    return `${text},${width > 76 ? '\n' : ' '}${name}`;
  });
}

function readLimit(text: string, limits: Partial<ServiceLimits> = {}): Partial<ServiceLimits> {
  const [, name = '', value = ''] = /^(\w+)=([\d.]+)$/.exec(text) ?? [];
  const limit = { ...limits, [name]: Number(value) };
  if (limitsSchema.safeParse(limit).success && value !== '') return limit;
  throw new InvalidArgumentError('it is unknown (see --help) or too small.');
}

async function serve(session: Session, options: Options): Promise<number> {
  const { startService } = await import('../serve.js');
  const { demo, logRequests, allowHost, limit, threads, port, host } = options;
  const data = options.data ?? (demo || options.temporary ? undefined : USUAL_DATA);
  let interrupt = () => {};
  const interruption = new Promise<void>((resolve) => {
    interrupt = resolve;
  });
  const service = await startService({
    port,
    host,
    data,
    tokens: findTokens(session, options.tokens),
    hosts: allowHost,
    threads,
    limits: limit,
    onRequest: logRequests ? (line) => session.host.stderr.write(`${line}\n`) : undefined,
    onFault: (line) => printError(session, line),
    demo: demo ? { onTrouble: (line) => remark(session, printableLine(line)) } : undefined,
  });
  const ending = 'searches end with their best, running requests are answered';
  const deafen = onInterruption(session, interrupt, ending);
  try {
    await print(session, service.url);
    const place = data ?? 'a temporary folder';
    remark(session, `the service listens; its shops are kept in ${place}; Ctrl-C ends it`);
    await interruption;
    await service.close();
  } finally {
    deafen();
  }
  return exitCode.done;
}

/** The tokens of a file, or else of the environment; may be empty. */
function findTokens(session: Session, file: string | undefined): AccessToken[] {
  if (file === undefined) {
    const text = process.env[TOKENS]?.trim() ?? '';
    return text === '' ? [] : parseTokens(text, TOKENS);
  }
  const tokens = readTokens(file);
  const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
  if (isOpen)
    remark(session, `other users of this machine can read ${file}; protect it with chmod 600`);
  return tokens;
}
