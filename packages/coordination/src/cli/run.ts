import { appendFileSync, existsSync, statSync } from 'node:fs';
import { InputError } from 'alas-jssp';
import {
  amount,
  Command,
  collect,
  collectPlanners,
  counted,
  describeWait,
  exitCode,
  InvalidArgumentError,
  isLongWait,
  Option,
  type OutputOptions,
  onInterruption,
  remark,
  type Session,
  wholeNumber,
  withOutput,
  writeOutput,
} from 'alas-jssp/command-line';
import { LlmError } from 'alas-jssp/llm';
import type { EventList } from '../events/events.js';
import { ASKED_FORMS, type AskedForm } from '../llm/answer-forms.js';
import { bundledNames } from '../papers/bundled.js';
import {
  type CoordinationRecord,
  coordinationRecordKey,
  formatCoordinationRecord,
  readCoordinationRecords,
} from '../runs/record.js';
import { distinctProblems, runCoordination } from '../runs/run.js';
import {
  TEAM_TOPOLOGIES,
  TEAM_VARIANTS,
  type TeamTopology,
  type TeamVariant,
} from '../teams/team.js';
import {
  type ExperimentOptions,
  experimentHelp,
  trialSettings,
  withExperimentOptions,
} from './experiment-options.js';
import { loadEvents, loadProblem } from './load.js';
import { printReport } from './report.js';
import { runSuite } from './run-suite.js';
import {
  refuseMixedChoice,
  type SuiteChoice,
  suiteHelp,
  withSuiteOptions,
} from './suite-options.js';

interface Options extends OutputOptions, SuiteChoice, ExperimentOptions {
  problem?: string[];
  planner?: string[];
  replicates: number;
  answer: AskedForm;
  topology?: TeamTopology;
  rounds?: number;
  variant?: readonly TeamVariant[];
  events?: string[];
  record?: string;
  budgetTokens?: number;
  budgetUsd?: number;
  budgetSeconds?: number;
  out?: string;
}

/**
 * `alas-coordination run`: runs planners on problems and records their claims, the judge's verdicts and the repairs.
 */
export function runCommand(session: Session): Command {
  const count = wholeNumber('a count', 1);
  return withExperimentOptions(withSuiteOptions(withOutput(session, new Command('run'))))
    .option(
      '--problem <problem>',
      'problem or file to plan for; may be repeated (default: all that come with the package)',
      collect,
    )
    .option(
      '--planner <spec>',
      'planner to run; may be repeated (default: search,papers)',
      collectPlanners,
    )
    .option('--replicates <count>', 'times that each model is asked', count, 1)
    .addOption(
      new Option('--answer <form>', 'form in which models are asked for plans; any is read')
        .choices(ASKED_FORMS)
        .default('json'),
    )
    .addOption(
      new Option(
        '--topology <name>',
        'agents that make the plan (default: single, one request)',
      ).choices(TEAM_TOPOLOGIES),
    )
    .option(
      '--rounds <count>',
      'times that violations go back to the model (default: 0)',
      wholeNumber('a count', 0),
    )
    .option('--variant <names>', `variants: ${TEAM_VARIANTS.join(',')} (default: full)`, variants)
    .option(
      '--events <events>',
      'events that become known as the plan is carried out; may be repeated',
      collect,
    )
    .option(
      '--record <dir>',
      'directory that keeps the answers of models: what is there is not asked again',
    )
    .option('--budget-tokens <count>', 'tokens after which no model is asked', count)
    .option('--budget-usd <dollars>', 'dollars after which no model is asked', amount('a budget'))
    .option(
      '--budget-seconds <seconds>',
      'seconds after which no model is asked',
      amount('a budget'),
    )
    .option(
      '--out <file>',
      'file to which each record is added; what is there already is not made again',
    )
    .addHelpText('after', help + experimentHelp + suiteHelp)
    .action(async (options: Options) => {
      refuseMixedChoice(options);
      const { suite } = options;
      session.exitCode =
        suite === undefined
          ? await run(session, options)
          : await runSuite(session, { ...options, suite });
    });
}

