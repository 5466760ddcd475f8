import { resolve } from 'node:path';
import { splitServerCommand } from '../../tools/mcp/server-command.js';
import type { GuardPolicy } from '../policy.js';
import type { ServerSpec } from './server.js';

/** How the servers of a policy are reached; those without a command and an address are given elsewhere. */
export function serverSpecs({ servers }: GuardPolicy): ServerSpec[] {
  return Object.entries(servers).flatMap(([name, server]): ServerSpec[] => {
    const { command, http, directory = '.', environment, token } = server;
    if (http !== undefined) return [{ name, http, ...(token !== undefined && { token }) }];
    if (command === undefined) return [];
    const words = typeof command === 'string' ? splitServerCommand(command) : command;
    return [{ name, command: words, directory: resolve(directory), environment }];
  });
}
