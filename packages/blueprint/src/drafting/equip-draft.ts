import { openAgentLibrary } from '../factory/library.js';
import { makeAgents } from '../factory/make-agents.js';
import { createSandbox } from '../sandbox/sandbox.js';
import type { EquipDraft } from './draft.js';

/** Circumstances of the factory. */
export interface FactoryOptions {
  /** The directory from which paths in the catalogue start. */
  readonly directory: string;
  /** A directory of agents that grows: those that fit are reused. */
  readonly library?: string | undefined;
}

/** The factory of drafts: it makes agents, and tries their compensations. */
export interface DraftFactory {
  readonly equip: EquipDraft;
  close(): Promise<void>;
}

/** Opens the factory: its sandbox, and its library of agents. */
export function openFactory({ library: place }: FactoryOptions): DraftFactory {
  const sandbox = createSandbox();
  const library = place === undefined ? undefined : openAgentLibrary(place);
  return {
    async equip(task) {
      const made = await makeAgents({ ...task, sandbox, library });
      const { agents, files, findings } = made;
      return { agents, files, undo: [], findings };
    },
    close: () => sandbox.close(),
  };
}
