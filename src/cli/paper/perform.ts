import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ClaimedRow, readPaperClaims } from '../../harness/paper/claims.js';
import { type PaperItem, statusOf } from '../../harness/paper/presets/paper-item.js';
import { findItems } from '../../harness/paper/presets/presets.js';
import { renderJson } from '../../report/table.js';
import { writeOutput } from '../common/files.js';
import { print, remark } from '../common/output.js';
import { exitCode, type Session } from '../common/session.js';
import { pageOf } from './page.js';
import type { PaperCommandOptions } from './paper-options.js';
import { type CommandOutcome, type Programs, runPaperCommand } from './run-command.js';
import { asTyped, checkPlanners, commandsOf, existingFile, setupFor } from './setup.js';

/** A row after its commands. */
interface PerformedItem {
  readonly item: PaperItem;
  readonly outcomes: readonly CommandOutcome[];
  readonly claimed: ClaimedRow | null;
}

/** Runs the commands of rows, writes their pages, prints them, and returns the exit code. */
export async function performItems(
  session: Session,
  names: readonly string[],
  options: PaperCommandOptions,
  programs: Programs,
): Promise<number> {
  checkPlanners(options.planner ?? []);
  const items = findItems(names);
  const performed: PerformedItem[] = [];
  let code: number = exitCode.done;
  for (const item of items) {
    const commands = commandsOf(item, setupFor(item, options));
    if (commands.length === 0) {
      remark(session, explainSkipped(item));
      // A row that only a paper's name includes is skipped without a fault.
      if (names.includes(item.id)) code = exitCode.no;
      continue;
    }
    if (items.length > 1) remark(session, `${item.id}: ${item.title}`);
    const outcomes = await performItem(session, item, options, programs);
    const claimed = readPaperClaims().others[item.id] ?? null;
    const one = { item, outcomes, claimed };
    performed.push(one);
    await keepPage(session, one, options);
    if (outcomes.some(({ missing }) => missing !== null)) code = exitCode.no;
    if (outcomes.at(-1)?.code === exitCode.interrupted) {
      code = exitCode.interrupted;
      break;
    }
  }
  if (options.format === 'json') await print(session, renderJson(documentOf(performed)));
  return code;
}

/** The outcomes of the commands of a row, up to one that is incomplete. */
async function performItem(
  session: Session,
  item: PaperItem,
  options: PaperCommandOptions,
  programs: Programs,
): Promise<CommandOutcome[]> {
  const setup = { ...setupFor(item, options), file: existingFile };
  const commands = commandsOf(item, setup);
  rmSync(setup.out, { recursive: true, force: true });
  mkdirSync(setup.out, { recursive: true });
  const outcomes: CommandOutcome[] = [];
  for (const command of commands) {
    const outcome = await runPaperCommand(session, command, programs, options.resume);
    outcomes.push(outcome);
    if (outcome.missing !== null) break;
  }
  return outcomes;
}

function explainSkipped(item: PaperItem): string {
  const { id, note } = item;
  if (statusOf(item) === 'not') return `${id} cannot be reproduced: ${note}`;
  return `${id} needs a model: name one with --planner`;
}

async function keepPage(
  session: Session,
  { item, outcomes, claimed }: PerformedItem,
  { out, format }: PaperCommandOptions,
): Promise<void> {
  const file = `${out}/${item.id}.md`;
  const page = pageOf(item, outcomes, claimed);
  mkdirSync(dirname(file), { recursive: true });
  writeOutput(file, page);
  if (format !== 'json') await print(session, page);
  remark(session, `page in ${file}`);
}

function documentOf(performed: readonly PerformedItem[]): unknown {
  return {
    schema: 'alas-jssp/paper-pages@1',
    rows: performed.map(({ item, outcomes, claimed }) => ({
      id: item.id,
      title: item.title,
      status: statusOf(item),
      note: item.note,
      complete: outcomes.every(({ missing }) => missing === null),
      claimed,
      commands: outcomes.map(({ command, code, stdout, missing }) => ({
        command: asTyped(command),
        exit_code: code,
        missing,
        output: command.view === 'hidden' ? null : stdout,
      })),
    })),
  };
}
