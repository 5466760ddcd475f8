import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { ToolRulesDraft } from '../policy.js';
import { optionOf } from './server-arguments.js';
import type { ServerFacts } from './server-facts.js';

/**
 * Rules for `mcp-server-sqlite`. `append_insight` has none: its memo lives in the server only.
 *
 * @throws InputError `no_rules` if its command names no database
 */
export function sqliteRules(server: ServerFacts): Readonly<Record<string, ToolRulesDraft>> {
  const path = optionOf(server, ['--db-path'], 'the database');
  const file = resolve(server.directory, path.replace(/^~(?=\/|$)/, homedir()));
  const rules: Record<string, ToolRulesDraft> = {};
  for (const name of ['read_query', 'list_tables']) rules[name] = { access: 'read' };
  for (const name of ['write_query', 'create_table']) {
    rules[name] = { access: 'change', compensation: { name: 'sqlite', settings: { file } } };
  }
  return rules;
}
