import { AlasError } from '@alas-jssp/core/errors';
import {
  type AuditableLog,
  type EffectSummary,
  type RunResult,
  stateOfRun,
} from '@alas-jssp/workflow';
import { type Command, Option } from 'commander';
import { isShop } from '../../pipeline/shop/shop-workflow.js';
import { readStory } from '../../pipeline/shop/story.js';
import { formatStory } from '../../pipeline/shop/story-lines.js';
import { renderJson } from '../../report/table.js';
import { withJson, withQuiet } from '../common/options.js';
import { print, remark } from '../common/output.js';
import { exitCode, onInterruption, type Session } from '../common/session.js';

/** Settings for printing the outcome of a run. */
export interface OutcomeOptions {
  format: 'text' | 'json';
  /** The address of the server that has the log, if the log is no file. */
  on?: string;
}

/** Adds `--format`, `--json` and `--quiet` for an outcome, which is no table. */
export function withOutcome(session: Session, command: Command): Command {
  const format = new Option('--format <format>', 'format of the outcome on stdout')
    .choices(['text', 'json'])
    .default('text');
  return withQuiet(session, withJson(command.addOption(format)));
}

/** Adds `--handlers` and `--suite`, which locate handlers and instances of a workflow. */
export function withHandlers(command: Command): Command {
  return command
    .option(
      '--handlers <module>',
      'ES module that exports the handlers, compensators and validators of the workflow',
    )
    .option(
      '--suite <suite>',
      'suite, files or directory of the instances of a pipeline run, if they are no benchmarks',
    );
}

/** Exit codes of runs, for help texts. */
export const RUN_EXIT_CODES = `Exit code 0 if the run has COMPLETED, 1 if not: it was undone (COMPENSATED),
effects are left that a person must check (COMPENSATION_FAILED lists them), it
is unknown whether an effect happened (IN_DOUBT lists it), there was nothing to
undo (FAILED, CANCELLED), or it waits for a message (WAITING). Ctrl-C cancels
the run and undoes its effects.`;

/**
 * Follows a run until it ends, waits or is interrupted, and prints the outcome. Ctrl-C cancels the run; a
 * second Ctrl-C ends the process, and the run can be resumed.
 *
 * @returns the exit code
 */
export async function followRun(
  session: Session,
  log: AuditableLog,
  options: OutcomeOptions,
  go: (signal: AbortSignal) => Promise<RunResult>,
): Promise<number> {
  const interrupted = new AbortController();
  const stopListening = onInterruption(
    session,
    () => interrupted.abort(new Error('interrupted')),
    'the effects of the run are being undone',
  );
  try {
    const result = await go(interrupted.signal);
    await printOutcome(session, log, result, options);
    if (interrupted.signal.aborted) return exitCode.interrupted;
    return result.status === 'COMPLETED' ? exitCode.done : exitCode.no;
  } catch (error) {
    if (!(error instanceof AlasError) || error.code !== 'InjectedCrash') throw error;
    remark(session, `interrupted: ${error.message}; alas-jssp log resume continues`);
    return exitCode.no;
  } finally {
    stopListening();
  }
}

async function printOutcome(
  session: Session,
  log: AuditableLog,
  result: RunResult,
  { format, on }: OutcomeOptions,
): Promise<void> {
  if (format === 'json') return print(session, renderJson(outcomeOf(log, result)));
  const lines = describeOutcome(log, result, on && `'${on}'`);
  if (isShop(stateOfRun(log, result.runId).workflow)) {
    lines.splice(1, lines.length, ...formatStory(readStory(log, result.runId)));
  }
  await print(session, lines.join('\n'));
}

/** The outcome of a run as a JSON document, with the output in the log. */
export function outcomeOf(log: AuditableLog, result: RunResult) {
  const { runId: run, status, error = null, versions } = result;
  const { committed, undone, remaining, inDoubt, waitsFor } = result;
  const output = stateOfRun(log, run).end?.output ?? null;
  return {
    schema: 'alas-jssp/run-outcome@1',
    run,
    status,
    output,
    error,
    committed,
    undone,
    remaining,
    inDoubt,
    waitsFor,
    versions,
  };
}

/**
 * The outcome of a run in lines for people; the first is a summary.
 *
 * @param place the log, or the address of its server, as a command line names it
 */
export function describeOutcome(log: AuditableLog, result: RunResult, place = 'LOG'): string[] {
  const { runId, status, error, undone, remaining, inDoubt, waitsFor, versions } = result;
  const lines = [`${runId}: ${status}, ${versions} entries`];
  if (error !== undefined) {
    const place = error.nodeId === '' ? '' : ` in ${error.nodeId}`;
    lines.push(`${error.code}${place}: ${error.message}`);
  }
  if (undone.length > 0) lines.push(`  undone: ${namesOf(undone)}`);
  for (const left of remaining) {
    lines.push(`  left: ${describeEffect(left)} (${whyLeft(left)}), key ${left.idempotencyKey}`);
  }
  for (const doubt of inDoubt) {
    const { effect, idempotencyKey, nodeId } = doubt;
    lines.push(`  in doubt: ${describeEffect(doubt)} (${effect}), key ${idempotencyKey}`);
    const settle = `alas-jssp log settle ${place} ${runId} ${nodeId} --happened|--did-not --by WHO`;
    lines.push(`    check whether it happened; then ${settle}`);
  }
  for (const { kind, name } of waitsFor) lines.push(`it waits for the ${kind} ${name}`);
  if (status === 'COMPLETED') {
    lines.push(renderJson(stateOfRun(log, runId).end?.output ?? null).trimEnd());
  }
  return lines;
}

/** Most effects that are named; further ones are counted. */
const MOST_NAMES = 10;

function namesOf(effects: readonly EffectSummary[]): string {
  const names = effects.slice(0, MOST_NAMES).map(({ nodeId }) => nodeId);
  const more = effects.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The kind of a remaining effect and why it remains; `irreversible` is both. */
function whyLeft({ effect, reason, detail }: RunResult['remaining'][number]): string {
  const why = detail === undefined ? reason : `${reason}: ${detail}`;
  return why === effect ? why : `${effect}; ${why}`;
}

function describeEffect({ externalRef, nodeId }: EffectSummary): string {
  return `${externalRef ?? 'no reference'} of ${nodeId}`;
}
