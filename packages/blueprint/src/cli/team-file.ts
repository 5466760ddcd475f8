import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { parseJson } from '@alas-jssp/core/json-text';
import { type TeamTask, teamTask } from '../teams/draft-team.js';
import { isTeam, teamSchema } from '../teams/team.js';

/**
 * Reads a file as a team of agents; null if it is none, such as a task in words.
 *
 * @throws InputError `bad_team` with the place
 */
export function readTeamFile(file: string): TeamTask | null {
  if (!file.endsWith('.json')) return null;
  const json = parseJson(readBytes(file), file);
  const hint =
    'give a list of agents with name, backstory and task_description, and edges of names';
  if (!isTeam(json)) throw new InputError('bad_team', 'this is no team of agents', hint, { file });
  const parsed = teamSchema.safeParse(json);
  if (!parsed.success) {
    const [{ path, message }] = parsed.error.issues;
    throw new InputError('bad_team', `$.${path.join('.')} does not fit`, message, { file });
  }
  return teamTask(parsed.data, file);
}
