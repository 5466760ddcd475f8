import { Command } from 'commander';
import type { Session } from '../common/session.js';
import { logDiffCommand } from './diff.js';
import { logExportCommand, logImportCommand } from './export.js';
import {
  logApproveCommand,
  logCancelCommand,
  logDenyCommand,
  logSettleCommand,
  logSignalCommand,
} from './messages.js';
import { logReplayCommand } from './replay.js';
import { logRestoreCommand } from './restore.js';
import { logResumeCommand, logTriggerCommand } from './resume.js';
import { logShowCommand } from './show.js';
import { logTailCommand } from './tail.js';
import { logVerifyCommand } from './verify.js';

/** `alas-jssp log`: commands on the log of a run, one file for each subcommand. */
export function logCommand(session: Session): Command {
  const command = new Command('log').addHelpText(
    'after',
    `
A log is an SQLite file that a run wrote, or an export of one.

Examples:
  $ alas-jssp log show run.db
  $ alas-jssp log verify run.db && alas-jssp log export run.db --out run.jsonl
  $ alas-jssp log replay run.db --handlers refund.mjs
  $ alas-jssp log resume run.db --handlers refund.mjs`,
  );
  const subcommands = [
    logShowCommand(session),
    logTailCommand(session),
    logVerifyCommand(session),
    logDiffCommand(session),
    logExportCommand(session),
    logImportCommand(session),
    logReplayCommand(session),
    logRestoreCommand(session),
    logResumeCommand(session),
    logSignalCommand(session),
    logApproveCommand(session),
    logDenyCommand(session),
    logCancelCommand(session),
    logSettleCommand(session),
    logTriggerCommand(session),
  ];
  for (const subcommand of subcommands) command.addCommand(subcommand);
  return command;
}
