import type { ToolRulesDraft } from '../policy.js';
import { everythingRules } from './everything-rules.js';
import { filesystemRules } from './filesystem-rules.js';

/** The facts about a server from which its shipped rules are made. */
export interface ServerFacts {
  /** The name that the server gives itself. */
  readonly identity: string;
  /** The words of its command; empty for addresses. */
  readonly command: readonly string[];
  /** The directory in which it starts. */
  readonly directory: string;
}

/** Rules by tool for a server; may throw InputError if its arguments do not allow them. */
export type ShippedRules = (server: ServerFacts) => Readonly<Record<string, ToolRulesDraft>>;

/** The rules that come with the guard, by the name that the server gives itself. */
export const shippedRules: ReadonlyMap<string, ShippedRules> = new Map<string, ShippedRules>([
  ['secure-filesystem-server', filesystemRules],
  ['mcp-servers/everything', everythingRules],
]);
