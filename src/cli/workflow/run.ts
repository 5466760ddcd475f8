import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { parseJson } from '@alas-jssp/core/json-text';
import {
  createFaults,
  createMemoryStore,
  type FaultsSpec,
  type LogStore,
  openSqliteStore,
  type Registry,
  readWorkflow,
  requireSoundWorkflow,
  runWorkflow,
  type Workflow,
} from '@alas-jssp/workflow';
import { requireApproval } from '@alas-jssp/workflow/interpreter';
import { Command, Option } from 'commander';
import { namingFile } from '../common/files.js';
import { gather, wholeNumber } from '../common/options.js';
import { remark } from '../common/output.js';
import { type RedactOptions, redactedLog, withRedact } from '../common/redacted-log.js';
import type { Session } from '../common/session.js';
import { withSeed } from '../common/setting-options.js';
import { ADDRESS_FORM, loadTemporal } from '../common/temporal.js';
import { prepareRun } from './find-registry.js';
import {
  followRun,
  type OutcomeOptions,
  RUN_EXIT_CODES,
  withHandlers,
  withOutcome,
} from './outcome.js';
import { readJson } from './read-json.js';

interface Options extends OutcomeOptions, RedactOptions {
  input: string;
  handlers?: string;
  suite?: string;
  log?: string;
  run?: string;
  inject?: string;
  approve?: string[];
  snapshotEvery?: number;
  seed: number;
}

/** `alas-jssp workflow run`: runs a workflow with the handlers of a module. */
export function workflowRunCommand(session: Session): Command {
  return withSeed(withOutcome(session, withRedact(withHandlers(new Command('run')))))
    .description('run a workflow with the handlers of your module, or that of `workflow blueprint`')
    .argument('<file>', 'a workflow in JSON')
    .addOption(
      new Option('--input <json>', 'input of the workflow: JSON, a file, or - for stdin').default(
        '{}',
        'an empty object',
      ),
    )
    .option(
      '--on <address>',
      `Temporal server with workers that have the handlers: ${ADDRESS_FORM}`,
    )
    .option('--log <file>', 'SQLite file for the log; without it the run cannot be resumed')
    .option('--run <id>', 'id of the run (default: the name of the workflow and a number)')
    .option('--inject <file>', 'JSON file with faults to inject')
    .option('--approve <name>', 'approval to give in advance; may be repeated', gather)
    .option(
      '--snapshot-every <entries>',
      'entries between restore points (default: no restore points)',
      wholeNumber('a count of entries', 1),
    )
    .addHelpText(
      'after',
      `
The workflow is checked first, as by workflow check. That of workflow blueprint
needs no --handlers; its input may have instance (default ft06), planner
(dispatch:best), seed, replicate and budget (10k-iterations).

${RUN_EXIT_CODES}

Examples:
  $ alas-jssp workflow run refund.json --handlers refund.mjs \\
      --input '{"order":"A-7"}' --log run.db
  $ alas-jssp workflow run refund.json --handlers refund.mjs \\
      --inject faults.json --json
  $ alas-jssp workflow run examples/refund.json --on temporal://127.0.0.1:7233 \\
      --run A-7 --input '{"order":"A-7","amount":59.9,"days":3}'
  $ alas-jssp workflow blueprint > bp.json && alas-jssp workflow run bp.json
  $ alas-jssp workflow run bp.json --log la01.db \\
      --input '{"instance":"la01","planner":"insertion"}'`,
    )
    .action(async (file: string, options: Options) => {
      session.exitCode = await run(session, file, options);
    });
}

async function run(session: Session, file: string, options: Options): Promise<number> {
  const { inject, seed, run: runId, snapshotEvery, approve = [] } = options;
  const workflow = readWorkflow(file);
  if (options.on !== undefined) return runThere(session, workflow, options.on, options);
  const given = await readJson(session, options.input, '--input');
  const { input, registry } = await prepareRun(workflow, given, options);
  const faults = inject === undefined ? undefined : await readFaults(inject, registry);
  await namingFile(file, () => {
    requireSoundWorkflow(workflow, registry);
    for (const name of approve) requireApproval(workflow, name);
  });
  const store = options.log === undefined ? createMemoryStore() : openSqliteStore(options.log);
  const log = redactedLog(store, options);
  try {
    return await followRun(session, log, options, async (signal) => {
      const result = await runWorkflow(workflow, input, {
        registry,
        store: log,
        runId,
        seed,
        signal,
        snapshotEvery,
        inject: faults,
        approvals: Object.fromEntries(approve.map((name) => [name, 'command line'])),
      });
      if (result.status === 'WAITING' && options.log === undefined) {
        remark(session, 'without --log the run is lost');
      }
      remarkUnusedFaults(session, log, result.runId, faults);
      return result;
    });
  } finally {
    log.close();
  }
}

/** Runs a workflow on a Temporal server, with the handlers of its workers. */
async function runThere(
  session: Session,
  workflow: Workflow,
  address: string,
  options: Options,
): Promise<number> {
  const { seed, run: runId, approve = [], inject } = options;
  const misplaced = (['log', 'handlers', 'suite', 'snapshotEvery'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (misplaced !== undefined) {
    const problem = `--${misplaced === 'snapshotEvery' ? 'snapshot-every' : misplaced} has no meaning with --on`;
    throw new InputError('bad_option', problem, 'omit it: workers have the handlers');
  }
  const input = await readJson(session, options.input, '--input');
  const { runWorkflowAt } = await loadTemporal(address);
  const faults = inject === undefined ? undefined : parseJson(readBytes(inject), inject);
  const log = createMemoryStore();
  return followRun(session, log, options, async (signal) => {
    const { result, entries } = await runWorkflowAt(address, workflow, input, {
      seed,
      runId,
      signal,
      inject: faults as FaultsSpec | undefined,
      approvals: Object.fromEntries(approve.map((name) => [name, 'command line'])),
      onNotice: (line) => remark(session, line),
    });
    log.append(entries);
    return result;
  });
}

function readFaults(file: string, registry: Registry): Promise<FaultsSpec> {
  return namingFile(file, () => {
    const faults = parseJson(readBytes(file), file) as FaultsSpec;
    createFaults(faults, registry);
    return faults;
  });
}

/** Remarks faults that were not injected. */
function remarkUnusedFaults(
  session: Session,
  log: LogStore,
  runId: string,
  faults: FaultsSpec | undefined,
): void {
  if (faults === undefined) return;
  const eventTypes = ['Inject'] as const;
  const injected = [...log.read({ runId, eventTypes })];
  const labels = new Set(injected.map(({ payload }) => (payload as { label: string }).label));
  for (const { label, node } of faults.rules) {
    if (!labels.has(label))
      remark(session, `the fault ${label} was not injected: the run did not reach it at ${node}`);
  }
}
