import { relative } from 'node:path';
import { env } from 'node:process';
import {
  catalogueDirectory,
  openModel,
  readCatalogue,
  requireModelSpec,
  TOOLS_SCHEMA,
  type ToolCatalogue,
} from '@alas-jssp/agents';
import { InputError } from '@alas-jssp/core/errors';
import { openSqliteStore } from '@alas-jssp/workflow';
import {
  Command,
  counted,
  describeWait,
  exitCode,
  isLongWait,
  Option,
  onInterruption,
  outputFile,
  print,
  remark,
  renderJson,
  type Session,
  wholeNumber,
  withQuiet,
} from 'alas-jssp/command-line';
import { type BudgetLimits, LlmError, readEnvironment } from 'alas-jssp/llm';
import { checkDraft } from '../checks/check-draft.js';
import { disassembleDraft } from '../drafting/disassemble-draft.js';
import type { Draft } from '../drafting/draft.js';
import { compareDrafts, type DraftDifference } from '../drafting/draft-difference.js';
import {
  DEFAULT_DRAFTING_ROUNDS,
  type DraftingProgress,
  type DraftTaskOptions,
  draftTask,
} from '../drafting/draft-task.js';
import { openFactory } from '../factory/open-factory.js';
import type { SavedDraft } from '../folder/draft-folder.js';
import { readDraft } from '../folder/read-draft.js';
import { writeDraft } from '../folder/write-draft.js';
import type { TeamTask } from '../teams/draft-team.js';
import { explainOtherDraft, logOf, makeDraftFolder, runIdOf } from './draft-place.js';
import { describeDraft, historyOf, verdictOf } from './draft-report.js';
import { askOnTerminal } from './people.js';
import { recordPlanner } from './record-planner.js';
import { readTask } from './task-file.js';
import { readTeamFile } from './team-file.js';

interface Options {
  planner?: string;
  reviewer?: string;
  tools?: string;
  rounds: number;
  agents?: string;
  ask?: boolean;
  assume?: boolean;
  record?: string;
  budgetUsd?: number;
  budgetTokens?: number;
  from?: string;
  change?: string;
  out: string;
  format: 'text' | 'json';
}

