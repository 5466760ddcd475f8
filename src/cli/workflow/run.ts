import { join } from 'node:path';
import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { parseJson } from '@alas-jssp/core/json-text';
import {
  createFaults,
  createMemoryStore,
  type FaultsSpec,
  type Json,
  type LogStore,
  openSqliteStore,
  type Registry,
  type RunResult,
  readWorkflow,
  requireSoundWorkflow,
  runWorkflow,
  type Workflow,
} from '@alas-jssp/workflow';
import { requireApproval } from '@alas-jssp/workflow/interpreter';
import { Command, InvalidArgumentError } from 'commander';
import { namingFile } from '../common/files.js';
import { gather, wholeNumber } from '../common/options.js';
import { remark } from '../common/output.js';
import { type RedactOptions, redactedLog, withRedact } from '../common/redacted-log.js';
import type { Session } from '../common/session.js';
import { withSeed } from '../common/setting-options.js';
import { shellWord } from '../common/shell-word.js';
import { ADDRESS_FORM, loadTemporal } from '../common/temporal.js';
import {
  type DraftFolderOptions,
  isDraftFolder,
  loadBlueprint,
  readAnyWorkflow,
} from './draft-folder.js';
import { prepareRun } from './find-registry.js';
import {
  followRun,
  type OutcomeOptions,
  RUN_EXIT_CODES,
  withHandlers,
  withOutcome,
} from './outcome.js';
import { readJson } from './read-json.js';

interface Options extends OutcomeOptions, RedactOptions, Omit<DraftFolderOptions, 'budget'> {
  budgetUsd?: number;
  budgetTokens?: number;
  input?: string;
  handlers?: string;
  suite?: string;
  log?: string;
  run?: string;
  inject?: string;
  approve?: string[];
  by: string;
  snapshotEvery?: number;
  seed: number;
}