const help = `
Planners: search (exact search), papers (the plans that the papers print; what
they claim is what the paper says), and models: openai:MODEL, anthropic:MODEL,
openai-compatible:MODEL@URL, each with settings as in alas-jssp
(…#temperature=0.2,max-output=4000); keys come from the environment or a .env
file. replay:DIR repeats answers that --record has kept, cassette:FILE answers
by role.

A team (--topology) has seven roles: three specialists with the facts of their
part, a coordinator, two validators with the facts of what they check, and a
supervisor. With --rounds the violations that the judge finds go back to the
role that makes the final plan; the best plan is kept. Variants:
  full             the judge's violations as feedback, and repair at the end
  no-repair        without repair
  no-validation    the first plan as it is: no validators, feedback or repair
  self-validation  the planner's own verdict and faults in place of the judge's

With --events the plan is carried out until they become known; then the planner
plans again with what has happened, once for each time.

Plans are judged, and repaired where they are wrong. Exit code 0 if all are
valid (self-validation: if all verdicts are right), else 1, also if the budget
is spent; 130 if interrupted: run the same again to go on with --out.

Examples:
  $ alas-coordination run
  $ alas-coordination run --planner papers --out papers.jsonl --format md
  $ alas-coordination run --problem wedding --planner openai:gpt-4.1 \\
      --answer table --record answers --budget-usd 1 --out wedding.jsonl
  $ alas-coordination run --events wedding-traffic --planner openai:gpt-4.1 \\
      --topology alas --rounds 3 --variant full,no-repair --out team.jsonl
  $ alas-coordination run --planner anthropic:claude-sonnet-5 \\
      --experiment amnesia --record answers --out amnesia.jsonl
  $ alas-coordination run --planner control:forgets-1500 --replicates 20 \\
      --experiment lost-constraints --problem wedding`;

async function run(session: Session, options: Options): Promise<number> {
  const { format, out, experiment = null, answer: form, replicates, record } = options;
  const { topology = 'single', rounds = 0, variant: variants } = options;
  const isTeam = options.topology !== undefined || options.rounds !== undefined;
  const events: EventList[] = [];
  for (const spec of options.events ?? []) events.push(await loadEvents(session, spec));
  const named = events.length > 0 ? events.map(({ problem }) => problem) : undefined;
  const problems = [];
  for (const spec of options.problem ?? named ?? bundledNames('problems')) {
    problems.push(await loadProblem(session, spec));
  }
  const { planner: planners = experiment === null ? ['search', 'papers'] : [] } = options;
  if (planners.length === 0) {
    throw new InputError('bad_option', 'an experiment needs a model', 'give --planner', {});
  }
  const records = out === undefined ? [] : takeUp(out);
  if (records.length > 0)
    remark(session, `${out}: ${counted(records.length, 'record')} there already`);
  const stop = new AbortController();
  const unlisten = onInterruption(session, () => stop.abort(), 'what was made is kept');
  const { budgetTokens: tokens, budgetUsd: usd, budgetSeconds: seconds } = options;
  let ending: number | null = null;
  try {
    const made = runCoordination({
      problems: distinctProblems(problems),
      planners,
      replicates,
      experiment,
      trials: trialSettings(options),
      form,
      events,
      ...(isTeam && { team: { topology, rounds } }),
      ...(variants !== undefined && { variants }),
      models: {
        answers: record,
        budget: { tokens, usd, seconds },
        onWait: (wait) => isLongWait(wait) && remark(session, describeWait(wait)),
      },
      done: new Map(records.map((one) => [coordinationRecordKey(one), one])),
      signal: stop.signal,
    });
    for await (const one of made) {
      records.push(one);
      if (out !== undefined) appendFileSync(out, formatCoordinationRecord(one));
      remark(session, describeRecord(one));
    }
  } catch (error) {
    const isSpent = error instanceof LlmError && error.code === 'BudgetSpent';
    if (!isSpent && !stop.signal.aborted) throw error;
    ending = isSpent ? exitCode.no : exitCode.interrupted;
    if (isSpent) remark(session, error.message);
  } finally {
    unlisten();
  }
  await printReport(session, records, format);
  return ending ?? (records.every(isRight) ? exitCode.done : exitCode.no);
}

