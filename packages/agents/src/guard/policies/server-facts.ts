import type { ToolRulesDraft } from '../policy.js';

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
