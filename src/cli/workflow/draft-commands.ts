import { Command } from 'commander';
import type { Session } from '../common/session.js';
import { loadBlueprint } from './draft-folder.js';

/** The commands of the package for drafts, with their descriptions: the package is loaded when one is called. */
const DESCRIPTIONS = {
  draft: 'draft a checked workflow, with agents and undos, from a process in words',
  rehearse: 'run a draft in simulation, with faults, before anything real is called',
} as const;

const CREATORS = { draft: 'createDraftCommand', rehearse: 'createRehearseCommand' } as const;

/** The commands for drafts. */
export async function draftCommands(session: Session): Promise<Command[]> {
  const typed = session.args.slice(1).find((word) => word !== 'help' && !word.startsWith('-'));
  const commands: Command[] = [];
  for (const name of ['draft', 'rehearse'] as const) {
    const command =
      typed === name ? (await loadBlueprint())[CREATORS[name]](session) : new Command(name);
    commands.push(command.description(DESCRIPTIONS[name]));
  }
  return commands;
}