/** Parses a list of variants. */
function variants(text: string, before: readonly TeamVariant[] = []): readonly TeamVariant[] {
  const names = text.split(',').map((name) => {
    const found = TEAM_VARIANTS.find((one) => one === name.trim());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`Allowed choices are ${TEAM_VARIANTS.join(', ')}.`);
  });
  return [...new Set([...before, ...names])];
}

/**
 * Records without those that should be made again: without a model's answer, and of failed teams; and without those
 * that follow them in a stream of events.
 */
function withoutFailed(records: readonly CoordinationRecord[]): CoordinationRecord[] {
  const broken = new Set<string>();
  const streamOf = (one: CoordinationRecord) =>
    coordinationRecordKey({ ...one, disruption: one.disruption && { step: 0 } });
  return records.filter((one) => {
    const { plan, answer, error, team, disruption, past } = one;
    const isBlocked = disruption !== null && disruption.step > 0 && past === null;
    const hasAnswer = plan !== null || answer !== null || error === null || isBlocked;
    const isKept = hasAnswer && team?.ending !== 'failed' && !broken.has(streamOf(one));
    if (!isKept) broken.add(streamOf(one));
    return isKept;
  });
}

/** The records kept from an earlier run. Records without a model's answer, and failed teams, are repeated. */
function takeUp(out: string): CoordinationRecord[] {
  if (!existsSync(out)) {
    writeOutput(out, '');
    return [];
  }
  if (statSync(out).size === 0) return [];
  const records = readCoordinationRecords(out);
  const kept = withoutFailed(records);
  writeOutput(out, kept.map(formatCoordinationRecord).join(''));
  return kept;
}

function isRight({ experiment, claimed, judged }: CoordinationRecord): boolean {
  if (experiment?.name === 'self-validation') return claimed.feasible === judged?.valid;
  return judged?.valid === true;
}

/** A record in one line: claimed, judged, repaired. */
function describeRecord(record: CoordinationRecord): string {
  const { problem, planner, source, experiment, claimed, judged, repaired, error } = record;
  const { disruption, variant, team } = record;
  const time = disruption === null ? '' : ` at ${disruption.at ?? 'the beginning'}`;
  const who = [
    `${problem}${time}`,
    source ?? planner,
    ...(experiment === null ? [] : [experiment.condition]),
    ...(team === null ? [] : [team.topology]),
    ...(variant === 'full' ? [] : [variant]),
  ];
  const claim = { true: 'claimed feasible', false: 'claimed infeasible', null: 'no claim' };
  const codes = [...new Set(judged?.violations.map(({ code }) => code) ?? [])];
  const parts = [
    claim[`${claimed.feasible}`],
    ...(judged === null ? [] : [judged.valid ? 'valid' : `not valid (${codes.join(', ')})`]),
    ...(team === null ? [] : [roundsInWords(team)]),
    ...(judged?.valid !== false || repaired === null
      ? []
      : [`repaired by ${counted(repaired.edits, 'edit')}`]),
    ...(error === null ? [] : [error]),
  ];
  return `${who.join(', ')}: ${parts.join('; ')}`;
}

/** The rounds of a team in words: `plan 2 of 3 kept`. */
function roundsInWords({ rounds, kept }: NonNullable<CoordinationRecord['team']>): string {
  const requests = counted(rounds.flatMap(({ turns }) => turns).length, 'request');
  const plan = kept === null ? 'no plan' : `plan ${kept + 1}`;
  return `${plan} of ${rounds.length} kept, ${requests}`;
}
