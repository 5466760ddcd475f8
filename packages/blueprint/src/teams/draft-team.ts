import { playCassette } from '@alas-jssp/agents';
import type { Json } from '@alas-jssp/workflow';
import type { Draft } from '../drafting/draft.js';
import { type DraftTaskOptions, draftTask } from '../drafting/draft-task.js';
import { partsOfDraft } from '../drafting/parts-of-draft.js';
import { compileTeam } from './compile-team.js';
import type { Team } from './team.js';

/** Circumstances of drafting a team: those of a task, of which the team gives text, tools and parts. */
export interface DraftTeamOptions
  extends Omit<
    DraftTaskOptions,
    'text' | 'name' | 'catalogue' | 'model' | 'rounds' | 'askPeople' | 'change' | 'agents'
  > {
  /** The model of the agents of the team. */
  readonly agents: string;
  /** The name of the team's file, for messages. Default: the name of the team. */
  readonly file?: string | undefined;
}

/**
 * Drafts a team of agents without a planner: its parts are compiled, and pass the same checks and the same factory as
 * those of a task in words.
 *
 * @throws InputError `bad_team`
 */
export function draftTeam(team: Team, options: DraftTeamOptions): Promise<Draft> {
  const { file, ...others } = options;
  const { name, text, specification, template, catalogue } = compileTeam(team);
  const parts = Object.entries(partsOfDraft(specification, template));
  const answers = Object.fromEntries(
    parts.map(([part, answer]): [string, Json[]] => [part, [answer]]),
  );
  const model = playCassette(
    {
      schema: 'alas-jssp/cassette@1',
      origin: 'handwritten',
      model: null,
      answers: answers as never,
    },
    file ?? name,
  );
  return draftTask({ ...others, text, name, catalogue, model, rounds: 0 });
}
