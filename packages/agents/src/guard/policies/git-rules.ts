import { resolve } from 'node:path';
import type { ToolRulesDraft } from '../policy.js';
import { optionOf } from './server-arguments.js';
import type { ServerFacts } from './server-facts.js';

const READS = [
  'git_status',
  'git_diff_unstaged',
  'git_diff_staged',
  'git_diff',
  'git_log',
  'git_show',
  'git_branch',
];

/**
 * Rules for `mcp-server-git`, which is to be started with `--repository`: without it the server changes any repository.
 *
 * @throws InputError `no_rules` if its command names no repository
 */
export function gitRules(server: ServerFacts): Readonly<Record<string, ToolRulesDraft>> {
  const directory = optionOf(server, ['--repository', '-r'], 'the repository that it may change');
  const settings = { repositories: [resolve(server.directory, directory)] };
  const change: ToolRulesDraft = { access: 'change', compensation: { name: 'git', settings } };
  const rules: Record<string, ToolRulesDraft> = {};
  for (const name of READS) rules[name] = { access: 'read' };
  for (const name of ['git_add', 'git_reset']) rules[name] = { ...change, idempotent: true };
  for (const name of ['git_commit', 'git_create_branch', 'git_checkout']) rules[name] = change;
  return rules;
}
