import { CASSETTE_SCHEMA, playCassette } from '@alas-jssp/agents';
import type { Json } from '@alas-jssp/workflow';
import { disassembleDraft } from '../drafting/disassemble-draft.js';
import type { Draft } from '../drafting/draft.js';
import { type DraftTaskOptions, draftTask } from '../drafting/draft-task.js';
import { compileTeam } from './compile-team.js';
import type { Team } from './team.js';

/** A team as the planner answers it: its parts are compiled, and no model is asked. */
export interface TeamTask extends Pick<DraftTaskOptions, 'name' | 'text' | 'catalogue' | 'model'> {}

/**
 * Prepares the drafting of a team: its text, tools, and a planner that answers with the compiled parts.
 *
 * @param file for messages
 * @throws InputError `bad_team`
 */
export function teamTask(team: Team, file: string): TeamTask {
  const { name, text, specification, template, catalogue } = compileTeam(team);
  const parts = Object.entries(disassembleDraft(specification, template));
  const answers = Object.fromEntries(
    parts.map(([part, answer]): [string, Json[]] => [part, [answer]]),
  );
  const model = playCassette(
    { schema: CASSETTE_SCHEMA, origin: 'handwritten', model: null, answers: answers as never },
    file,
  );
  return { name, text, catalogue, model };
}

/** Circumstances of drafting a team: those of a task, of which the team gives text, tools and parts. */
export interface DraftTeamOptions
  extends Omit<DraftTaskOptions, keyof TeamTask | 'rounds' | 'askPeople' | 'change' | 'agents'> {
  /** The model of the agents of the team. */
  readonly agents: string;
  /** The name of the team's file, for messages. Default: `team`. */
  readonly file?: string | undefined;
}

/**
 * Drafts a team of agents without a planner: its parts pass the same checks and the same factory as those of a task in
 * words.
 *
 * @throws InputError `bad_team`
 */
export function draftTeam(
  team: Team,
  { file = 'team', ...options }: DraftTeamOptions,
): Promise<Draft> {
  return draftTask({ ...options, ...teamTask(team, file), rounds: 0 });
}
