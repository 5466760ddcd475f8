import { existsSync, rmSync } from 'node:fs';
import { exportLog, importLog, openSqliteStore } from '@alas-jssp/workflow';
import { Command } from 'commander';
import { outputFile, writeOutput } from '../common/files.js';
import { gather, withQuiet } from '../common/options.js';
import { print, remark } from '../common/output.js';
import type { Session } from '../common/session.js';
import { chooseRun, withLog } from './runs.js';

/** Characters written at once. */
const CHUNK = 2 ** 20;

/** `alas-jssp log export`: writes runs as JSON Lines. */
export function logExportCommand(session: Session): Command {
  return withQuiet(session, new Command('export'))
    .description('write runs as JSON Lines, which show and verify can read')
    .argument('<file>', 'a log')
    .option('--run <id>', 'run to export (default: all); may be repeated', gather)
    .option(
      '--out <file>',
      'file to write instead of stdout; compressed if it ends in .gz',
      outputFile,
    )
    .addHelpText('after', '\nExample:\n  $ alas-jssp log export run.db --out run.jsonl')
    .action((file: string, options: { run?: string[]; out?: string }) =>
      withLog(file, async (log) => {
        const runs = options.run?.map((run) => chooseRun(log, file, run));
        const texts = inChunks(exportLog(log, runs));
        if (options.out === undefined) {
          for (const text of texts) await print(session, text);
          return;
        }
        writeOutput(options.out, Buffer.concat([...texts].map((text) => Buffer.from(text))));
        remark(session, `${file}: exported to ${options.out}`);
      }),
    );
}

/** Joins lines into chunks, because all of them may exceed the length of a string. */
function* inChunks(lines: Iterable<string>): Generator<string> {
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** `alas-jssp log import`: writes exported runs into a log. */
export function logImportCommand(session: Session): Command {
  return withQuiet(session, new Command('import'))
    .description('write exported runs into a log, with their hashes')
    .argument('<export>', 'a file that alas-jssp log export wrote, or another log')
    .argument('<file>', 'the log; created if it does not exist')
    .addHelpText('after', '\nExample:\n  $ alas-jssp log import run.jsonl copy.db')
    .action((exported: string, file: string) =>
      withLog(exported, (from) => {
        const isNew = !existsSync(file);
        const into = openSqliteStore(file);
        let count = 0;
        try {
          count = importLog(from, into);
        } finally {
          into.close();
          // A refused import leaves no file.
          if (isNew && count === 0) rmSync(file);
        }
        remark(session, `${file}: ${count} entries of ${from.runs().length} runs`);
      }),
    );
}
