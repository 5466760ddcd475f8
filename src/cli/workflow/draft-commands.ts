import { Command } from 'commander';
import type { Session } from '../common/session.js';
import { loadBlueprint } from './draft-folder.js';

/** The commands of the package for drafts, with their descriptions: the package is loaded when one is called. */
const DESCRIPTIONS = {
  rehearse: 'run a draft in simulation, with faults, before anything real is called',
} as const;

/** The commands for drafts. */
export async function draftCommands(session: Session): Promise<Command[]> {
  const commands: Command[] = [];
  for (const [name, description] of Object.entries(DESCRIPTIONS)) {
    if (!session.args.includes(name)) commands.push(new Command(name).description(description));
    else commands.push((await loadBlueprint()).createRehearseCommand(session));
  }
  return commands;
}
