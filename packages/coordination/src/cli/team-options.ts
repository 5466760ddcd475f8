import { InputError } from 'alas-jssp';
import {
  type Command,
  describeWait,
  isLongWait,
  Option,
  remark,
  type Session,
  wholeNumber,
} from 'alas-jssp/command-line';
import { planningInWords } from '../execution/account.js';
import type { ExecutionTeam, TeamLine } from '../execution/team-repair.js';
import { ASKED_FORMS, type AskedForm } from '../llm/answer-forms.js';
import {
  TEAM_TOPOLOGIES,
  TEAM_VARIANTS,
  type TeamTopology,
  type TeamVariant,
} from '../teams/team.js';
import { asksModel, openTeamModels } from '../teams/team-models.js';

/** Options of a team that plans during an execution. */
export interface TeamChoice {
  planner?: string;
  topology: TeamTopology;
  rounds: number;
  variant: TeamVariant;
  answer: AskedForm;
  record?: string;
}

/** Adds the options of a team to a command. */
export function withTeamOptions(command: Command): Command {
  return command
    .option('--planner <spec>', 'model of a team that plans, and plans again after events')
    .addOption(
      new Option('--topology <name>', 'agents of the team')
        .choices(TEAM_TOPOLOGIES)
        .default('single'),
    )
    .option(
      '--rounds <count>',
      'times that violations go back to the team',
      wholeNumber('a count', 0),
      0,
    )
    .addOption(
      new Option('--variant <name>', 'ablation of the team').choices(TEAM_VARIANTS).default('full'),
    )
    .addOption(
      new Option('--answer <form>', 'form in which the team is asked for plans')
        .choices(ASKED_FORMS)
        .default('json'),
    )
    .option('--record <dir>', 'directory that keeps the answers of the model');
}

/** Opens the model of the team; undefined without one. */
export async function openLine(
  session: Session,
  { planner, record }: TeamChoice,
): Promise<TeamLine | undefined> {
  if (planner === undefined) return undefined;
  if (!asksModel(planner)) {
    const hint =
      'give openai:MODEL, anthropic:MODEL, openai-compatible:MODEL@URL, replay:DIR or cassette:FILE';
    throw new InputError('bad_planner', `'${planner}' is no model`, hint, {}, planner);
  }
  const onWait = (wait: Parameters<typeof describeWait>[0]) => {
    if (isLongWait(wait)) remark(session, describeWait(wait));
  };
  const models = await openTeamModels([planner], { answers: record, onWait });
  return {
    askFor: (scope, signal) => models.askFor({ planner, scope, replicate: 0, onWait, signal }),
  };
}

/** The settings of the team, for the log. */
export function settingsOf(
  { planner = '', topology, rounds, variant, answer: form }: TeamChoice,
  first: ExecutionTeam['first'],
): ExecutionTeam {
  return { planner, topology, rounds, variant, form, first };
}

/** Reports how a team made the first plan. */
export function remarkFirst(session: Session, { first }: ExecutionTeam): void {
  if (first !== null) remark(session, `planned by the team (${planningInWords(first)})`);
}

/** The reason why options of a team are refused without a planner. */
export const NEEDS_PLANNER = 'needs --planner';

/** Refuses options of a team where they would not be used: `record` only without a planner. */
export function refuseTeamOptions(command: Command, reason: string): void {
  const names = ['topology', 'rounds', 'variant', 'answer'];
  if (reason === NEEDS_PLANNER) names.push('record');
  const given = names.find((name) => command.getOptionValueSource(name) === 'cli');
  if (given !== undefined) command.error(`--${given} ${reason}`);
}
