import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { ToolRulesDraft } from '../policy.js';
import { argumentsAfter } from './server-arguments.js';
import type { ServerFacts } from './server-facts.js';

const READS = [
  'read_file',
  'read_text_file',
  'read_media_file',
  'read_multiple_files',
  'list_directory',
  'list_directory_with_sizes',
  'directory_tree',
  'search_files',
  'get_file_info',
  'list_allowed_directories',
];

/**
 * Rules for `@modelcontextprotocol/server-filesystem`, which has no tool that deletes: files are restored directly, in
 * the directories that its command names.
 *
 * @throws InputError `no_rules` if its command names no directory
 */
export function filesystemRules(server: ServerFacts): Readonly<Record<string, ToolRulesDraft>> {
  const words = argumentsAfter(server, /server-filesystem/, 'the directories that it may change');
  const roots = words
    .filter((word) => !word.startsWith('-'))
    .map((word) => resolve(server.directory, word.replace(/^~(?=\/|$)/, homedir())));
  const compensation = { name: 'files', settings: { roots } };
  const change: ToolRulesDraft = { access: 'change', compensation };
  const rules: Record<string, ToolRulesDraft> = {};
  for (const name of READS) rules[name] = { access: 'read' };
  for (const name of ['write_file', 'create_directory']) {
    rules[name] = { ...change, idempotent: true };
  }
  for (const name of ['edit_file', 'move_file']) rules[name] = change;
  return rules;
}