/** `alas-jssp workflow run`: runs a workflow with the handlers of a module. */
export function workflowRunCommand(session: Session): Command {
  return withSeed(withOutcome(session, withRedact(withHandlers(new Command('run')))))
    .description(
      'run a workflow with the handlers of your module, a draft, or `workflow blueprint`',
    )
    .argument('<file>', 'a workflow in JSON, or the folder of a draft')
    .option(
      '--input <json>',
      'input of the workflow: JSON, a file, or - for stdin (default: an empty object; of a draft its example)',
    )
    .option(
      '--on <address>',
      `Temporal server with workers that have the handlers: ${ADDRESS_FORM}`,
    )
    .option(
      '--log <file>',
      'SQLite file for the log; without it the run cannot be resumed (of a draft: DIR/runs.db)',
    )
    .option('--run <id>', 'id of the run (default: the name of the workflow and a number)')
    .option('--inject <file>', 'JSON file with faults to inject')
    .option(
      '--tools <file>',
      'catalogue of tools for a draft, or trial for a trial system (default: its own)',
    )
    .option('--unchecked', 'run a draft that did not pass its checks')
    .option('--budget-usd <dollars>', 'most dollars for models of a draft', dollars)
    .option(
      '--budget-tokens <count>',
      'most tokens for models of a draft',
      wholeNumber('a count', 1),
    )
    .option('--approve <name>', 'approval to give in advance; may be repeated', gather)
    .option('--by <who>', 'person who gives the approvals of --approve', 'command line')
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

The folder of a draft (workflow draft --out) has its own agents. Its tools are
those that its catalogue names; --tools trial runs it without real systems.
workflow rehearse runs it with faults before anything real is called. If a
budget for its models is spent, the step fails with BudgetSpent.

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
      --input '{"instance":"la01","planner":"insertion"}'
  $ alas-jssp workflow run refund --log run.db --approve 'send the mail'`,
    )
    .action(async (file: string, options: Options) => {
      session.exitCode = await run(session, file, options);
    });
}

async function run(session: Session, file: string, options: Options): Promise<number> {
  if (isDraftFolder(file)) return runDraft(session, file, options);
  const misplaced = DRAFT_OPTIONS.find(([name]) => options[name] !== undefined);
  if (misplaced !== undefined) {
    throw new InputError('bad_option', `${misplaced[1]} is for folders of drafts`, 'omit it');
  }
  const workflow = readWorkflow(file);
  const given = await readJson(session, options.input ?? '{}', '--input');
  if (options.on !== undefined) return runThere(session, workflow, given, options.on, options);
  const { input, registry } = await prepareRun(workflow, given, options);
  return runHere(session, file, { workflow, input, registry }, options);
}

function dollars(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('dollars are a number above 0.');
}

const DRAFT_OPTIONS = [
  ['tools', '--tools'],
  ['unchecked', '--unchecked'],
  ['budgetUsd', '--budget-usd'],
  ['budgetTokens', '--budget-tokens'],
] as const;

/** Runs the draft of a folder with its own agents. */
async function runDraft(session: Session, folder: string, options: Options): Promise<number> {
  if (options.handlers !== undefined) {
    throw new InputError('bad_option', 'a draft has its own handlers', 'omit --handlers');
  }
  const { openDraftFolder, readDraft } = await loadBlueprint();
  const { on, tools, unchecked, budgetUsd: usd, budgetTokens: tokens } = options;
  const hasBudget = usd !== undefined || tokens !== undefined;
  if (on !== undefined && hasBudget) {
    const hint = 'omit the budget, or run it here';
    throw new InputError('bad_option', 'workers on a server keep no budget of a run', hint);
  }
  if (on !== undefined) {
    const workflow = await readAnyWorkflow(folder);
    const fields = readDraft(folder).specification?.inputs ?? [];
    const example = Object.fromEntries(fields.map((field) => [field.name, field.example]));
    const input = await inputOf(session, options, example);
    return runThere(session, workflow, input, on, options);
  }
  const budget = hasBudget ? { budget: { usd, tokens } } : {};
  const opened = await openDraftFolder(folder, { tools, unchecked, ...budget });
  try {
    const { workflow, registry, exampleInput } = opened;
    const input = await inputOf(session, options, exampleInput);
    const { log = join(folder, 'runs.db') } = options;
    return await runHere(session, folder, { workflow, input, registry }, { ...options, log });
  } finally {
    await opened.close();
  }
}

/** The given input, or the example of a draft. */
function inputOf(session: Session, { input }: Options, example: Json): Promise<Json> {
  if (input !== undefined) return readJson(session, input, '--input');
  remark(session, `input: the example of the draft, ${JSON.stringify(example)}`);
  return Promise.resolve(example);
}

/** A workflow that runs in this process. */
interface PreparedRun {
  readonly workflow: Workflow;
  readonly input: Json;
  readonly registry: Registry;
}

async function runHere(
  session: Session,
  file: string,
  { workflow, input, registry }: PreparedRun,
  options: Options,
): Promise<number> {
  const { inject, seed, run: runId, snapshotEvery, approve = [], by } = options;
  const faults = inject === undefined ? undefined : await readFaults(inject, registry);
  await namingFile(file, () => {
    requireSoundWorkflow(workflow, registry);
    for (const name of approve) requireApproval(workflow, name, by);
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
        approvals: Object.fromEntries(approve.map((name) => [name, by])),
      });
      if (result.status === 'WAITING') remarkWaiting(session, file, workflow, result, options.log);
      remarkUnusedFaults(session, log, result.runId, faults);
      return result;
    });
  } finally {
    log.close();
  }
}

/** Remarks how a run that waits goes on. */
function remarkWaiting(
  session: Session,
  file: string,
  workflow: Workflow,
  { runId, waitsFor }: RunResult,
  log: string | undefined,
): void {
  if (log === undefined) {
    remark(session, 'without --log the run is lost');
    return;
  }
  const approval = waitsFor.find(({ kind }) => kind === 'approval')?.name;
  if (approval === undefined || !isDraftFolder(file)) return;
  const node = workflow.nodes.find((one) => one.type === 'task' && one.approval === approval);
  const { approvers = ['NAME'] } = workflow.policies[node?.policyRef ?? ''] ?? {};
  const given = `${log} ${runId} ${shellWord(approval)} --by ${shellWord(approvers[0])}`;
  const others = approvers.length > 1 ? `, or ${approvers.slice(1).join(', ')}` : '';
  remark(session, `approve: alas-jssp log approve ${given}${others}`);
  remark(session, `resume: alas-jssp log resume ${log} --run ${runId} --handlers ${file}`);
}

/** Runs a workflow on a Temporal server, with the handlers of its workers. */
async function runThere(
  session: Session,
  workflow: Workflow,
  input: Json,
  address: string,
  options: Options,
): Promise<number> {
  const { seed, run: runId, approve = [], by, inject } = options;
  const misplaced = (['log', 'handlers', 'suite', 'snapshotEvery'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (misplaced !== undefined) {
    const problem = `--${misplaced === 'snapshotEvery' ? 'snapshot-every' : misplaced} has no meaning with --on`;
    throw new InputError('bad_option', problem, 'omit it: workers have the handlers');
  }
  const { runWorkflowAt } = await loadTemporal(address);
  const faults = inject === undefined ? undefined : parseJson(readBytes(inject), inject);
  const log = createMemoryStore();
  return followRun(session, log, options, async (signal) => {
    const { result, entries } = await runWorkflowAt(address, workflow, input, {
      seed,
      runId,
      signal,
      inject: faults as FaultsSpec | undefined,
      approvals: Object.fromEntries(approve.map((name) => [name, by])),
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
