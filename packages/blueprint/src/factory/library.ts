import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, readJsonFile, replaceFile } from '@alas-jssp/core';
import { type AgentFile, agentFileSchema } from './agent-file.js';

/** An agent of a library, with its code. */
export interface LibraryAgent {
  readonly agent: AgentFile;
  readonly code?: string | undefined;
}

/** Agents that were made before, in a folder that grows: `--agents DIR`. */
export interface AgentLibrary {
  readonly agents: readonly LibraryAgent[];
  /** Adds agents with prompts and code; agents of tools belong to their catalogue. */
  add(agents: readonly AgentFile[], files: Readonly<Record<string, string>>): void;
}

/** A library without agents, which forgets what is added. */
export const NO_LIBRARY: AgentLibrary = { agents: [], add: () => {} };

/**
 * Opens a library of agents; a folder that does not exist is an empty one.
 *
 * @throws InputError `bad_json` for a file that is no agent, `bad_agent`
 */
export function openAgentLibrary(directory: string): AgentLibrary {
  const agents = filesOf(directory).map((file) => readLibraryAgent(directory, file));
  return {
    agents,
    add: (made, files) => {
      mkdirSync(directory, { recursive: true });
      for (const agent of made) {
        const known = agents.some((one) => one.agent.specification === agent.specification);
        if (known || agent.made.by !== 'generation') continue;
        agents.push(writeLibraryAgent(directory, agent, files));
      }
    },
  };
}

function filesOf(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((file) => file.endsWith('.json'))
      .sort();
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw new InputError(
      'bad_agent',
      'the library of agents is no folder',
      'name a folder, or one that does not exist yet',
      { file: directory },
    );
  }
}

function readLibraryAgent(directory: string, file: string): LibraryAgent {
  const path = join(directory, file);
  const agent = readJsonFile(
    path,
    agentFileSchema,
    'agent',
    'give an agent as the factory wrote it',
  );
  if (agent.implementation.kind !== 'code') return { agent };
  // The name of a file in the library, never a path out of it.
  const code = `${file.slice(0, -'.json'.length)}.js`;
  try {
    return { agent, code: readFileSync(join(directory, code), 'utf8') };
  } catch {
    throw new InputError('bad_agent', `its code ${code} cannot be read`, 'add it, or delete both', {
      file: path,
    });
  }
}

function writeLibraryAgent(
  directory: string,
  agent: AgentFile,
  files: Readonly<Record<string, string>>,
): LibraryAgent {
  const name = `${agent.name}-${agent.specification.slice(0, 12)}`;
  const isCode = agent.implementation.kind === 'code';
  const code = agent.implementation.kind === 'code' ? files[agent.implementation.file] : undefined;
  const kept: AgentFile = isCode
    ? { ...agent, implementation: { kind: 'code', file: `${name}.js` } }
    : agent;
  if (code !== undefined) replaceFile(join(directory, `${name}.js`), code);
  replaceFile(join(directory, `${name}.json`), `${JSON.stringify(kept, null, 2)}\n`);
  return { agent: kept, code };
}
