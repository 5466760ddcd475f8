import { everythingRules } from './everything-rules.js';
import { filesystemRules } from './filesystem-rules.js';
import { gitRules } from './git-rules.js';
import { memoryRules } from './memory-rules.js';
import type { ShippedRules } from './server-facts.js';
import { sqliteRules } from './sqlite-rules.js';

export type { ServerFacts, ShippedRules } from './server-facts.js';

/** The rules that come with the guard, by the name that the server gives itself. */
export const shippedRules: ReadonlyMap<string, ShippedRules> = new Map<string, ShippedRules>([
  ['secure-filesystem-server', filesystemRules],
  ['mcp-servers/everything', everythingRules],
  ['memory-server', memoryRules],
  ['mcp-git', gitRules],
  ['sqlite', sqliteRules],
]);