/** `alas-jssp workflow draft`: drafts a workflow of a process in words. */
export function createDraftCommand(session: Session): Command {
  return withQuiet(session, new Command('draft'))
    .argument('[task]', 'the process in words (text, Markdown), or a team of agents (JSON)')
    .option('--planner <model>', 'model that drafts (of a team: of its agents), or cassette:FILE')
    .option(
      '--tools <source>',
      'tools: a catalogue FILE.json, mcp:COMMAND, mcp:URL or openapi:FILE@URL',
    )
    .option('--reviewer <model>', 'model of agents that review, which should not be the planner')
    .option(
      '--rounds <count>',
      'most rounds of refinement after the first answers',
      wholeNumber('a count of rounds', 0, 100),
      DEFAULT_DRAFTING_ROUNDS,
    )
    .option('--agents <dir>', 'library of agents: those that fit are reused, new ones are added')
    .addOption(new Option('--ask', 'ask the open questions on the terminal').conflicts('assume'))
    .option('--assume', 'take the assumed answers of open questions (the default)')
    .option('--record <file>', 'write the answers of the planner as a cassette', outputFile)
    .option('--budget-usd <dollars>', 'most dollars for models', positive)
    .option('--budget-tokens <count>', 'most tokens for models', wholeNumber('a count', 1))
    .option('--from <dir>', 'change the draft in that folder, instead of drafting a task')
    .option('--change <words>', 'the change of --from in words')
    .requiredOption('--out <dir>', 'folder for the draft')
    .addOption(
      new Option('--format <format>', 'format of the report on stdout')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addOption(new Option('--json', 'short for --format json').implies({ format: 'json' }))
    .addHelpText('after', HELP)
    .action(async (task: string | undefined, options: Options) => {
      session.exitCode = await draft(session, task, options);
    });
}

const HELP = `
The planner answers part by part: a specification of the task, roles, nodes,
edges, policies, and how everything is undone. Checks find what is missing, and
the findings go back to the planner. Undos are tried before they are accepted.

The folder holds the workflow, its agents and the log of drafting. An
interrupted draft resumes with the same command.

Exit code 0 if the draft passed, 1 if it was written with errors, 2 for wrong
usage or input, 130 if it was interrupted.

Examples:
  $ alas-jssp workflow draft examples/tasks/refund.md \\
      --planner cassette:examples/tasks/refund.cassette.json --out refund
  $ alas-jssp workflow draft process.md --tools tools.json \\
      --planner openai:gpt-4o --out process
  $ alas-jssp workflow draft --from refund --out refund-2 \\
      --change "Refunds above 100 euros need an approval."`;

function positive(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InputError('bad_option', `'${text}' is no number above 0`, 'give a number of dollars');
}

/** A task, or the change of a draft, with its tools. */
interface DraftSource {
  readonly name: string;
  readonly text: string;
  readonly catalogue: ToolCatalogue;
  readonly toolsDirectory: string;
  readonly tools: string | null;
  readonly before: SavedDraft | null;
  readonly change: DraftTaskOptions['change'];
}

async function draft(
  session: Session,
  task: string | undefined,
  options: Options,
): Promise<number> {
  const interruption = new AbortController();
  const { signal } = interruption;
  const team = task === undefined ? null : readTeamFile(task);
  const source = team === null ? await readSource(task, options, signal) : sourceOfTeam(team);
  const planner = options.planner ?? source.before?.models.planner;
  if (planner === undefined) {
    const hint = `name ${team === null ? 'a model' : 'the model of its agents'}, or cassette:FILE`;
    throw new InputError('bad_option', '--planner is missing', hint);
  }
  refuseCassetteOfCassette(planner, options.record);
  if (options.reviewer !== undefined) requireModelSpec(options.reviewer);
  if (team !== null) requireModelSpec(planner);
  const model =
    team?.model ??
    (await openModel(planner, {
      environment: readEnvironment(env),
      budget: budgetOf(options),
      signal,
      onWait: (wait) => isLongWait(wait) && remark(session, describeWait(wait)),
    }));
  const { out, agents } = options;
  makeDraftFolder(out);
  const log = openSqliteStore(logOf(out));
  const factory = openFactory({ directory: source.toolsDirectory, library: agents });
  const deafen = onInterruption(
    session,
    () => interruption.abort(new Error('interrupted')),
    'the same command resumes the draft',
  );
  const runId = runIdOf(out, changeOf(source, options));
  try {
    const made = await draftTask({
      ...source,
      model,
      // The parts of a team are compiled; the model is that of its agents.
      ...(team !== null && { agents: planner }),
      reviewer: options.reviewer ?? source.before?.models.reviewer ?? null,
      rounds: options.rounds,
      check: checkDraft,
      equip: factory.equip,
      log,
      runId,
      signal,
      onProgress: (progress) => showProgress(session, progress),
      askPeople: options.ask ? (questions) => askOnTerminal(session, questions) : undefined,
    });
    const differences = source.before === null ? null : compareDrafts(source.before, made);
    writeDraft(out, made, source);
    if (options.record !== undefined) recordPlanner(options.record, log, runId);
    await printDraft(session, made, differences, options);
    return made.passed ? exitCode.done : exitCode.no;
  } catch (error) {
    if (signal.aborted) return exitCode.interrupted;
    if (error instanceof LlmError) remark(session, 'the same command resumes the draft');
    throw explainOtherDraft(error, out);
  } finally {
    deafen();
    await factory.close();
    log.close();
  }
}

function changeOf({ change }: DraftSource, { from }: Options) {
  return change === undefined || from === undefined ? undefined : { from, ...change };
}

function budgetOf({ budgetUsd: usd, budgetTokens: tokens }: Options): BudgetLimits {
  return { usd, tokens };
}

function refuseCassetteOfCassette(planner: string, record: string | undefined): void {
  if (record === undefined || !planner.startsWith('cassette:')) return;
  const hint = 'omit --record, or name a model as --planner';
  throw new InputError('bad_option', 'the planner is a cassette already', hint);
}

/** Reads the task and its tools, or the draft that is changed. */
async function readSource(
  task: string | undefined,
  options: Options,
  signal: AbortSignal,
): Promise<DraftSource> {
  const { from, change } = options;
  if (from !== undefined) {
    if (task !== undefined) throw misused('a task and --from', 'give one of them');
    if (change === undefined) throw misused('--from without --change', 'say the change in words');
    return readChange(from, change, options, signal);
  }
  if (change !== undefined) throw misused('--change without --from', 'name the folder of a draft');
  if (task === undefined) throw misused('neither a task nor --from', 'name the file of a task');
  const { name, text, tools: own } = readTask(task);
  const tools = options.tools ?? own;
  return { name, text, before: null, change: undefined, ...(await readTools(tools, signal)) };
}

/** A team of agents: its tools are those of this package, and nothing of it was drafted before. */
function sourceOfTeam({ name, text, catalogue }: TeamTask): DraftSource {
  const common = { tools: null, toolsDirectory: '.', before: null, change: undefined };
  const { implementation } = catalogue;
  if (implementation === undefined || !('module' in implementation)) {
    return { name, text, catalogue, ...common };
  }
  // A relative path: the folder works in every copy of the project.
  const module = relative('.', implementation.module);
  return { name, text, catalogue: { ...catalogue, implementation: { module } }, ...common };
}

function misused(problem: string, hint: string): InputError {
  return new InputError('bad_option', `${problem} cannot be used`, hint);
}

async function readTools(
  tools: string | null,
  signal: AbortSignal,
): Promise<Pick<DraftSource, 'tools' | 'catalogue' | 'toolsDirectory'>> {
  if (tools === null) {
    const catalogue: ToolCatalogue = { schema: TOOLS_SCHEMA, tools: [], trial: {} };
    return { tools, catalogue, toolsDirectory: '.' };
  }
  const environment = readEnvironment(env);
  const catalogue = await readCatalogue(tools, '.', { environment, signal });
  return { tools, catalogue, toolsDirectory: catalogueDirectory(tools) };
}

async function readChange(
  from: string,
  words: string,
  { tools }: Options,
  signal: AbortSignal,
): Promise<DraftSource> {
  if (words.trim() === '') throw misused('an empty --change', 'say the change in words');
  const before = readDraft(from, { edited: 'allow' });
  const { name, text, specification, template, catalogue, file } = before;
  if (specification === null || template === null) {
    const hint = 'draft it again with more rounds or another planner';
    throw new InputError('no_draft', 'it is no workflow yet', hint, { file: from });
  }
  const parts = disassembleDraft(specification, template);
  const own = { tools: file.tools, catalogue, toolsDirectory: from };
  const used = tools === undefined ? own : await readTools(tools, signal);
  return { name, text, before, change: { words, before: parts }, ...used };
}

/** Lines of progress, for planners that take their time. */
function showProgress(session: Session, { round, asked, judged }: DraftingProgress): void {
  if (asked !== undefined && asked.usage.seconds >= 1) {
    const { part, outcome, usage } = asked;
    const tokens = usage.inputTokens + usage.outputTokens;
    remark(session, `round ${round}: ${part} ${outcome}, ${counted(tokens, 'token')}`);
  }
  if (judged !== undefined) {
    const errors = judged.findings.filter(({ severity }) => severity === 'error').length;
    const kept = judged.kept ? '' : ', no better than the draft before, which is kept';
    remark(session, `round ${round}: ${counted(errors, 'error')}${kept}`);
  }
}

async function printDraft(
  session: Session,
  made: Draft,
  differences: readonly DraftDifference[] | null,
  { out, format }: Options,
): Promise<void> {
  if (format === 'text') {
    const { isTTY, columns } = session.host.stdout;
    return print(session, describeDraft(made, out, differences, isTTY ? columns : undefined));
  }
  const { name, passed, findings, undo, agents, usage, specification } = made;
  const data = {
    schema: 'alas-jssp/draft-report@1',
    name,
    passed,
    out,
    findings,
    history: historyOf(made),
    questions: specification?.questions ?? [],
    assumptions: specification?.assumptions ?? [],
    undo,
    agents,
    usage,
    ...(differences !== null && { differences }),
  };
  await print(session, renderJson(data));
  remark(session, verdictOf(made, out));
}
